"""Figures that travel: the page that other sites embed, and how to cite a figure or a page."""

from __future__ import annotations

import json
from html import unescape
from urllib.parse import urljoin

import pytest
import yaml
from lxml import etree
from PIL import Image
from playwright.sync_api import expect

import posenc
from scripts import figures
from scripts.files import ROOT
from scripts.pages import citation, contents, embed
from tests import page_text, site_files, test_site
from tests.browsing import NARROW, WIDE, script, wait_until
from tests.page_actions import assert_no_overflow, expect_live, expect_still, load_axe
from tests.page_text import SITE, gzipped

HOST = "https://a.example/posenc/"
ONE = "embed/heatmap/index.html"


def notebook_figures():
    """The page of each figure of a notebook, and its id there, by the name of its embed page."""
    for file in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        cells = json.loads(file.read_text("utf-8"))["cells"]
        for number in range(1, 1 + sum("figure" in cell["metadata"] for cell in cells)):
            yield f"{file.stem}-figure-{number}", (f"notebooks/{file.stem}/", f"figure-{number}")


OF_NOTEBOOKS = dict(notebook_figures())
NAMES = [*figures.names(), *OF_NOTEBOOKS]
SUFFIXES = ".csv", ".svg", ".png", ".py.txt"


def path(name):
    return f"embed/{name}/index.html"


def anchor(name):
    return OF_NOTEBOOKS[name][1] if name in OF_NOTEBOOKS else contents.anchor(name)


def text(element):
    return "".join(element.itertext())


# The files


def test_every_figure_has_a_page_to_embed_and_nothing_else_has():
    assert OF_NOTEBOOKS
    files = {one.relative_to(SITE).as_posix() for one in (SITE / "embed").rglob("*.*")}
    assert files == set(map(path, NAMES))


def strays(page):
    """An embed page shows its figure as the page does and leads back to it."""
    name = page.split("/")[1]
    root = page_text.parsed(SITE / page)
    (back,) = root.xpath("//p[@class='place']/a[@target]")
    target, _, fragment = urljoin(site_files.address(page), back.get("href")).partition("#")
    place = site_files.file(target)
    (shown,) = root.xpath("//div[@class='pf']")
    (original,) = page_text.parsed(place).xpath(f"//div[@id='{anchor(name)}']")
    stem = target if name in OF_NOTEBOOKS else f"{site_files.site_url()}figures/{name}"
    own = [f"{anchor(name)}.svg", f"{anchor(name)}.png"] if name in OF_NOTEBOOKS else SUFFIXES
    links = {urljoin(target, link) for link in original.xpath(".//details//a/@href")}
    captions = [text(figure.find("figure/figcaption")).split() for figure in (shown, original)]
    pictures = [etree.tostring(next(figure.iter("svg"))) for figure in (shown, original)]
    is_right = {
        "files": {stem + end for end in own} | {site_files.address(page) + "#share"} <= links,
        "address": root.xpath("//link[@rel='canonical']/@href") == [target],
        "anchor": fragment == anchor(name),
        "page": name not in OF_NOTEBOOKS or target.endswith(OF_NOTEBOOKS[name][0]),
        "picture": pictures[0] == pictures[1],
        "caption": captions[0] == captions[1],
        "script": shown.get("data-bundle") == original.get("data-bundle"),
        "sliders": not shown.xpath(".//input"),  # only the other page has their script
        "robots": root.xpath("//meta[@name='robots']/@content") == ["noindex"],
    }
    yield from (what for what, holds in is_right.items() if not holds)


def caught_links(page):
    """Links leave the frame, except the one that opens the share."""
    for link in page_text.parsed(SITE / page).iter("a"):
        if link.get("target") != (None if link.get("href") == "#share" else "_blank"):
            yield link.get("href")


def heavy_loads(page):
    """An embed page is light, and loads one script, and a font if it has maths."""
    html, loaded = gzipped((SITE / page).read_bytes()), test_site.loaded_at_once(page)
    if html > 12_000 or html + test_site.weight(loaded.values()) > 60_000:
        yield html, test_site.weight(loaded.values())
    font = "assets/vendor/stix-two-math.woff2"
    needs_font = page_text.parsed(SITE / page).xpath("boolean(//math)") and (SITE / font).is_file()
    found = {key for key in loaded if key.endswith((".js", ".woff2"))}
    if found != {"assets/site/figures.js", *[font] * needs_font}:
        yield found


def wrong_shares(page):
    """An embed page says how to embed and cite the figure."""
    name, root = page.split("/")[1], page_text.parsed(SITE / page)
    title = root.xpath("string(//div[@class='pf']//svg/title)")
    frame, *cited = [text(pre) for pre in root.xpath("//section[@id='share']//pre")]
    address = f"{embed.repository.site() or '/'}embed/{name}/"
    start = f'<iframe src="{address}" title="{title}" width="100%" height="'
    place = root.xpath("//link[@rel='canonical']/@href")[0].removeprefix(site_files.site_url())
    made = citation.citation(title, f"{place}#{anchor(name)}", kind="Figure")
    if not frame.startswith(start) or cited != [made.bibtex, made.plain]:
        yield frame, *cited


@pytest.mark.parametrize("name", NAMES)
def test_an_embed_page_has_no_faults(name):
    own = [strays, caught_links, heavy_loads, wrong_shares]
    assert test_site.faults(path(name), [*test_site.OF_ANY_PAGE, *own]) == []


def test_the_pictures_of_notebooks_to_download_are_twice_as_large_and_opaque():
    for url, anchor in OF_NOTEBOOKS.values():
        (figure,) = page_text.pages()[f"{url}index.html"].xpath(f"//div[@id='{anchor}']")
        links = figure.xpath(".//details//a/@href")
        assert (f"{anchor}.json" in links) == (figure.get("data-bundle") is not None)
        (svg,) = figure.iter("svg")
        points = [float(length) for length in svg.get("viewBox").split()[2:]]
        with Image.open(SITE / url / f"{anchor}.png") as opened:
            assert opened.size == tuple(round(2 * 96 / 72 * length) for length in points)
            assert opened.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


# Citations


HOME = "posenc: the Transformer's positional encoding, explained and checked"
CITED = [  # title, path and kind; the key, and the title in BibTeX and in a line
    ("Does it reach?", "waves/", "", "posenc-waves", "Does it reach?", "Does it reach?"),
    ("Home", "./", "", "posenc", HOME, f"{HOME}."),
    (
        *("50 % of R&D, a_b?", "waves/#fig-clock-hands", "Figure", "posenc-waves-fig-clock-hands"),
        *(r"50 \% of R\&D, a\_b?", "50 % of R&D, a_b? [Figure]."),
    ),
]


@pytest.mark.parametrize("site", [HOST, ""])
def test_a_citation_has_the_version_and_the_date_of_the_release_and_the_address(site, monkeypatch):
    monkeypatch.setenv("SITE_URL", site.rstrip("/"))
    day = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["date-released"]
    assert f"## {posenc.__version__} ({day})" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    release = f"posenc, version {posenc.__version__}"
    for title, path, kind, key, bibtex, plain in CITED:
        address = f"{site}{path}" if site else ""
        url = f"  url = {{{address}}},\n" if site else ""
        made = citation.citation(title, path, kind=kind)
        dated = f"{release} ({day:%-d %B %Y}). {address}".strip()
        assert made.plain == f"The posenc authors ({day.year}). {plain} In: {dated}"
        assert made.bibtex == (
            f"@misc{{{key},\n  author = {{{{the posenc authors}}}},\n  title = {{{bibtex}}},\n"
            f"  howpublished = {{{'Figure in ' if kind else ''}{release}}},\n"
            f"  year = {day.year},\n  month = {f'{day:%b}'.lower()},\n{url}}}"
        )


def test_every_page_says_how_to_cite_it():
    for page in contents.pages():
        made = citation.citation(page.title, page.url)
        html = unescape((SITE / page.url / "index.html").read_text("utf-8"))
        assert made.bibtex in html, page.url
        assert made.plain in html, page.url


def test_a_published_site_gives_whole_addresses(monkeypatch):
    monkeypatch.setenv("SITE_URL", HOST.rstrip("/"))
    page = unescape(embed.pages(SITE)[ONE].decode())
    assert f'<iframe src="{HOST}embed/heatmap/" title=' in page
    assert f"url = {{{HOST}encoding-matrix/#fig-heatmap}}" in page


# In the browser


def framed(page, name, *, width=720):
    """The frame of the figure's embed page in another page, as its own words say to embed it."""
    share = page_text.parsed(SITE / path(name)).xpath("//section[@id='share']//pre")
    code = text(share[0])
    code = code.replace('src="', f'src="{site_files.address(path(name))}" data-was="', 1)
    page.set_content(f'<p>A blog.</p><div style="width:{width}px">{code}</div>')
    frame = page.frame_locator("iframe")
    expect(frame.locator("h1")).to_be_visible()
    frame.locator(":root").evaluate(script("page.js", "loaded"))  # with its stylesheet
    return frame


@pytest.mark.browser
def test_a_figure_in_a_frame_is_still_until_the_reader_presses_its_button(visit):
    one = visit("404.html")
    one.requested.clear()
    frame = framed(one.page, "heatmap")
    figure = frame.locator(".pf")
    expect(figure.locator("button")).to_be_visible()
    expect_still(figure)
    assert not [url for url in one.requested if "plot" in url or "figures/" in url]
    figure.locator("button").click()
    expect_live(figure)
    assert [url for url in one.requested if url.endswith("figures/heatmap.json")]
    assert all(site_files.file(url) for url in one.requested)


@pytest.mark.browser
@pytest.mark.thorough
def test_each_frame_has_the_height_that_its_figure_needs(visit):
    page = visit("404.html").page
    for name in NAMES:
        frame = framed(page, name).locator(":root")
        needed = frame.evaluate("root => root.querySelector('main').getBoundingClientRect().bottom")
        assert 0 <= frame.evaluate("root => root.clientHeight") - needed <= 90, name


@pytest.mark.browser
def test_axe_finds_no_violation_on_an_embed_page_whose_colours_follow_the_system(visit):
    page = visit("404.html").page
    page.goto(f"{site_files.address(path('distances'))}#share")
    load_axe(page)
    page.locator(".pf-links button").click()
    expect_live(page.locator(".pf"))
    seen = {}
    for scheme, size in (("light", WIDE), ("dark", NARROW)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        assert page.evaluate(script("page.js", "violations"), "html") == [], scheme
        assert_no_overflow(page)
        wait_until(page, script("figures.js", "recoloured"))
        seen[scheme] = page.evaluate(script("figures.js", "colours"))
    for kind in ("text", "fonts", "traces"):
        assert seen["light"][kind], kind
        assert all(a != b for a, b in zip(seen["light"][kind], seen["dark"][kind], strict=True))


@pytest.mark.browser
def test_without_javascript_an_embed_page_has_its_picture_and_its_words(visit):
    page = visit("404.html", java_script_enabled=False).page
    page.goto(site_files.address(ONE))
    expect(page.locator(".pf-stage > svg")).to_be_visible()
    expect(page.locator("button:visible, #share:visible")).to_have_count(0)
    page.get_by_role("link", name="Embed or cite").click()
    expect(page.locator("#share pre").first).to_be_visible()
    expect(page.locator(":is(.pf-links, .place) a:visible").first).to_be_visible()
