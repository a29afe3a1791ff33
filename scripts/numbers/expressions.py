"""The numbers on the pages: a small expression language over posenc's public names.

`{{ wavelengths(512)[-1] : ,.0f }}` is an expression, ` : `, and a Python format. NAMES lists
the functions that it may use; all others are refused, so that the oracle in tests/ can
evaluate the same text with its own functions of these names.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import posenc
from scripts.numbers import bounds, quantities

FORMULAS = (  # the public names of posenc that tests/oracle.py has as well
    *("distance", "distinct_rows", "encode", "encode_low", "frequencies"),
    *("positional_encoding", "precision_error", "shift_matrix", "similarity", "wavelengths"),
)
_NUMPY = ("pi", "sqrt", "log", "exp", "sin", "cos", "floor", "argmin", "argmax", "euler_gamma")
_BUILTIN: tuple[Callable[..., Any], ...] = (abs, all, min, max, sum, len, range)

NAMES: dict[str, Any] = {
    **{name: getattr(posenc, name) for name in FORMULAS},
    **{name: getattr(quantities, name) for name in quantities.__all__},
    **{name: getattr(np, name) for name in _NUMPY},
    **{function.__name__: function for function in _BUILTIN},
}
_MODULES: dict[str, Iterable[str]] = {
    "posenc": FORMULAS,
    "quantities": quantities.__all__,
    "np": _NUMPY,
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
    """A number as a page shows it, with its expression."""

    code: str  # ready to paste: posenc.wavelengths(512)[-1]
    value: float | int
    spec: str
    text: str  # plain, with a true minus: −0.5440, 3.0e−16


def offer(module: str, functions: Iterable[Callable[..., Any]]) -> None:
    """Let expressions call `functions`, and show them to readers as names of `module`.

    This is how functions that read the pages reach the language, which does not import pages.
    """
    names = {function.__name__: function for function in functions}
    NAMES.update(names)
    _MODULES[module] = tuple(names)


@cache
def number(source: str) -> Number:
    """The number that `expression : format` describes."""
    expression, spec = split(source)
    return formatted(parse(expression), evaluate(expression), spec)


def evaluate(expression: str) -> Any:
    """The value of `expression` over NAMES."""
    return _evaluate(ast.unparse(parse(expression)))


@cache
def _evaluate(expression: str) -> Any:
    tree = bounds.bounded(ast.parse(expression, mode="eval"))
    try:
        with np.errstate(all="ignore"):  # `formatted` refuses values that are not finite
            code = compile(tree, "<expression>", "eval")  # a SyntaxError where warnings are errors
            return eval(code, {"__builtins__": {}, **NAMES, **bounds.names()})
    except Exception as error:
        raise ExpressionError(f"{expression}: {type(error).__name__}: {error}") from error


def split(source: str) -> tuple[str, str]:
    """The expression and the format of `source`."""
    expression, separator, spec = source.strip().rpartition(" : ")
    if not separator:
        raise ExpressionError(f"expected `expression : format`, got {source.strip()!r}")
    return expression.strip(), spec.strip()


@cache
def parse(expression: str) -> ast.expr:
    """`expression` as a tree; an ExpressionError if it holds anything that is not allowed."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        bounds.refuse_unbounded(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = getattr(error, "msg", str(error)) or "nested too deeply"
        raise ExpressionError(f"{_shortened(expression)}: {reason}") from error
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


def formatted(node: ast.expr, value: Any, spec: str) -> Number:
    """The `value` of `node` in the format `spec`."""
    code = qualified(node)
    if isinstance(value, np.ndarray | list | tuple) and (shape := _shape(value)) != "()":
        raise ExpressionError(f"{code}: a number is needed, got shape {shape}")
    if not isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating, np.ndarray)):
        raise ExpressionError(f"{code}: a number is needed, got {_shortened(repr(value))}")
    whole = isinstance(value, (bool, int, np.bool_, np.integer))
    plain = int(value) if whole else float(value)
    if not whole and not math.isfinite(plain):
        raise ExpressionError(f"{code} = {plain}: a number on a page must be finite")
    if re.search(r"\d{3}", spec):
        raise ExpressionError(f"{code}: format {spec!r}: must ask for at most 99 digits")
    try:
        text = format(plain, spec)
    except (ValueError, TypeError, OverflowError) as error:
        raise ExpressionError(f"{code}: format {spec!r}: {error}") from error
    if not any(digit in text.partition("e")[0] for digit in "123456789"):
        text = text.removeprefix("-")  # no minus before a zero
    return Number(code, plain, spec, text.replace("-", "−"))


def _shape(value: Any) -> str:
    try:
        return str(np.shape(value))
    except ValueError:
        return "of uneven lists"


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"


def qualified(node: ast.expr) -> str:
    """The code of `node`, ready to paste: each name with the module that has it."""
    return ast.unparse(_Qualified().visit(ast.parse(ast.unparse(node))))


class _Qualified(ast.NodeTransformer):
    """Adds to each name the module that has it, so that readers can paste the expression."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        for module, names in _MODULES.items():
            if node.id in names and isinstance(node.ctx, ast.Load):
                return ast.Attribute(ast.Name(module, ast.Load()), node.id, ast.Load())
        return node
