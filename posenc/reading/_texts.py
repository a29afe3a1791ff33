"""Read a table of numbers from a text: lines of values, or the brackets that Python prints."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from posenc._phase import FloatArray

# What `np.loadtxt` reads; `float` also reads 1_000 and other digits than those of ASCII.
_NUMBER = re.compile(
    r"[+-]?((\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|nan|inf|infinity)", re.ASCII | re.IGNORECASE
)
_MARKS = (";", ",", "\t")  # the first of them in a line separates its values; else spaces do


_MOST_AXES = 64  # NumPy's own limit


def read_text(path: Path) -> FloatArray:
    """The table in the file at `path`, without a line of names and the index that pandas writes.

    Between semicolons, a comma is a decimal point. A text with brackets is an array as NumPy,
    PyTorch and lists print it, with any number of axes. Raises ValueError with the number of the
    line or row that does not fit, counted from 1.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise _no_table("not a text") from error
    if "..." in text or "…" in text:
        all_values = "np.set_printoptions(threshold=np.inf)"
        if re.search(r"\btensor\(", text):
            all_values = "torch.set_printoptions(threshold=math.inf)"
        rule = "not a whole table (... stands for values left out)"
        raise ValueError(f"{rule}: {all_values} prints all")
    return _nested(text) if "[" in text else _lines(text.splitlines())


def _nested(text: str) -> FloatArray:
    """The array whose rows stand in brackets."""
    body = text[text.index("[") : text.rindex("]") + 1] if "]" in text else ""
    values: list[float] = []
    shape: dict[int, int] = {}
    counts: list[int] = []  # items so far in each open bracket
    depths = set()  # of the numbers
    for token in re.findall(r"[\[\]]|[^\s,;\[\]]+", body):
        if token != "]" and counts:
            counts[-1] += 1
        if token == "[":
            counts.append(0)
            if len(counts) > _MOST_AXES:
                raise _no_table(f"more than {_MOST_AXES} brackets inside each other")
        elif token != "]":
            if not _is_number(token):
                row = len(values) // (shape.get(max(shape, default=0)) or math.inf)
                raise _no_table(f"row {row:.0f} holds {_shortened(token)!r}, which is no number")
            values.append(float(token))
            depths.add(len(counts))
        elif counts:
            count, axis = counts.pop(), len(counts)
            if shape.setdefault(axis, count) != count:
                row = len(values) // max(shape[axis], 1) + 1
                change = f"from {shape[axis]} to {count} at row {row}"
                raise _no_table(f"the number of columns changed {change}")
    sizes = [shape[axis] for axis in sorted(shape)]
    if counts or len(values) != math.prod(sizes) or not sizes or depths - {len(sizes)}:
        raise _no_table("the brackets do not match")
    return np.array(values).reshape(sizes)


def _no_table(reason: str) -> ValueError:
    return ValueError(f"not a table of numbers ({reason})")


def _lines(lines: list[str]) -> FloatArray:
    """The table with a row in each line."""
    rows = [(number, line) for number, line in enumerate(lines, 1) if _content(line)]
    if not rows:
        raise _no_table("there is no text")
    mark = next((mark for mark in _MARKS if mark in rows[:2][-1][1]), None)
    if mark == ";":
        rows = [(number, line.replace(",", ".")) for number, line in rows]
    named = _are_names(_cells(rows[0][1], mark))
    rows = rows[named:]
    if not rows:
        raise _no_table("there are only names")
    table = _table(rows, mark)
    counted = len(table) > 2 and any(
        np.array_equal(table[:, 0], np.arange(first, first + len(table))) for first in (0, 1)
    )
    return table[:, 1:] if named and counted else table


def _content(line: str) -> str:
    """`line` without a comment, as `np.savetxt` writes one, and without spaces around it."""
    return line.partition("#")[0].strip()


def _table(rows: list[tuple[int, str]], mark: str | None) -> FloatArray:
    try:
        table: FloatArray = np.loadtxt([line for _, line in rows], delimiter=mark, ndmin=2)
    except ValueError as error:
        reason = next(_faults(rows, mark), str(error))
        raise _no_table(reason) from error
    return table


def _faults(rows: list[tuple[int, str]], mark: str | None) -> Iterator[str]:
    """The faults of the lines, from the first line on."""
    first, width = rows[0][0], len(_cells(rows[0][1], mark))
    for number, line in rows:
        cells = _cells(line, mark)
        for cell in cells:
            if not _is_number(cell):
                yield f"line {number} holds {_shortened(cell)!r}, which is no number"
        if len(cells) != width:
            cut = ": the file is cut off" if number == rows[-1][0] and len(cells) < width else ""
            yield f"line {number} has {_values(len(cells))}, line {first} has {width}{cut}"


def _cells(line: str, mark: str | None) -> list[str]:
    return [cell.strip() for cell in _content(line).split(mark)]


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None


def _are_names(cells: list[str]) -> bool:
    """Whether the cells name columns, or count them as pandas does; the first may be the index's.

    A line that mixes names and other numbers is a row with a mistake.
    """
    corner = not _is_number(cells[0])
    others = cells[corner:]
    if not any(map(_is_number, others)):
        return corner
    return len(others) > 2 - corner and others == [str(i) for i in range(len(others))]


def _shortened(cell: str) -> str:
    return cell if len(cell) <= 24 else cell[:24] + "…"


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"
