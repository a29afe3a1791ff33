"""The built site as files: links, ids, other hosts, headings, weights, search index, sitemap."""

from __future__ import annotations

import gzip
import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import urljoin, urlsplit

import pytest

from scripts.files import ROOT
from tests import page_text, site_files
from tests.browsing import missing
from tests.page_text import SITE, gzipped

KILO = 1000  # not 1024: the stricter meaning of kB

# Attributes with an address, and attributes with ids of the same page.
_ADDRESS = {"href", "src", "poster", "action", "formaction", "data", "background", "manifest"}
_IDS = {"for", "list", "headers", "form", "aria-labelledby", "aria-describedby"} | {
    f"aria-{name}" for name in ("controls", "owns", "details", "flowto", "activedescendant")
}
_ELSEWHERE = re.compile(r"(?:https?:|wss?:|[\"'`(=\s])//[\w.-]+\.\w", re.IGNORECASE)
_NAMESPACE = re.compile(r"""\bxmlns(?::\w+)?=(['"]).*?\1|"\$schema": ".*?\"""")


def built_pages():
    return page_text.names() or ["index.html"]  # without a site, the tests fail and say what to do


each_page = pytest.mark.parametrize("name", built_pages())
each_listed_page = pytest.mark.parametrize("name", [n for n in built_pages() if n != "404.html"])


def page(name):
    return page_text.parsed(SITE / name)


def attributes(element):
    """Names without namespaces: an SVG's `xlink:href` is an `href`."""
    return {key.rpartition("}")[2]: value for key, value in element.attrib.items()}


def elements(root):
    return [element for element in root.iter() if isinstance(element.tag, str)]


def ids(root):
    return [element.get("id") for element in elements(root) if "id" in element.attrib]


def referred(root, name):
    """(element, address) of each link of the page and of each file that it loads."""
    base = site_files.address(name)
    for element in elements(root):
        for key, value in attributes(element).items():
            if key in _ADDRESS and not (key == "data" and element.tag != "object"):
                yield element, value if value.startswith("data:") else urljoin(base, value.strip())
            if key in ("srcset", "imagesrcset"):
                for part in value.split(","):
                    yield element, urljoin(base, part.split()[0])


@cache
def anchors(path):
    return set(ids(page_text.parsed(path)))


# Links and ids


@each_page
def test_every_link_and_resource_of_a_page_is_there(name):
    for element, url in referred(page(name), name):
        if url.startswith("data:"):
            assert element.tag in ("image", "img"), url[:60]
        elif element.tag == "a" and site_files.is_elsewhere(url):
            assert url.startswith("https://"), url
        elif not (element.tag == "form" and not element.get("action")):
            path = site_files.file(url)
            assert path, f"{name}: <{element.tag}> refers to {url}, which is not in the site"
            anchor = urlsplit(url).fragment
            if anchor and path.suffix == ".html":
                assert anchor in anchors(path), f"{name}: no #{anchor} in {path.relative_to(SITE)}"


@each_page
def test_the_page_requests_nothing_from_another_host(name):
    for element, url in referred(page(name), name):
        if element.tag != "a":
            assert not site_files.is_elsewhere(url) or url.startswith("data:"), url
        assert not element.get("ping")
    for element in elements(page(name)):
        if element.tag in ("script", "style") and element.get("type") != "application/ld+json":
            assert not _ELSEWHERE.search(element.text or ""), element.text
        assert not _ELSEWHERE.search(element.get("style", ""))
        assert element.tag not in ("iframe", "embed", "object", "base")
        assert element.get("http-equiv") in (None, "Content-Security-Policy")
    # Material's script contains requests to api.github.com and unpkg.com. It makes them only on a
    # page with one of these elements.
    assert not page(name).xpath("//*[@data-md-component='source' or contains(@class, 'mermaid')]")


@each_page
def test_ids_are_unique_and_references_to_them_resolve(name):
    found = ids(page(name))
    assert sorted(found) == sorted(set(found))
    for element in elements(page(name)):
        for key, value in attributes(element).items():
            if key in _IDS and element.tag != "mo":  # MathML's `form` is prefix, infix or postfix
                assert set(value.split()) <= set(found), f"<{element.tag} {key}={value!r}>"
            for target in re.findall(r"url\(['\"]?#([^'\")]+)", value):
                assert target in found, f"<{element.tag} {key}={value!r}>"


@each_page
def test_every_button_link_and_picture_has_a_name(name):
    for element in elements(page(name)):
        if element.tag in ("a", "button"):
            text = "".join([*element.itertext(), *element.xpath(".//img/@alt")]).strip()
            assert text or element.get("aria-label") or element.get("title"), element.attrib
        if element.tag == "img":
            assert element.get("alt") is not None
        if element.tag == "svg" and element.get("role") == "img":
            assert element.get("aria-labelledby") or element.get("aria-label")


# Other hosts, in the files that pages load


def own_files(ending):
    """The project's files, without Material's scripts and styles and Plotly's bundles.

    Those name hosts in licences and in features that are off. The tests in the browser show that
    they request nothing from them.
    """
    theirs = ("assets/javascripts/", "assets/stylesheets/", "assets/vendor/", "assets/images/")
    found = {path.relative_to(SITE).as_posix(): path for path in SITE.rglob(f"*{ending}")}
    return [path for name, path in sorted(found.items()) if not name.startswith(theirs)]


@pytest.mark.parametrize("ending", [".js", ".css", ".svg", ".json"])
def test_no_file_of_this_project_names_another_host(ending):
    found = own_files(ending)
    assert found
    for path in found:
        if path.name == "search_index.json":
            continue  # prose: the pages' links to papers are in it
        text = _NAMESPACE.sub("", path.read_text("utf-8"))
        assert not _ELSEWHERE.search(text), f"{path.name}: {_ELSEWHERE.search(text)}"


def test_every_url_and_import_in_a_stylesheet_is_data_or_a_file():
    sheets = sorted(SITE.rglob("*.css"))
    assert len(sheets) >= 3
    for sheet in sheets:
        text = sheet.read_text("utf-8")
        assert "@import" not in text
        quoted = r"url\(\s*(?:\"([^\"]*)\"|'([^']*)'|([^)'\"]*))\s*\)"
        for url in map("".join, re.findall(quoted, text)):
            assert url.startswith(("data:", "#")) or (sheet.parent / url).is_file(), url[:80]


def test_every_import_of_a_script_leads_to_a_file():
    named = (root.xpath("//@data-live") for root in page_text.pages().values())
    parts = sorted(set().union(*named))  # live.js loads these by name
    assert len(parts) >= 8
    for path in own_files(".js"):
        code = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", path.read_text("utf-8"), flags=re.S | re.M)
        for target in re.findall(r"\b(?:from|import)\s*\(?\s*[\"'`]([^\"'`]+)", code):
            assert target.startswith(("./", "../"))
            for part in parts if "${" in target else [""]:
                found = path.parent / re.sub(r"\$\{.+\}", part, target)
                assert found.is_file(), f"{path.name}: {target} {part}"


# Head and headings


@each_listed_page
def test_the_head_says_what_and_where_the_page_is(name):
    root = page(name)
    assert root.get("lang") == "en"
    assert [link.get("href") for link in root.xpath("//link[@rel='canonical']")] == [
        site_files.address(name)
    ]
    assert len(root.xpath("//head/title")) == len(root.xpath("//meta[@name='viewport']")) == 1


@each_listed_page
def test_no_stylesheet_waits_behind_the_sites_scripts(name):
    """Else browsers paint the header first, and lay out the page while the reader waits."""
    head = page(name).find("head")
    links = head.xpath("./link[@rel='stylesheet']")
    _, *ours = head.xpath("./script")  # the theme's script takes 0.3 kB
    assert ours
    assert len(links) == len(ours[0].xpath("preceding-sibling::link[@rel='stylesheet']"))


@each_listed_page
def test_structured_data_says_what_the_page_says(name):
    root = page(name)
    (text,) = root.xpath("//script[@type='application/ld+json']/text()")
    said = json.loads(text)
    (description,) = root.xpath("//meta[@name='description']/@content")
    (address,) = root.xpath("//link[@rel='canonical']/@href")
    assert (said["description"], said["url"]) == (description, address)
    assert said["@context"] == "https://schema.org"
    if name == "index.html":
        assert (said["@type"], said["name"]) == ("SoftwareSourceCode", "posenc")
        assert said["license"].endswith("/MIT")
    else:
        assert said["@type"] == "TechArticle"
        assert root.findtext(".//title") == f"{said['headline']} - {said['isPartOf']['name']}"


def test_no_two_pages_share_a_title_or_a_description():
    seen = [
        (root.findtext(".//title"), root.xpath("//meta[@name='description']/@content"))
        for name, root in page_text.pages().items()
    ]
    assert all(title.strip() and len(texts) == 1 and texts[0].strip() for title, texts in seen)
    assert len({title for title, _ in seen}) == len(seen)
    assert len({texts[0] for _, texts in seen}) == len(seen)


@each_page
def test_a_page_has_one_h1_first_and_no_heading_skips_a_level(name):
    headings = [
        element
        for element in elements(page_text.article(page(name)))
        if re.fullmatch("h[1-6]", element.tag)
    ]
    levels = [int(heading.tag[1]) for heading in headings]
    assert levels[0] == 1
    assert len(page(name).xpath("//h1")) == levels.count(1) == 1
    jumps = [
        h
        for h, before, level in zip(headings[1:], levels, levels[1:], strict=False)
        if level > before + 1
    ]
    assert not jumps, "".join(jumps[0].itertext())
    assert all("".join(heading.itertext()).strip() for heading in headings)


# Weights, as a server with gzip sends them


def loaded_at_once(name):
    """The files of the site that the page's head and scripts load, by their path below site/."""
    kinds = "@rel='stylesheet' or @rel='icon' or @rel='preload' or @rel='modulepreload'"
    wanted = page(name).xpath(f"//link[{kinds}][not(ancestor::noscript)]/@href")
    wanted += page(name).xpath("//script/@src")
    found = [site_files.file(urljoin(site_files.address(name), url)) for url in wanted]
    return {path.relative_to(SITE).as_posix(): path for path in found}


def weight(paths):
    return sum(p.stat().st_size if p.suffix == ".woff2" else gzipped(p.read_bytes()) for p in paths)


def is_ours(path):
    return re.fullmatch(
        r"assets/(site|home|maths|explorer|sliders|identify|form|models?|config|gallery|clocks"
        r"|retune)/[\w.-]+",
        path,
    )


@cache
def imports(module, pattern):
    """The modules that `module`, a path below assets/, imports, itself among them."""
    code = (SITE / "assets" / module).read_text("utf-8")
    named = re.findall(pattern + r' ?\(?"(\.[\w./-]+)"', code)
    found = {normpath(join(dirname(module), name)) for name in named}
    return frozenset({module}.union(*(imports(other, pattern) for other in found)))


def live_modules(name, which="//@data-live"):
    """The modules that the live parts of the page need."""
    parts = {f"{part}.js" for part in page(name).xpath(which)}
    return frozenset().union(*(imports(part, r"\bfrom") for part in parts))


@each_page
def test_every_module_that_a_page_needs_at_once_is_preloaded(name):
    preloaded = page(name).xpath("//link[@rel='modulepreload']/@href")
    needed = live_modules(
        name, "//@data-live[not(starts-with(., 'sliders/') or starts-with(., 'ask/'))]"
    )  # live.js loads those later
    assert {path.partition("assets/")[2] for path in preloaded} == needed


def test_the_explorer_with_its_downloads_is_light():
    everywhere = {"site/figures.js", "site/expressions.js", "site/live.js"}
    names = everywhere | imports("explorer/start.js", r"\b(?:from|import)")
    assert "explorer/download.js" in names
    assert weight(SITE / "assets" / name for name in names) <= 22 * KILO


@each_page
def test_a_page_is_light(name):
    html = gzipped((SITE / name).read_bytes())
    loaded = loaded_at_once(name)
    scripts = [path for key, path in loaded.items() if is_ours(key) and path.suffix == ".js"]
    styles = [path for key, path in loaded.items() if is_ours(key) and path.suffix == ".css"]
    assert html <= 34 * KILO, f"HTML {html}"
    assert scripts
    live = {SITE / "assets" / module for module in live_modules(name)}
    most = {"explorer/index.html": 20, "retune/index.html": 13}.get(name, 9.8)
    assert weight(live.union(scripts)) <= most * KILO, f"scripts {weight(live.union(scripts))}"
    assert styles
    assert weight(styles) <= 6.6 * KILO, f"styles {weight(styles)}"
    whole = html + weight(loaded.values())
    assert whole <= 120 * 1024, f"page before interaction {whole}"
    assert not any("plotly" in path for path in loaded)


@each_page
def test_the_figures_of_a_page_are_light(name):
    text = (SITE / name).read_text("utf-8")
    drawings = re.findall(r"<svg data-search-exclude.*?</svg>", text, flags=re.S)
    figures = page(name).xpath("//div[@class='pf']")
    assert len(drawings) == len(figures)
    for drawing, figure in zip(drawings, figures, strict=True):
        assert gzipped(drawing) <= 12 * KILO, figure.get("id")


@each_page
def test_a_figure_begins_with_a_claim_and_explains_it_in_at_most_30_words(name):
    for shown in page(name).xpath("//div[@class='pf']//figcaption"):
        caption = deepcopy(shown)
        for formula in caption.iter("math"):  # it counts as a word
            formula.clear(keep_tail=True)
            formula.text = "x"
        claim, words = ("".join(part.itertext()) for part in (caption[0], caption))
        assert caption[0].tag == "strong", words
        assert words.startswith(claim)
        assert 4 <= len(claim.split()) <= 22, words
        assert len(words.removeprefix(claim).split()) <= 30, words


def test_the_maths_font_is_light():
    font = SITE / "assets" / "vendor" / "stix-two-math.woff2"
    if not font.is_file():
        missing("built without npm: no maths font")
    assert weight([font]) <= 26 * KILO


@each_page
def test_a_page_asks_for_its_maths_font_before_any_stylesheet(name):
    first, *others = page(name).xpath("//link[@rel='preload' or @rel='stylesheet']/@rel")
    font = SITE / "assets" / "vendor" / "stix-two-math.woff2"
    if font.is_file() and page(name).xpath("//math"):
        assert first == "preload"
    assert "preload" not in others


@each_page
def test_browsers_wait_for_the_last_element_of_a_page_before_they_paint(name):
    (target,) = page(name).xpath("//head/link[@rel='expect'][@blocking='render']/@href")
    (found,) = page(name).xpath(f"//body//*[@id='{target.removeprefix('#')}']")
    later = found.xpath("following::*")
    assert {element.tag for element in later} <= {"script"}


@each_page
def test_the_files_of_an_interactive_figure_are_light(name):
    for figure in page(name).xpath("//div[@class='pf'][@data-bundle]"):
        bundle = SITE / "assets" / "vendor" / figure.get("data-bundle")
        assert bundle.is_file()
        link = figure.xpath(".//a[contains(@href, '.csv') or contains(@href, '.json')]/@href")[0]
        data = site_files.file(urljoin(site_files.address(name), link.replace(".csv", ".json")))
        assert data, f"{figure.get('id')}: no JSON beside {link}"
        if bundle.name == "plotly.min.js":
            missing("built without npm: all of Plotly")
        budget = {"plotly-cartesian.min.js": 560, "plotly-gl3d.min.js": 600}[bundle.name]
        total = cached_weight(bundle) + weight([data])
        assert total <= budget * KILO, f"{figure.get('id')}: {total}"


@cache
def cached_weight(path):
    return weight([path])


# Search and sitemap


@cache
def search_entries():
    return json.loads((SITE / "search" / "search_index.json").read_text("utf-8"))["docs"]


@each_listed_page
def test_search_finds_the_prose_of_a_page(name):
    own = name.removesuffix("index.html")
    text = " ".join(
        e["title"] + " " + e["text"] for e in search_entries() if e["location"].split("#")[0] == own
    )
    text = " ".join(re.sub(r"<[^>]+>", " ", text).split())
    article = page_text.article(page(name))
    heading = article.xpath("string(.//h1)").replace("¶", "").strip()
    assert heading in text
    elsewhere = "@id='next' or @id='where-to-go-next'"
    for paragraph in article.xpath(f"./p[not(preceding-sibling::h2[1][{elsewhere}])]"):
        said = " ".join((paragraph.text or "").split())
        assert said in text or said == "Asked at"


def test_search_does_not_find_the_names_of_threads():
    entries = " ".join(entry["text"] for entry in search_entries())
    assert "the same table with its columns in another order" in entries
    assert "Asked at" not in entries
    assert "tensor2tensor#391" not in entries


def test_search_does_not_find_the_labels_inside_pictures():
    entries = " ".join(entry["title"] + " " + entry["text"] for entry in search_entries())
    entries = " ".join(entries.split())
    assert len(entries) > 1000
    assert "<svg" not in entries
    # Prose and tables may contain the labels of a picture; the gallery contains the titles.
    written = " ".join(
        " ".join(page(name).xpath("//article//text()[not(ancestor::svg)]"))
        for name in built_pages()
    )
    written = " ".join(written.split())
    for name in built_pages():
        for drawing in page(name).xpath("//div[@class='pf']//svg"):
            for part in ("title", "desc"):
                text = " ".join(drawing.findtext(part).split())
                assert text not in entries or text in written
            # Three tick labels in a row, as they would follow each other in the index.
            labels = [" ".join("".join(text.itertext()).split()) for text in drawing.iter("text")]
            for run in zip(labels, labels[1:], labels[2:], strict=False):
                found = " ".join(run)
                assert found not in entries or found in written, run


def test_every_search_entry_leads_somewhere():
    for entry in search_entries():
        url = urljoin(site_files.site_url(), entry["location"])
        path = site_files.file(url)
        assert path, url
        assert urlsplit(url).fragment in anchors(path) | {""}, url


def test_the_sitemap_lists_each_page_once():
    listed = [site_files.address(name) for name in built_pages() if name != "404.html"]
    assert sorted(site_files.addresses()) == sorted(listed)
    packed = (SITE / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(packed) == (SITE / "sitemap.xml").read_bytes()


def test_the_sitemap_has_no_date_which_another_day_would_change():
    assert "lastmod" not in (SITE / "sitemap.xml").read_text("utf-8")
    assert (SITE / "sitemap.xml.gz").read_bytes()[4:8] == bytes(4)  # the time in gzip's header


def test_robots_may_read_everything_and_find_the_sitemap():
    lines = (SITE / "robots.txt").read_text("utf-8").splitlines()
    assert lines[:2] == ["User-agent: *", "Allow: /"]
    assert lines[-1] == f"Sitemap: {site_files.address('sitemap.xml')}"


# README


def test_the_files_that_the_readme_links_to_exist():
    text = (ROOT / "README.md").read_text("utf-8")
    text = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S)
    targets = re.findall(r"\]\(([^)\s]+)", text) + re.findall(
        r"(?:href|src|srcset)=\"([^\"]+)", text
    )
    for target in targets:
        if urlsplit(target).scheme:
            assert target.startswith("https://"), target
        else:
            path = ROOT / Path(target.partition("#")[0] or "README.md")
            assert path.exists(), target


# Addresses that people may have linked to; what stood there has moved or has another heading.
FORMER = {
    "beyond/index.html": ["fig-grid-similarity"],
    "faq/index.html": ["formula", "waves", "attention", "model", "libraries", "precision"],
    "why-order/index.html": [
        *("four-attempts-that-fail", "fig-counter-and-columns", "fig-distance-by-code"),
    ],
}


@pytest.mark.parametrize("name", FORMER)
def test_former_anchors_still_lead_somewhere(name):
    assert set(FORMER[name]) <= set(page(name).xpath("//@id"))
