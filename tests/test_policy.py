"""The Content-Security-Policy: the site's scripts run, and no other."""

from __future__ import annotations

import base64
import hashlib

import pytest

from tests import page_text, site_files
from tests.page_text import SITE

PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
ELSEWHERE = "https://elsewhere.example/script.js"
PLANTED = f"""
<script>window.planted = ["in the page"];</script>
<script>window.planted = [...(window.planted ?? []), "a second one"];</script>
<svg onload="window.planted = [...(window.planted ?? []), 'a handler']"></svg>
<a id="a-link" href="javascript:window.planted = [...(window.planted ?? []), 'a link']">x</a>
<script src="{ELSEWHERE}"></script>
"""


def test_a_page_allows_the_site_and_its_own_scripts_only_before_anything_loads():
    found = {name: list(faults(page_text.parsed(SITE / name))) for name in PAGES}
    assert {name: some for name, some in found.items() if some} == {}


def faults(page):
    """What is wrong with the policy of a page."""
    scripts = [script for script in page.iter("script") if "src" not in script.attrib]
    inside = [script.text for script in scripts if script.get("type") in (None, "module")]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in inside]
    contents = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    if len(contents) != 1:
        yield f"{len(contents)} policies"
        return
    rules = {kind: sources for kind, *sources in map(str.split, contents[0].split(";"))}
    wanted = {kind: ["'none'"] for kind in ("object-src", "base-uri", "form-action")}
    wanted |= {"default-src": ["'self'"], "style-src": ["'self'", "'unsafe-inline'"]}
    wanted["img-src"] = ["'self'", "data:", "blob:"]  # for pictures of Plotly to save
    wanted["script-src"] = ["'self'", *{f"'sha256-{digest.decode()}'" for digest in digests}]
    for kind in rules.keys() | wanted.keys():
        if sorted(rules.get(kind, ())) != sorted(wanted.get(kind, ())):
            yield f"{kind} {rules.get(kind)}"
    first = [(child.tag, *child.keys()) for child in page.find("head")][:2]
    if first != [("meta", "charset"), ("meta", "http-equiv", "content")]:
        yield f"{first} comes first"


@pytest.mark.browser
def test_a_planted_script_does_not_run(visit):
    """Without the policy, the scripts run: nothing but the policy stops them."""
    seen = visit("index.html")
    seen.provoked = ("Content Security Policy", ELSEWHERE, "Failed to load")
    address = site_files.address("formula/index.html")
    text = (SITE / "formula" / "index.html").read_text("utf-8")
    text = text.replace("</article>", f"{PLANTED}</article>")
    unguarded = text.replace("Content-Security-Policy", "none")
    for html in (text, unguarded):
        seen.page.route(address, lambda route, html=html: route.fulfill(body=html))
        seen.page.goto(address)
        seen.page.wait_for_selector(".expressions-toggle")
        seen.page.evaluate("document.querySelector('#a-link').click()")
        ran = seen.page.evaluate("window.planted ?? []")
        seen.page.unroute(address)
        assert {"a handler", "in the page", "a link"} <= {*ran} if html is unguarded else ran == []
        assert (ELSEWHERE in seen.requested) is (html is unguarded)
