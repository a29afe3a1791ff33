"""The claims of sentences: comparisons that must be true, or the build stops.

`{{ check: distance(10, 512) > distance(1, 512) }}` stands beside a sentence that rests on it. The
word before the colon says how: `check` computes all cases of which the sentence speaks, `tried`
some of them, and `proved` some of those that the page proves.
A claim is a comparison, `all(comparison for ...)`, or several of these with `and`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

import numpy as np

from scripts.numbers import expressions
from scripts.numbers.expressions import ExpressionError

_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
}


@dataclass(frozen=True)
class Claim:
    """A claim that holds."""

    code: str  # ready to paste: posenc.distance(10, 512) > posenc.distance(1, 512)
    kind: str = "check"  # or tried, proved


def claim(source: str) -> Claim:
    """The claim `check: comparison`; an ExpressionError with both values if it is false."""
    kind, _, comparison = " ".join(source.split()).partition(":")
    node = expressions.parse(comparison)
    code = expressions.qualified(node)
    for part in _parts(node):
        if not _holds(part):
            raise ExpressionError(f"the claim {code} is false: {_counterexample(part)}")
    return Claim(code, kind)


def _parts(node: ast.expr) -> list[ast.expr]:
    """The comparisons and `all(...)` of `node`; an ExpressionError if it has anything else."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [part for value in node.values for part in _parts(value)]
    comparison = node
    if loop := _loop(node):
        comparison = loop.elt
        if not expressions.evaluate(f"len({ast.unparse(_listed(loop, ast.Constant(0)))})"):
            raise ExpressionError(f"{ast.unparse(node)}: a claim must compare at least one case")
    if not isinstance(comparison, ast.Compare) or not _SIGNS.keys() >= set(
        map(type, comparison.ops)
    ):
        rule = "a claim is a comparison with < <= > >= ==, or all(comparison for ...)"
        raise ExpressionError(f"{rule}, got {ast.unparse(node)}")
    return [node]


def _loop(node: ast.expr) -> ast.GeneratorExp | None:
    """The loop of `all(... for ...)`; None if `node` is something else."""
    match node:
        case ast.Call(func=ast.Name("all"), args=[ast.GeneratorExp() as loop], keywords=[]):
            return loop
    return None


def _holds(node: ast.expr) -> bool:
    value = expressions.evaluate(ast.unparse(node))
    if not isinstance(value, (bool, np.bool_)):
        raise ExpressionError(f"{ast.unparse(node)}: a claim compares numbers, got {value!r}")
    return bool(value)


def _counterexample(node: ast.expr) -> str:
    """The values that a false claim compares: `0.7 > 1.4`, in a loop `0.7 > 1.4 at k = 3`."""
    loop = _loop(node)
    if loop is None:
        assert isinstance(node, ast.Compare)
        return _compared(node, expressions.evaluate(ast.unparse(_sides(node))))
    assert isinstance(loop.elt, ast.Compare)
    targets = ast.Tuple([generator.target for generator in loop.generators])
    names = [name.id for name in ast.walk(targets) if isinstance(name, ast.Name)]
    found = ast.Tuple([*(ast.Name(name) for name in names), _sides(loop.elt)])
    failing = _listed(loop, found, ast.UnaryOp(ast.Not(), loop.elt))
    *at, sides = expressions.evaluate(ast.unparse(failing))[0]
    place = ", ".join(f"{name} = {value}" for name, value in zip(names, at, strict=True))
    return f"{_compared(loop.elt, sides)} at {place}"


def _listed(loop: ast.GeneratorExp, element: ast.expr, *conditions: ast.expr) -> ast.ListComp:
    """A list of `element` for the cases of `loop` that meet the `conditions`."""
    *outer, last = loop.generators
    inner = ast.comprehension(last.target, last.iter, [*last.ifs, *conditions], is_async=0)
    return ast.ListComp(element, [*outer, inner])


def _sides(node: ast.Compare) -> ast.Tuple:
    return ast.Tuple([node.left, *node.comparators])


def _compared(node: ast.Compare, sides: tuple[object, ...]) -> str:
    signs = [_SIGNS[type(sign)] for sign in node.ops]
    rest = (f" {sign} {side}" for sign, side in zip(signs, sides[1:], strict=True))
    return f"{sides[0]}{''.join(rest)}"
