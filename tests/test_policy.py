"""The Content-Security-Policy: the site's scripts run, and no other."""

from __future__ import annotations

import base64
import hashlib

import pytest

from scripts.pages import policy
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


def elements(name, tag):
    return list(page_text.parsed(SITE / name).iter(tag))


def rules(name):
    """The policy of a page: the sources by kind."""
    (content,) = (
        meta.get("content")
        for meta in elements(name, "meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    )
    return {kind: sources for kind, *sources in map(str.split, content.split(";"))}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_allows_the_site_and_its_own_scripts_only(name):
    found = rules(name)
    inside = [element.text for element in elements(name, "script") if _runs_in_place(element)]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in inside]
    assert found["default-src"] == ["'self'"]
    assert found["object-src"] == found["base-uri"] == found["form-action"] == ["'none'"]
    assert sorted(found["script-src"]) == sorted(
        {"'self'", *(f"'sha256-{digest.decode()}'" for digest in digests)}
    )


def _runs_in_place(element):
    return "src" not in element.attrib and element.get("type") in (None, "module")


@pytest.mark.parametrize("name", PAGES)
def test_the_policy_comes_before_everything_that_loads(name):
    head = next(iter(elements(name, "head")))
    assert [(child.tag, *child.keys()) for child in head][:2] == [
        ("meta", "charset"),
        ("meta", "http-equiv", "content"),
    ]


def test_data_between_script_tags_needs_no_hash():
    page = '<meta charset="utf-8"><script type="application/json">{}</script>'
    assert "sha256" not in policy.with_policy(page)


def test_a_page_that_shows_the_head_of_a_page_has_one_policy_in_its_own_head():
    start = '<meta charset="utf-8">'
    made = policy.with_policy(f"<head>{start}</head><template>{start}</template>")
    assert made.startswith(f'<head>{start}<meta http-equiv="Content-Security-Policy"')
    assert made.endswith(f"></head><template>{start}</template>")


@pytest.mark.browser
@pytest.mark.parametrize("guarded", [True, False])
def test_a_planted_script_does_not_run(guarded, visit):
    """Without the policy, the scripts run: nothing but the policy stops them."""
    seen = visit("index.html")
    seen.provoked = ("Content Security Policy", ELSEWHERE, "Failed to load")
    address = site_files.address("formula/index.html")

    def planted(route):
        text = (SITE / "formula" / "index.html").read_text("utf-8")
        assert "Content-Security-Policy" in text
        if not guarded:
            text = text.replace("Content-Security-Policy", "none")
        route.fulfill(body=text.replace("</article>", f"{PLANTED}</article>"))

    seen.page.route(address, planted)
    seen.page.goto(address)
    seen.page.wait_for_selector(".expressions-toggle")
    seen.page.evaluate("document.querySelector('#a-link').click()")
    ran = seen.page.evaluate("window.planted ?? []")
    seen.page.unroute(address)
    assert ("a handler" in ran and "in the page" in ran and "a link" in ran) is not guarded
    assert (ran == []) is guarded
    assert (ELSEWHERE in seen.requested) is not guarded
