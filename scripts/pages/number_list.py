"""The list of numbers and claims as Markdown: docs/numbers.csv, a table for each page."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from decimal import Decimal
from html import escape
from itertools import groupby

from scripts import files
from scripts.files import NUMBERS, BuildError
from scripts.pages import contents

_HEAD = (
    '<div class="table-scroll" tabindex="0" role="group" aria-label="Numbers" data-search-exclude>'
    '<table class="ledger"><thead><tr><th scope="col">Expression</th><th scope="col">Shown</th>'
    '<th scope="col">float64, oracle</th><th scope="col">Difference</th></tr></thead><tbody>'
)
_TAIL = "</tbody></table></div>"
Row = dict[str, str]


def markdown(store: Callable[[str], str]) -> str:
    """A section for each page that has numbers; `store` protects HTML from Markdown."""
    if not NUMBERS.is_file():
        raise BuildError(f"{files.relative(NUMBERS)} is missing: run `make site`")
    with NUMBERS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    titles = {page.name: page.title for page in contents.pages()}
    parts = []
    for name, own in groupby(rows, key=lambda row: row["page"]):
        parts += [f"### [{titles[name]}]({name})", store(_page(list(own)))]
    return "\n\n".join(parts)


def _page(rows: list[Row]) -> str:
    """The numbers of one page: text and captions first, then each table in a `<details>`."""
    flat = [row for row in rows if not row["part"].startswith("table")]
    parts = [_HEAD + _rows(flat) + _TAIL] if flat else []
    tabled = (row for row in rows if row["part"].startswith("table"))
    for _, cells in groupby(tabled, key=lambda row: row["part"]):
        parts.append(
            "<details data-search-exclude><summary>A table</summary>"
            f"{_HEAD}{_rows(cells)}{_TAIL}</details>"
        )
    return f'<div class="ledger-page">{"".join(parts)}</div>'


def _rows(rows: Iterable[Row]) -> str:
    return "".join(
        f"<tr><td><code>{escape(row['expression'], quote=False)}</code></td>{_cells(row)}</tr>"
        for row in rows
    )


def _cells(row: Row) -> str:
    if row["format"] == "check":
        return f"<td colspan=3>{row['shown']}</td>"
    value, exact = row["float64"], row["oracle"]
    if float(value) == float(exact):  # then their difference says only how float64 rounds
        return f"<td>{row['shown']}</td><td>{_short(value, 5)}</td><td>0</td>"
    short = _short(exact, 20)
    difference = row["difference"].replace("-", "−")
    return f"<td>{row['shown']}</td><td>{value}<br>{short}</td><td>{difference}</td>"


def _short(value: str, digits: int) -> str:
    return value if len(value) <= digits else f"{Decimal(value):.{digits}g}"
