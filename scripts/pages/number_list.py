"""The list of numbers and claims as Markdown: docs/numbers.csv, a table for each page.

One page with all of them would be too heavy; the pages in docs/numbers/ have a part each.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from html import escape
from itertools import groupby
from pathlib import Path

from markdown.extensions.toc import slugify

from scripts import files
from scripts.files import DOCS, NUMBERS, BuildError
from scripts.numbers import marks
from scripts.pages import breaks, contents

_HEAD = (
    '<div class="table-scroll" tabindex="0" role="group" aria-label="Numbers" data-search-exclude>'
    '<table class="ledger"><thead><tr><th scope="col">Expression</th><th scope="col">Shown</th>'
    '<th scope="col">float64, oracle</th><th scope="col">Difference</th></tr></thead><tbody>'
)
_TAIL = "</tbody></table></div>"
_HOLDS = {
    "check": "holds",
    "tried": "holds in the cases tried",
    "proved": "is proved, and holds in the cases tried",
}
_PARTS = DOCS / "numbers"
Row = dict[str, str]


def links() -> str:
    """A link to the numbers of each page, below the name of the part that lists them."""
    own = _rows_by_page()
    lines = []
    for path, listed in _parts():
        address = path.relative_to(DOCS).as_posix()
        (title,) = re.findall(r"^# (.+)$", files.page_text(path), re.MULTILINE)
        lines += ["", f"### [{title}]({address})", ""]
        for page in listed:
            if own.pop(page.name, None):
                anchor = slugify(page.title, "-")
                lines.append(f"- [{page.title}]({address}#{anchor}){{ #{anchor} }}")
    if own:
        raise BuildError(f"no page in {files.relative(_PARTS)} lists the numbers of {min(own)}")
    return "\n".join(lines)


def part(first: str, last: str, store: Callable[[str], str]) -> str:
    """A section for each page with numbers, from the page `first` to the page `last`.

    `store` protects HTML from Markdown. The links start in the folder of the parts.
    """
    own = _rows_by_page()
    sections = []
    for page in _between(first, last):
        if page.name in own:
            sections += [f"## [{page.title}](../{page.name})", store(_page(own[page.name]))]
    return "\n\n".join(sections)


def _parts() -> list[tuple[Path, list[contents.Page]]]:
    """The pages with parts of the list, and the pages whose numbers they list, in their order."""
    order = contents.pages()
    parts = [
        (path, _between(*found))
        for path in files.matching(f"{files.relative(_PARTS)}/*.md")
        for found in marks.NUMBERS_OF.findall(files.page_text(path))
    ]
    return sorted(parts, key=lambda part: [order.index(page) for page in part[1]])


def _between(first: str, last: str) -> list[contents.Page]:
    """The pages of the navigation from `first` to `last`."""
    pages = {page.name: page for page in contents.pages()}
    for name in (first, last):
        if name not in pages:
            raise BuildError(f"numbers_of needs pages of the navigation, got {name}")
    names = list(pages)
    return [pages[name] for name in names[names.index(first) : names.index(last) + 1]]


def _rows_by_page() -> dict[str, list[Row]]:
    if not NUMBERS.is_file():
        raise BuildError(f"{files.relative(NUMBERS)} is missing: run `make site`")
    rows = csv.DictReader(io.StringIO(NUMBERS.read_text("utf-8")))
    return {name: list(own) for name, own in groupby(rows, key=lambda row: row["page"])}


def _page(rows: list[Row]) -> str:
    """The numbers of one page: text and captions first, then each table in a `<details>`."""
    flat = [row for row in rows if not row["part"].startswith("table")]
    parts = [_HEAD + _rows(flat) + _TAIL] if flat else []
    tabled = (row for row in rows if row["part"].startswith("table"))
    for name, cells in groupby(tabled, key=lambda row: row["part"]):
        parts.append(
            f"<details data-search-exclude><summary>The page's <code>{name}</code></summary>"
            f"{_HEAD}{_rows(cells)}{_TAIL}</details>"
        )
    return f'<div class="ledger-page">{"".join(parts)}</div>'


def _rows(rows: Iterable[Row]) -> str:
    return "".join(
        f"<tr><td><code>{_breaking(row['expression'])}</code></td>{_cells(row)}</tr>"
        for row in rows
    )


def _breaking(code: str) -> str:
    return "<wbr>".join(escape(piece, quote=False) for piece in breaks.pieces(code, breaks.CELL))


def _cells(row: Row) -> str:
    if row["format"] in _HOLDS:
        return f"<td colspan=3>{_HOLDS[row['format']]}</td>"
    value, exact = row["float64"], row["oracle"]
    if float(value) == float(exact):  # the rest is only how float64 rounds
        return f"<td>{row['shown']}</td><td>{_short(value, 5)}</td><td>0</td>"
    short = _short(exact, 20)
    difference = row["difference"].replace("-", "−")
    return f"<td>{row['shown']}</td><td>{value}<br>{short}</td><td>{difference}</td>"


def _short(value: str, digits: int) -> str:
    return value if len(value) <= digits else f"{Decimal(value):.{digits}g}"
