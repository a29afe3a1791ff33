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
        first, *others = cells
        parts.append(
            f"<details data-search-exclude><summary>A table, from "
            f"<code>{escape(first['expression'], quote=False)}</code> on</summary>"
            f"{_HEAD}{_rows([first, *others])}{_TAIL}</details>"
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
    values = _pair(row["float64"], row["oracle"]), _short(row["difference"])
    return f"<td>{row['shown']}</td><td>{values[0]}</td><td>{values[1]}</td>"


def _pair(value: str, exact: str) -> str:
    """The float64, and below it the exact value, unless no other float64 is nearer to that."""
    if float(exact) == float(value):
        return value
    short = exact if len(exact) <= 20 else f"{Decimal(exact):.20g}"
    return f"{value}<br>{short}"


def _short(difference: str) -> str:
    return "0" if not Decimal(difference) else difference.replace("-", "−")
