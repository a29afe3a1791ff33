"""What the social card of each page says, and which figure it shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from scripts import figures, files
from scripts.files import BuildError
from scripts.numbers import marks
from scripts.pages import front_matter

FOLDER = "assets/cards"  # below the site
_TITLE = re.compile(r"^# (.+?)(?: *\{[^}]*\})?$", re.MULTILINE)
_END_OF_PART = re.compile(r"[;:.] | - |\.$")


@dataclass(frozen=True)
class Card:
    """A card: the name of its page without the suffix, and its content."""

    page: str  # notebooks/numpy
    title: str
    line: str  # the first part of the page's description
    figure: str  # an empty text: the card shows the encoding matrix

    @property
    def address(self) -> str:
        """The address of the picture, below that of the site."""
        return f"{FOLDER}/{self.page}.png"

    @property
    def alt(self) -> str:
        """A description of the picture."""
        matrix = "The encoding matrix"
        shown = (figures.load(self.figure).__doc__ or "").splitlines()[0] if self.figure else matrix
        return f"{self.title}: {self.line}. Beside it: {shown.rstrip('.')}."


def cards() -> list[Card]:
    """The card of each page."""
    pages = [*files.matching("docs/**/*.md"), *files.matching("docs/notebooks/*.ipynb")]
    return [_card(path) for path in pages if path.parent.name != "decisions"]


def first_part(description: str) -> str:
    """What `description` says before it goes into details.

    >>> first_part("The formula symbol by symbol; two worked examples by hand.")
    'The formula symbol by symbol'
    """
    return _END_OF_PART.split(description)[0]


def _card(path: Path) -> Card:
    meta, text = front_matter.read(path)
    title, description = _TITLE.search(text), meta.get("description")
    if not title or not description:
        raise BuildError(f"{files.relative(path)}:1: a page needs a title and a description")
    drawn = (mark.source for mark in marks.found(text) if mark.kind == "figure")
    shown = (name for name in drawn if figures.path(name).is_file())  # the page reports others
    return Card(
        page=path.relative_to(files.ROOT / "docs").with_suffix("").as_posix(),
        title=title[1],
        line=first_part(description),
        figure=meta.get("card") or next(shown, ""),
    )
