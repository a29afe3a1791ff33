"""The numbers on the pages: a small expression language over posenc's public names.

`{{ wavelengths(512)[-1] : ,.0f }}` is an expression, ` : `, and a Python format. What it
may use is listed in NAMES; everything else is refused, so that the oracle in tests/ can
evaluate the same text with names of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

import posenc
from scripts import quantities

_NUMPY = ("pi", "sqrt", "log", "exp", "sin", "cos", "floor", "euler_gamma")
_BUILTIN: tuple[Callable[..., Any], ...] = (abs, min, max, sum, len, range)

NAMES: dict[str, Any] = {
    **{name: getattr(posenc, name) for name in posenc.__all__},
    **{name: getattr(quantities, name) for name in quantities.__all__},
    **{name: getattr(np, name) for name in _NUMPY},
    **{function.__name__: function for function in _BUILTIN},
}
_SYNTAX = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Call, ast.keyword),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator, ast.unaryop),
    *(ast.boolop, ast.cmpop, ast.Subscript, ast.Slice, ast.Tuple, ast.List),
    *(ast.ListComp, ast.GeneratorExp, ast.comprehension),
)


class ExpressionError(ValueError):
    """An expression that cannot be parsed, is not allowed, or has no finite value."""


@dataclass(frozen=True)
class Number:
    """A number as a page shows it, with the expression that makes it."""

    code: str  # as a reader would paste it: posenc.wavelengths(512)[-1]
    value: float | int
    spec: str
    text: str  # plain, with a true minus: −0.5440, 3.0e−16


@dataclass(frozen=True)
class Table:
    """A table of numbers; `rows` and `columns` are its headings."""

    corner: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[Number, ...], ...]


def number(source: str) -> Number:
    """The number that `expression : format` stands for."""
    expression, spec = _split(source)
    return _shown(_parse(expression), evaluate(expression), spec)


def table(source: str) -> Table:
    """The table that `table(expression, rows=..., columns=..., corner=...) : format` stands for.

    `format` may be one for all columns, or one for each, separated by ` | `.
    """
    call_source, spec = _split(source)
    call = _parse(call_source)
    if not (isinstance(call, ast.Call) and len(call.args) == 1):
        raise ExpressionError(f"table needs one expression and keywords, got {call_source!r}")
    options = {keyword.arg: keyword.value for keyword in call.keywords}
    unknown = options.keys() - {"rows", "columns", "corner"}
    if unknown:
        raise ExpressionError(f"table takes rows, columns and corner, got {unknown}")
    body = call.args[0]
    cells = _cell_nodes(body)
    specs = [part.strip() for part in spec.split(" | ")]
    specs = specs * len(cells[0]) if len(specs) == 1 else specs
    rows, columns = _labels(options.get("rows")), _labels(options.get("columns"))
    for name, labels, count in (("rows", rows, len(cells)), ("columns", columns, len(cells[0]))):
        if labels and len(labels) != count:
            raise ExpressionError(f"table has {count} {name} but {len(labels)} headings for them")
    if len(specs) != len(cells[0]):
        raise ExpressionError(f"table has {len(cells[0])} columns but {len(specs)} formats")
    return Table(
        corner="".join(_labels(options.get("corner"))),
        columns=columns,
        rows=rows,
        cells=tuple(
            tuple(_shown(node, evaluate(ast.unparse(node)), specs[j]) for j, node in enumerate(row))
            for row in cells
        ),
    )


def evaluate(expression: str) -> Any:
    """The value of `expression` over NAMES."""
    return _evaluate(ast.unparse(_parse(expression)))


@lru_cache(maxsize=4096)
def _evaluate(expression: str) -> Any:
    code = compile(expression, "<expression>", "eval")
    try:
        with np.errstate(all="ignore"):  # what is not finite is refused where it is shown
            return eval(code, {"__builtins__": {}, **NAMES})
    except Exception as error:
        raise ExpressionError(f"{expression}: {type(error).__name__}: {error}") from error


def _split(source: str) -> tuple[str, str]:
    expression, separator, spec = source.strip().rpartition(" : ")
    if not separator:
        raise ExpressionError(f"expected `expression : format`, got {source.strip()!r}")
    return expression.strip(), spec.strip()


def _parse(expression: str) -> ast.expr:
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError as error:
        raise ExpressionError(f"{expression}: {error.msg}") from error
    bound = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if not isinstance(node, _SYNTAX):
            raise ExpressionError(f"{expression}: {type(node).__name__} is not allowed here")
        known = NAMES.keys() | bound | {"table"}
        if isinstance(node, ast.Name) and node.id not in known:
            raise ExpressionError(f"{expression}: unknown name {node.id!r}")
    return tree.body


def _cell_nodes(body: ast.expr) -> list[list[ast.expr]]:
    """One expression for each cell: the written ones, or the body with a subscript."""
    written = _written_rows(body)
    if written:
        if len({len(row) for row in written}) != 1:
            raise ExpressionError("table rows must have the same number of cells")
        return written
    shape = np.shape(evaluate(ast.unparse(body)))
    if len(shape) != 2:
        raise ExpressionError(f"table needs two dimensions, got shape {shape}")
    code = ast.unparse(body)
    return [[_parse(f"({code})[{i}, {j}]") for j in range(shape[1])] for i in range(shape[0])]


def _written_rows(body: ast.expr) -> list[list[ast.expr]]:
    """The rows of `[[a, b], ...]`, or of `[[f(x), g(x)] for x in [...]]` with each x put in."""
    if isinstance(body, ast.List):
        return [list(row.elts) for row in body.elts if isinstance(row, ast.List)]
    if not (isinstance(body, ast.ListComp) and isinstance(body.elt, ast.List)):
        return []
    loop = body.generators[0]
    if len(body.generators) != 1 or loop.ifs or not isinstance(loop.target, ast.Name):
        raise ExpressionError("table takes one `for` with one name and no `if`")
    name = loop.target.id
    return [
        [_With(name, value).visit(deepcopy(cell)) for cell in body.elt.elts]
        for value in evaluate(ast.unparse(loop.iter))
    ]


class _With(ast.NodeTransformer):
    """A name replaced by a value."""

    def __init__(self, name: str, value: float | int) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self.value) if node.id == self.name else node


def _labels(node: ast.expr | None) -> tuple[str, ...]:
    if node is None:
        return ()
    value = evaluate(ast.unparse(node))
    return (value,) if isinstance(value, str) else tuple(str(item) for item in value)


def _shown(node: ast.expr, value: Any, spec: str) -> Number:
    code = ast.unparse(_Qualified().visit(ast.parse(ast.unparse(node), mode="eval")))
    if np.ndim(value) != 0:
        raise ExpressionError(f"{code}: a number is needed, got shape {np.shape(value)}")
    if isinstance(value, (str, bytes, type(None))):
        raise ExpressionError(f"{code}: a number is needed, got {value!r}")
    plain = int(value) if isinstance(value, (bool, int, np.bool_, np.integer)) else float(value)
    if not np.isfinite(plain):
        raise ExpressionError(f"{code} = {plain}: a number on a page must be finite")
    try:
        text = format(plain, spec)
    except (ValueError, TypeError) as error:
        raise ExpressionError(f"{code}: format {spec!r}: {error}") from error
    if not any(digit in text.partition("e")[0] for digit in "123456789"):
        text = text.removeprefix("-")  # no negative zero
    return Number(code, plain, spec, text.replace("-", "−"))


class _Qualified(ast.NodeTransformer):
    """Names as they are reached after `import posenc, numpy as np`, in this repository."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        modules = {"posenc": posenc.__all__, "quantities": quantities.__all__, "np": _NUMPY}
        for module, names in modules.items():
            if node.id in names and isinstance(node.ctx, ast.Load):
                return ast.Attribute(ast.Name(module, ast.Load()), node.id, ast.Load())
        return node
