"""A small page for each figure, which other sites show in an iframe.

It takes the figure from the finished page that shows it, with all its words and numbers.
"""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path
from urllib.parse import urljoin

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from scripts.browser.vendor import MATH_FONT
from scripts.files import ROOT
from scripts.pages import contents, figure_list, policy, repository
from scripts.pages.citation import citation
from scripts.pages.theme import lighter
from scripts.render import palette

_SITE = "https://site/"  # any address will do
_TOP = "../../"  # the site, seen from embed/heatmap/
_THEME = ROOT / "scripts" / "pages" / "theme" / "templates"
_FIGURE = re.compile(r'<div class="pf" id="([^"]+)"')
_HREF = re.compile(r'(?<=<a )([^>]*?)href="([^"]*)"')
# Parts that work only on the figure's own page: links to its place there, and sliders.
_AT_HOME = re.compile(
    r"""<a [^>]*>(?:Embed or cite|Permalink)</a>"""
    r"""|<div class="sliders-panel".*?role="status"></div>\s*</div>""",
    re.DOTALL,
)


def pages(site: Path) -> dict[str, bytes]:
    """The embed pages of the figures on the pages in the folder `site`, by their paths there."""
    environment = Environment(
        loader=FileSystemLoader(_THEME), autoescape=True, undefined=StrictUndefined
    )
    template = environment.get_template("embed.html")
    made = {}
    for name, (place, anchor) in figures(site).items():
        html = (site / place.url / "index.html").read_text("utf-8")
        page = template.render(_content(name, place, anchor, html))
        made[f"embed/{name}/index.html"] = policy.with_policy(lighter.lighter(page)).encode()
    return made


def figures(site: Path) -> dict[str, tuple[contents.Page, str]]:
    """The page of each figure and its id there: those of modules, then those of notebooks."""
    found = {
        name: (figure_list.place(places), contents.anchor(name))
        for name, places in figure_list.shown().items()
    }
    for place in contents.pages():
        if place.path.suffix == ".ipynb":
            html = (site / place.url / "index.html").read_text("utf-8")
            for anchor in _FIGURE.findall(html):
                found[f"{place.path.stem}-{anchor}"] = place, anchor
    return found


def _content(name: str, place: contents.Page, anchor: str, html: str) -> dict[str, object]:
    """The variables of theme/embed.html; `html` is the finished page `place`."""
    figure = _between(html, rf'<div [^>]*id="{anchor}"[^>]*>.*?</figure>.*?</div>\s*</div>')
    title = unescape(_between(figure, r"(?<=>)[^<]*(?=</title>)"))
    return {
        "title": title,
        "figure": _elsewhere(_AT_HOME.sub("", figure), place.url),
        "place": place,
        "address": f"{_TOP}{place.url}#{anchor}",
        "canonical": unescape(_between(html, r'(?<=<link rel="canonical" href=")[^"]*')),
        "frame": repository.site() or "/",
        "path": f"embed/{name}/",
        "height": _height(figure, title),
        "citation": citation(title, f"{place.url}#{anchor}", kind="Figure"),
        "maths": "<math" in figure and MATH_FONT.is_file(),
        "top": _TOP,
        "light": palette.style(palette.LIGHT),
        "dark": palette.style(palette.DARK),
    }


def _height(figure: str, title: str) -> int:
    """The pixels that the embed page of `figure` needs if it is 720 wide, and some to spare."""
    ((across, down),) = re.findall(r'viewBox="\S+ \S+ (\S+) ([^"\s]+)"', figure)
    caption = re.sub(r"<[^>]*>", "", _between(figure, r"<figcaption>.*?</figcaption>"))
    lines = 22 * (len(unescape(caption)) // 85 + 1) + 24 * (len(title) // 64 + 1)
    return round(696 * float(down) / float(across)) + lines + 115


def _elsewhere(figure: str, url: str) -> str:
    """`figure`, from the page at `url`, with links that leave the frame and work from its page."""

    def link(match: re.Match[str]) -> str:
        target = urljoin(_SITE + url, unescape(match[2]))
        if target.startswith(_SITE):
            target = _TOP + target.removeprefix(_SITE)
        return f'{match[1]}href="{escape(target)}" target="_blank"'

    return _HREF.sub(link, figure)


def _between(html: str, pattern: str) -> str:
    found = re.search(pattern, html, re.DOTALL)
    assert found, pattern
    return found[0]
