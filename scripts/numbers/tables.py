"""Tables of numbers: `{{ table(expression, rows=..., columns=...) : format }}`."""

from __future__ import annotations

import ast
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from scripts.numbers import expressions, marks
from scripts.numbers.expressions import Number


@dataclass(frozen=True)
class Table:
    """A table of numbers; `rows` and `columns` are its headings."""

    corner: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[Number, ...], ...]


def numbers(source: str) -> list[Number]:
    """The numbers in `{{ source }}`: one, or those of a table row by row."""
    if marks.is_table(source):
        return [cell for row in table(source).cells for cell in row]
    return [expressions.number(source)]


@cache
def table(source: str) -> Table:
    """The table that `table(expression, rows=..., columns=..., corner=...) : format` describes.

    `format` may be one for all columns, or one for each, separated by ` | `.
    """
    call_source, spec = expressions.split(source)
    match expressions.parse(call_source):
        case ast.Call(args=[body], keywords=keywords):
            options = {keyword.arg: keyword.value for keyword in keywords}
        case _:
            raise expressions.ExpressionError(
                f"table needs one expression and keywords, got {call_source!r}"
            )
    unknown = options.keys() - {"rows", "columns", "corner"}
    if unknown:
        raise expressions.ExpressionError(
            f"table takes rows, columns and corner, got {sorted(map(str, unknown))}"
        )
    cells = _cell_nodes(body)
    first, *_ = cells
    specs = [part.strip() for part in spec.split(" | ")]
    specs = specs * len(first) if len(specs) == 1 else specs
    rows, columns = _labels(options.get("rows")), _labels(options.get("columns"))
    for name, labels, count in (("rows", rows, len(cells)), ("columns", columns, len(first))):
        if labels and len(labels) != count:
            raise expressions.ExpressionError(
                f"table has {count} {name} but {len(labels)} headings for them"
            )
    if len(specs) != len(first):
        raise expressions.ExpressionError(
            f"table has {len(first)} columns but {len(specs)} formats"
        )
    return Table(
        corner="".join(_labels(options.get("corner"))),
        columns=columns,
        rows=rows,
        cells=tuple(
            tuple(
                expressions.formatted(node, expressions.evaluate(ast.unparse(node)), cell_spec)
                for node, cell_spec in zip(row, specs, strict=True)
            )
            for row in cells
        ),
    )


def _cell_nodes(body: ast.expr) -> list[list[ast.expr]]:
    """One expression for each cell: the written ones, or the body with a subscript."""
    written = _written_rows(body)
    if written:
        if len({len(row) for row in written}) != 1:
            raise expressions.ExpressionError("table rows must have the same number of cells")
        return written
    shape = np.shape(expressions.evaluate(ast.unparse(body)))
    if len(shape) != 2:
        raise expressions.ExpressionError(f"table needs two dimensions, got shape {shape}")
    if 0 in shape:
        raise expressions.ExpressionError(f"table needs a cell, got shape {shape}")
    code = ast.unparse(body)
    return [
        [expressions.parse(f"({code})[{i}, {j}]") for j in range(shape[1])] for i in range(shape[0])
    ]


def _written_rows(body: ast.expr) -> list[list[ast.expr]]:
    """The rows of `[[a, b], ...]`, or of `[[f(x), g(x)] for x in [...]]` with values for x."""
    if isinstance(body, ast.List):
        rows = [list(row.elts) for row in body.elts if isinstance(row, ast.List)]
        if rows and len(rows) != len(body.elts):
            raise expressions.ExpressionError("each row of a table must be a list, or none")
        return rows
    if not (isinstance(body, ast.ListComp) and isinstance(body.elt, ast.List)):
        return []
    match body.generators:
        case [ast.comprehension(target=ast.Name(name), iter=values, ifs=[])]:
            return [
                [_With(name, value).visit(deepcopy(cell)) for cell in body.elt.elts]
                for value in _items(values)
            ]
    raise expressions.ExpressionError("table takes one `for` with one name and no `if`")


class _With(ast.NodeTransformer):
    """Replaces a name by a value."""

    def __init__(self, name: str, value: float | int) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self.value) if node.id == self.name else node


def _labels(node: ast.expr | None) -> tuple[str, ...]:
    if node is None:
        return ()
    value = expressions.evaluate(ast.unparse(node))
    return (value,) if isinstance(value, str) else tuple(map(str, _items(node)))


def _items(node: ast.expr) -> list[Any]:
    """What a loop over `node` gives; an ExpressionError if it is no list."""
    items: list[Any] = expressions.evaluate(f"[item for item in {ast.unparse(node)}]")
    return items
