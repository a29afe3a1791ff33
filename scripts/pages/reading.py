"""A line below the title of a page: how long it takes to read, and what it builds on."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from html import escape

from bs4 import BeautifulSoup

from scripts.files import PageError
from scripts.pages import contents

WORDS_PER_MINUTE = 140  # by readers who follow an argument; they read novels faster
SECONDS = {
    "span.math": 2,
    ".math-block": 30,
    "figure": 30,
    "tbody tr": 3,
    "pre": 3,  # for each line
}
_NO_WORDS = "math, pre, table, svg, script, style, button, .pf-links, .headerlink"


def with_line(html: str, page: str, needs: list[str], address: Callable[[str], str]) -> str:
    """`html` of `page` with the line below its title.

    `needs` has earlier pages of the course by their names, or else words. `address` turns the
    name of a page into a link.
    """
    titles = {known.name: known.title for known in contents.pages()}
    names = list(titles)
    if page not in names:
        raise PageError(f"{page} needs other pages, so it must be in nav in mkdocs.yml", "needs")
    shown = []
    for need in needs:
        if not need.endswith(".md"):
            shown.append(escape(need, quote=False))
        elif need in names[: names.index(page)]:
            shown.append(f'<a href="{address(need)}">{titles[need]}</a>')
        else:
            raise PageError(f"{need} is no page before {page}", need)
    line = f"{time(*minutes(html))} to read. Builds on {listed(shown)}."
    below = f'</h1>\n<header class="reading" data-search-exclude>{line}</header>'
    return html.replace("</h1>", below)


def time(path: int, folds: int) -> str:
    """The minutes of a page in words.

    >>> time(9, 4)
    '9 minutes, and 4 more for all folds,'
    """
    more = f", and {folds} more for all folds," if folds else ""
    return f"{path} minute{'s' * (path != 1)}{more}"


def minutes(html: str) -> tuple[int, int]:
    """How long a page takes to read without its folds, and how much longer with them."""
    soup = BeautifulSoup(html, "html.parser")
    whole = _seconds(soup)
    for fold in soup.select("details:not(details details)"):
        fold.decompose()
    path = _seconds(soup)
    return max(1, round(path / 60)), round((whole - path) / 60)


def _seconds(page: BeautifulSoup) -> float:
    """The time for the words of a page, and SECONDS for each of its other parts."""
    soup, seconds = copy(page), 0.0
    for part, each in SECONDS.items():
        found = soup.select(part)
        lines = (line for code in found for line in code.get_text().splitlines() if line.strip())
        seconds += each * (len(list(lines)) if part == "pre" else len(found))
    for element in soup.select(_NO_WORDS):
        element.decompose()
    return seconds + 60 * len(soup.get_text().split()) / WORDS_PER_MINUTE


def listed(parts: list[str]) -> str:
    """`parts` as a list in a sentence.

    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
