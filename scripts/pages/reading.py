"""A line below the title of a page: how long it takes to read, and what it builds on."""

from __future__ import annotations

from collections.abc import Callable
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
    count = minutes(html)
    line = f"{count} minute{'s' * (count != 1)} to read. Builds on {listed(shown)}."
    below = f'</h1>\n<header class="reading" data-search-exclude>{line}</header>'
    return html.replace("</h1>", below)


def minutes(html: str) -> int:
    """How long a page takes to read: its words, and SECONDS for each of its other parts."""
    soup = BeautifulSoup(html, "html.parser")
    seconds = 0
    for part, each in SECONDS.items():
        found = soup.select(part)
        lines = (line for code in found for line in code.get_text().splitlines() if line.strip())
        seconds += each * (len(list(lines)) if part == "pre" else len(found))
    for element in soup.select(_NO_WORDS):
        element.decompose()
    words = len(soup.get_text().split())
    return max(1, round(words / WORDS_PER_MINUTE + seconds / 60))


def listed(parts: list[str]) -> str:
    """`parts` as a list in a sentence.

    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
