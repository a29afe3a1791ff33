"""The entries of the search index: for each section its prose, its code, and readers' own words.

The search shows a sentence of `text`. It finds `code` and `words`, but does not show them. `code`
has no names that the prose of the section has too, and none of Python's own.
"""

from __future__ import annotations

import builtins
import keyword
import re
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser

from scripts.files import PageError
from scripts.pages import tags, typed_maths

PAGE = "page"  # the key of the words that belong to the whole page
_NAME = re.compile(r"[^\W\d_]\w+")
_PYTHON = {*keyword.kwlist, *filter(str.islower, dir(builtins))}  # names that tell no blocks apart
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_BLOCKS = {"p", "li", "tr", "dt", "dd", "figcaption", "summary", "div", "pre", *_HEADINGS}
_UNREAD = {"svg", "script", "style", "button"}
_UNREAD_CLASSES = {"headerlink", "pf-links", "numbers", "thumb"}  # tables of numbers, the gallery
_ELSEWHERE = {"next", "where-to-go-next"}  # sections that say what other pages are about
_THREADS = "Asked at "  # begins the names of the threads where readers asked a question


@dataclass
class Section:
    """A heading and everything up to the next one."""

    anchor: str
    title: str = ""
    text: str = ""
    code: str = ""

    def entry(self, url: str, words: str) -> dict[str, str]:
        """The section as Material's search takes it; fields without content are left out."""
        lines = (" ".join(line.split()).removesuffix(" ·") for line in self.text.split("\n"))
        prose = [line for line in lines if line and not line.startswith(_THREADS)]
        said = {name.casefold() for name in _NAME.findall(" ".join(prose))}
        names = dict.fromkeys(name for name in _NAME.findall(self.code) if name not in _PYTHON)
        fields = {
            "title": escape(" ".join(self.title.split()), quote=False),
            "text": escape("\n".join(prose), quote=False),
            "code": " ".join(name for name in names if name.casefold() not in said),
            "words": words,
        }
        location = f"{url}#{self.anchor}" if self.anchor else url
        kept = {name: text for name, text in fields.items() if text or name in ("title", "text")}
        return {"location": location, **kept}


def entries(html: str, url: str, title: str, words: dict[str, str]) -> list[dict[str, str]]:
    """The entries of a page; `words` has the readers' words for each anchor, and for PAGE."""
    reader = _Reader()
    reader.feed(typed_maths.without_mathml(html))
    reader.close()
    first, *rest = reader.sections
    first.title = first.title or title
    anchors = {PAGE, *(section.anchor for section in rest)}
    if unknown := sorted(words.keys() - anchors):
        message = f"words for the section #{unknown[0]}, which the page does not have"
        raise PageError(message, f"{unknown[0]}:", 1)
    made = [first.entry(url, words.get(PAGE, ""))]
    here = [section for section in rest if section.anchor not in _ELSEWHERE]
    made += [section.entry(url, words.get(section.anchor, "")) for section in here]
    return [made[0]] + [entry for entry in made[1:] if entry["text"] or len(entry) > 3]


@dataclass
class _Open:
    """An element that has begun."""

    tag: str
    unread: bool
    code: bool
    heading: bool


class _Reader(HTMLParser):
    """Divides a page into sections."""

    def __init__(self) -> None:
        super().__init__()
        self.sections = [Section("")]
        self.opened = [_Open("", unread=False, code=False, heading=False)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in tags.VOID:
            self.handle_data("" if tag == "wbr" else " ")
            return
        classes = set((given.get("class") or "").split())
        around = self.opened[-1]
        unread = tag in _UNREAD or "data-search-exclude" in given or classes & _UNREAD_CLASSES
        heading = tag in _HEADINGS and not around.unread
        if heading and tag != "h1":
            if not given.get("id"):
                begun = self.get_starttag_text() or ""
                raise PageError("a heading in HTML needs an id, which the search links to", begun)
            self.sections.append(Section(str(given["id"])))
        self._break(tag)
        self.opened.append(
            _Open(tag, around.unread or bool(unread), around.code or tag == "pre", heading)
        )

    def handle_endtag(self, tag: str) -> None:
        if any(one.tag == tag for one in self.opened):
            while self.opened.pop().tag != tag:
                pass
        self._break(tag)
        if tag in ("td", "th"):
            self.handle_data(" · ")

    def handle_data(self, data: str) -> None:
        inside, section = self.opened[-1], self.sections[-1]
        if inside.unread:
            return
        if any(one.heading for one in self.opened):
            section.title += data
        elif inside.code:
            section.code += data
        else:
            section.text += data.replace("\n", " ")

    def _break(self, tag: str) -> None:
        """Start a line where a block begins or ends, so that sentences do not run together."""
        if tag in _BLOCKS:
            self.sections[-1].text += "\n"
