"""The built site as files: links, ids, other hosts, headings, weights, search index, sitemap.

A question about a page is a function that yields its faults, and a test asks all of a page.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from copy import deepcopy
from functools import cache
from urllib.parse import urljoin, urlsplit

import pytest

from scripts.files import ROOT
from tests import page_text, site_files
from tests.page_text import SITE, gzipped

KILO = 1000  # not 1024: the stricter meaning of kB

# Attributes with an address, and attributes with ids of the same page.
_ADDRESS = {"href", "src", "action", "data"}
_IDS = {"for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-details"}
_THEIRS = re.compile(r"assets/(javascripts|stylesheets|vendor|images)/|search/search_index")


def built_pages():
    return page_text.names() or ["index.html"]  # without a site, the tests fail and say what to do


def page(name):
    return page_text.parsed(SITE / name)


def faults(name, questions):
    """What a page breaks, and where."""
    return [f"{one.__doc__} {some}" for one in questions if (some := list(one(name)))]


def attributes(element):
    """Names without namespaces: an SVG's `xlink:href` is an `href`."""
    return {key.rpartition("}")[2]: value for key, value in element.attrib.items()}


def elements(root):
    return [element for element in root.iter() if isinstance(element.tag, str)]


def ids(root):
    return [element.get("id") for element in elements(root) if "id" in element.attrib]


def referred(root, name):
    """(element, address) of each link of the page and of each file that it loads."""
    for element in elements(root):
        for key, value in attributes(element).items():
            if key in _ADDRESS and not (key == "data" and element.tag != "object"):
                whole = urljoin(site_files.address(name), value.strip())
                yield element, value if value.startswith("data:") else whole


@cache
def anchors(path):
    return set(ids(page_text.parsed(path)))


# What every page answers, and every embed page too


def broken_links(name):
    """Each link and resource is there, and none is of another host but links with https."""
    for element, url in referred(page(name), name):
        tag, elsewhere = element.tag, site_files.is_elsewhere(url)
        if url.startswith("data:"):
            yield from [] if tag in ("image", "img") else [url[:60]]
        elif elsewhere:
            yield from [] if tag == "a" and url.startswith("https://") else [f"<{tag}> {url}"]
        elif not (tag == "form" and not element.get("action")):
            path, anchor = site_files.file(url), urlsplit(url).fragment
            if not path:
                yield f"<{tag}> refers to {url}, which is not in the site"
            elif anchor and path.suffix == ".html" and anchor not in anchors(path):
                yield f"no #{anchor} in {path.relative_to(SITE)}"


def wrong_ids(name):
    """Ids are unique, and references to them resolve."""
    found = ids(page(name))
    yield from {one for one in found if found.count(one) > 1} if len({*found}) < len(found) else ()
    for element in elements(page(name)):
        for key, value in attributes(element).items():
            wanted = set(re.findall(r"url\(['\"]?#([^'\")]+)", value))
            if key in _IDS:
                wanted |= set(value.split())
            if wanted - set(found):
                yield f"<{element.tag} {key}={value!r}>"


def wrong_policy(name):
    """A page allows the site and its own scripts only, before anything loads."""
    root = page(name)
    scripts = [script for script in root.iter("script") if "src" not in script.attrib]
    inside = [script.text for script in scripts if script.get("type") in (None, "module")]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in inside]
    contents = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
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
    first = [(child.tag, *child.keys()) for child in root.find("head")][:2]
    if first != [("meta", "charset"), ("meta", "http-equiv", "content")]:
        yield f"{first} comes first"


def heavy_figures(name):
    """The script and the data of an interactive figure keep to their budget."""
    for figure in page(name).xpath("//div[@class='pf'][@data-bundle]"):
        bundle = SITE / "assets" / "vendor" / figure.get("data-bundle")
        link = figure.xpath(".//a[contains(@href, '.csv') or contains(@href, '.json')]/@href")[0]
        data = site_files.file(urljoin(site_files.address(name), link.replace(".csv", ".json")))
        if bundle.name != "plotly.min.js":  # built without npm: all of Plotly
            budget = {"plotly-cartesian.min.js": 560, "plotly-gl3d.min.js": 600}[bundle.name]
            if weight([bundle, data]) > budget * KILO:
                yield figure.get("id")


def unlike_figures(name):
    """A drawing has words and its room, and the links below say which figure they are of."""
    for figure in page(name).xpath("//div[@class='pf']"):
        (stage,), (svg,) = figure.xpath(".//div[@class='pf-stage']"), figure.xpath(".//figure//svg")
        room = "aspect-ratio:{2}/{3}".format(*svg.get("viewBox").split())
        words = svg.get("role"), svg.get("aria-labelledby", "").split()
        is_named = words == ("img", svg.xpath("./title/@id | ./desc/@id"))
        links = figure.xpath("./div[@class='pf-links']//*[self::a or self::summary]")
        said = [link.get("aria-label", "").removeprefix(link.text) for link in links]
        of = {words.removeprefix(" of").removeprefix(" the figure ") for words in said}
        if stage.get("style") != room or len(of) != 1 or said[0].endswith(" figure "):
            yield figure.get("id"), stage.get("style"), of
        if not is_named or len(svg.findtext("desc")) < 40:
            yield figure.get("id"), words


def late_loads(name):
    """The head asks for the maths font, then for stylesheets, then for the site's scripts."""
    wanted = "./link[@rel='preload' or @rel='stylesheet'] | ./script[position() > 1]"
    found = [element.get("rel", "script") for element in page(name).find("head").xpath(wanted)]
    if found != sorted(found, key=["preload", "stylesheet", "script"].index):
        yield found


OF_ANY_PAGE = [
    *(broken_links, wrong_ids, wrong_policy, heavy_figures, unlike_figures, late_loads),
]


# What the pages of the site answer besides


def wrong_heads(name):
    """The head says what and where the page is, and so do its data for machines."""
    root = page(name)
    if root.get("lang") != "en" or len(root.xpath("//meta[@name='viewport']")) != 1:
        yield "language or viewport"
    if len(root.xpath("//*[@class='md-search-result__meta'][@role='status']")) != 1:
        yield "nobody hears how many results the search has"
    if name == "404.html":
        return
    (text,) = root.xpath("//script[@type='application/ld+json']/text()")
    said, (title,) = json.loads(text), root.xpath("//head/title/text()")
    (words,) = {*root.xpath("//meta[@name='description' or @property='og:description']/@content")}
    (address,) = root.xpath("//link[@rel='canonical']/@href")
    if name != "index.html":
        title = title.removesuffix(f" - {said['isPartOf']['name']}")
    shown = said["url"], said["description"], said.get("headline", said.get("name"))
    if (address, *shown) != (site_files.address(name), address, words, title):
        yield said


def early_paint(name):
    """Browsers wait for the last element of a page before they paint."""
    (target,) = page(name).xpath("//head/link[@rel='expect'][@blocking='render']/@href")
    (found,) = page(name).xpath(f"//body//*[@id='{target.removeprefix('#')}']")
    yield from {element.tag for element in found.xpath("following::*")} - {"script"}


def late_modules(name):
    """The module of each part that is live at once is preloaded; live.js loads the others later."""
    later = "starts-with(., 'sliders/') or starts-with(., 'ask/')"
    needed = {f"assets/{part}.js" for part in page(name).xpath(f"//@data-live[not({later})]")}
    found = page(name).xpath("//link[@rel='modulepreload']/@href")
    yield from needed - {url.removeprefix("../") for url in found}


def overweight(name):
    """A page with what it loads at once is light."""
    html = gzipped((SITE / name).read_bytes())
    loaded = loaded_at_once(name)
    ours = {path for key, path in loaded.items() if not _THEIRS.match(key)}
    styles = {path for path in ours if path.suffix == ".css"}
    scripts = {path for path in ours if path.suffix == ".js"}
    most = {"explorer/index.html": 20.5, "retune/index.html": 13.2}.get(name, 9.8)
    for what, found, budget in (
        ("HTML", html, 36 * KILO),
        ("scripts", weight(scripts), most * KILO),
        ("styles", weight(styles), 7.3 * KILO),
        ("before interaction", html + weight(loaded.values()), 127 * 1024),
    ):
        if not 0 < found <= budget:
            yield f"{what}: {found}"
    yield from (path for path in loaded if "plotly" in path)


def long_captions(name):
    """A figure begins with a claim and explains it in at most 30 words."""
    for shown in page(name).xpath("//div[@class='pf']//figcaption"):
        caption = deepcopy(shown)
        for formula in caption.iter("math"):  # it counts as a word
            formula.clear(keep_tail=True)
            formula.text = "x"
        claim, words = ("".join(part.itertext()) for part in (caption[0], caption))
        counts = len(claim.split()), len(words.removeprefix(claim).split())
        is_first = caption[0].tag == "strong" and words.startswith(claim)
        if not (is_first and 4 <= counts[0] <= 22 and counts[1] <= 30):
            yield words


def unsearchable(name):
    """The search finds the heading and the prose of a page."""
    own, article = name.removesuffix("index.html"), page_text.article(page(name))
    every = [e for e in search_entries() if e["location"].split("#")[0] == own]
    text = " ".join(f"{e['title']} {e['text']}" for e in every)
    text = " ".join(re.sub(r"<[^>]+>", " ", text).split())
    elsewhere = "@id='next' or @id='where-to-go-next'"
    paragraphs = article.xpath(f"./p[not(preceding-sibling::h2[1][{elsewhere}])]")
    said = [article.xpath("string(.//h1)").replace("¶", ""), *(p.text or "" for p in paragraphs)]
    words = [" ".join(one.split()) for one in said]
    if name != "404.html":
        yield from (one for one in words if one not in text and one != "Asked at")


def classless_tables(name):
    """Every table has a class: the build drops the theme's rules for others."""
    yield from page(name).xpath("//table[not(@class)]")


def wrong_copy_buttons(name):
    """Each block has its button, but no signature and no example."""
    blocks = page(name).xpath("//pre/code/@id")
    buttons = page(name).xpath("//pre/code/following-sibling::span/button/@data-clipboard-target")
    every = page(name).xpath("//@data-clipboard-target"), page(name).xpath("//pre/code")
    if [f"#{block}" for block in blocks] != buttons or {*map(len, every)} != {len(blocks)}:
        yield buttons
    yield from page(name).xpath("//*[contains(@class, 'doc-signature')]//pre/code")
    yield from page(name).xpath("//pre/code[starts-with(normalize-space(), '>>> ')]")


OF_A_PAGE = [
    *(wrong_heads, early_paint, late_modules, overweight, long_captions, unsearchable),
    *(classless_tables, wrong_copy_buttons),
]


@pytest.mark.parametrize("name", built_pages())
def test_a_page_has_no_faults(name):
    assert faults(name, OF_ANY_PAGE + OF_A_PAGE) == []


def test_the_index_of_packages_has_the_policy_too():
    found = [path.relative_to(SITE).as_posix() for path in SITE.glob("simple/**/*.html")]
    assert found
    assert [fault for name in found for fault in faults(name, [wrong_policy])] == []


def test_no_two_pages_share_a_title_or_a_description():
    for what in ("//head/title/text()", "//meta[@name='description']/@content"):
        seen = [text.strip() for root in page_text.pages().values() for text in root.xpath(what)]
        assert all(seen)
        assert len(seen) == len({*seen}) == len(page_text.pages())


# Weights, as a server with gzip sends them


def loaded_at_once(name):
    """The files of the site that the page's head and scripts load, by their path below site/."""
    kinds = "@rel='stylesheet' or @rel='icon' or @rel='preload' or @rel='modulepreload'"
    wanted = page(name).xpath(f"//link[{kinds}][not(ancestor::noscript)]/@href")
    wanted += page(name).xpath("//script/@src")
    found = [site_files.file(urljoin(site_files.address(name), url)) for url in wanted]
    return {path.relative_to(SITE).as_posix(): path for path in found}


@cache
def sent(path):
    """The bytes of a file on its way to a reader."""
    return path.stat().st_size if path.suffix == ".woff2" else gzipped(path.read_bytes())


def weight(paths):
    return sum(map(sent, paths))


# Search and sitemap


@cache
def search_entries():
    return json.loads((SITE / "search" / "search_index.json").read_text("utf-8"))["docs"]


def test_every_search_entry_leads_somewhere():
    for entry in search_entries():
        url = urljoin(site_files.site_url(), entry["location"])
        path = site_files.file(url)
        assert path, url
        assert urlsplit(url).fragment in anchors(path) | {""}, url


def test_the_sitemap_lists_each_page_once_without_a_date_which_another_day_would_change():
    listed = [site_files.address(name) for name in built_pages() if name != "404.html"]
    assert sorted(site_files.addresses()) == sorted(listed)
    plain, packed = (SITE / "sitemap.xml").read_bytes(), (SITE / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(packed) == plain
    assert b"lastmod" not in plain
    assert packed[4:8] == bytes(4)  # the time in gzip's header


def test_robots_may_read_everything_and_find_the_sitemap():
    lines = (SITE / "robots.txt").read_text("utf-8").splitlines()
    assert lines[:2] == ["User-agent: *", "Allow: /"]
    assert lines[-1] == f"Sitemap: {site_files.address('sitemap.xml')}"


# README


def test_the_files_that_the_readme_links_to_exist():
    text = (ROOT / "README.md").read_text("utf-8")
    text = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S)
    for target in re.findall(r"(?<=\]\()[^)\s]+|(?<=href=\")[^\"]+|(?<=src=\")[^\"]+", text):
        path = ROOT / target.partition("#")[0]
        assert target.startswith("https://") or path.exists(), target


# Addresses that people may have linked to; what stood there has moved or has another heading.
FORMER = {
    "beyond/index.html": "fig-grid-similarity",
    "faq/index.html": "formula waves attention model libraries precision",
    "why-order/index.html": "four-attempts-that-fail fig-counter-and-columns fig-distance-by-code",
}


def test_former_anchors_still_lead_somewhere():
    for name, wanted in FORMER.items():
        assert set(wanted.split()) <= set(ids(page(name))), name
