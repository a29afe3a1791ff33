"""A line below the title of a page: how long it takes to read, and what it builds on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html import escape
from html.parser import HTMLParser

from scripts.files import PageError
from scripts.pages import contents, tags

WORDS_PER_MINUTE = 140  # by readers who follow an argument; they read novels faster
SECONDS = {
    "span.math": 2,
    ".math-block": 30,
    "figure": 30,
    "tbody tr": 3,
    "pre": 3,  # for each line
}
_NO_WORDS = {"math", "pre", "table", "svg", "script", "style", "button"}
_NO_WORDS_CLASSES = {"pf-links", "headerlink"}


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


@cache
def minutes(html: str) -> tuple[int, int]:
    """How long a page takes to read without its folds, and how much longer with them."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    path, whole = reader.time(folds=False), reader.time(folds=True)
    return max(1, round(path / 60)), round((whole - path) / 60)


class _Reader(HTMLParser):
    """Collects the words and the code of a page, and the seconds that its other parts take."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[tuple[str, bool]] = []  # the name of an element, and whether it has words
        self.words: list[tuple[str, bool]] = []  # and whether they are in a fold
        self.code: list[tuple[str, bool]] = []
        self.seconds: list[tuple[float, bool]] = []

    def time(self, *, folds: bool) -> float:
        """The seconds for the page, with or without its folds."""

        def text(parts: list[tuple[str, bool]]) -> str:
            return "".join(part for part, folded in parts if folds or not folded)

        lines = sum(bool(line.strip()) for line in text(self.code).splitlines())
        words = 60 * len(text(self.words).split()) / WORDS_PER_MINUTE
        others = sum(seconds for seconds, folded in self.seconds if folds or not folded)
        return others + SECONDS["pre"] * lines + words

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = set((dict(attrs).get("class") or "").split())
        if tag not in tags.VOID:
            around = not self.opened or self.opened[-1][1]
            said = tag not in _NO_WORDS and not classes & _NO_WORDS_CLASSES
            self.opened.append((tag, around and said))
        if tag == "pre":
            self.code.append(("\n", self._within("details")))
        elif tag != "tr" or self._within("tbody"):
            names = {f"{tag}.{name}" for name in classes} | {f".{name}" for name in classes}
            names.add("tbody tr" if tag == "tr" else tag)
            each = sum(seconds for part, seconds in SECONDS.items() if part in names)
            self.seconds.append((each, self._within("details")))

    def handle_endtag(self, tag: str) -> None:
        if self._within(tag):
            while self.opened.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self.opened or self.opened[-1][1]:
            self.words.append((data, self._within("details")))
        elif self._within("pre"):
            self.code.append((data, self._within("details")))

    def _within(self, tag: str) -> bool:
        return any(one == tag for one, _ in self.opened)


def listed(parts: list[str]) -> str:
    """`parts` as a list in a sentence.

    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
