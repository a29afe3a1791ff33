"""Limits for loops, ranges, integers and lists, so that each expression ends soon.

An author's slip such as `9 ** 9 ** 9` then stops the build with a message instead of keeping it
busy for ever. Functions of posenc may still make tables as large as an expression wants.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

STEPS = 1_000_000  # of all loops of an expression together; also the longest range
BITS = 10_000  # of an integer
LEVELS = 100  # of brackets and operators inside each other
_TOO_LONG = f"a list or a range must have at most {STEPS:,} entries"


def refuse_unbounded(tree: ast.AST) -> None:
    """Raise ValueError if `tree` is too deep, or if a number in it is too long."""
    layer, levels = [tree], 0
    while layer:
        levels += 1
        if levels > LEVELS:
            raise ValueError(f"an expression must have at most {LEVELS} levels")
        layer = [child for node in layer for child in ast.iter_child_nodes(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            _refuse_bits(node.value.bit_length())


def bounded(tree: ast.Expression) -> ast.Expression:
    """`tree` with `names()` called where it loops, multiplies, shifts or takes a power."""
    _Bounded().visit(tree)
    return ast.fix_missing_locations(tree)


def names() -> dict[str, Callable[..., Any]]:
    """The functions that a `bounded` expression calls; they count the steps of one evaluation."""
    left = itertools.count(1)

    def steps(items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            if next(left) > STEPS:
                raise ValueError(f"its loops must take at most {STEPS:,} steps")
            yield item

    return {"range": _range, "__steps": steps, "__op": _operated}


class _Bounded(ast.NodeTransformer):
    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.iter = _call("__steps", node.iter)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        kind = type(node.op).__name__
        return _call("__op", ast.Constant(kind), node.left, node.right) if kind in _OPS else node


def _call(name: str, *given: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])


_OPS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[int, int], int]]] = {
    # the operator, and the bits of its result for two integers, at most
    "Pow": (lambda a, b: a**b, lambda a, b: a.bit_length() * b),
    "LShift": (lambda a, b: a << b, lambda a, b: a.bit_length() + b),
    "Mult": (lambda a, b: a * b, lambda a, b: a.bit_length() + b.bit_length()),
}


def _operated(kind: str, left: Any, right: Any) -> Any:
    operate, bits = _OPS[kind]
    if isinstance(left, int) and isinstance(right, int):
        _refuse_bits(bits(left, right))
    for items, count in ((left, right), (right, left)):
        repeated = isinstance(items, list | tuple | str) and isinstance(count, int)
        if repeated and len(items) * count > STEPS:
            raise ValueError(_TOO_LONG)
    return operate(left, right)


def _range(*given: int) -> range:
    made = range(*given)
    if made[STEPS:]:  # len() fails on the longest ranges
        raise ValueError(_TOO_LONG)
    return made


def _refuse_bits(bits: int) -> None:
    if bits > BITS:
        raise ValueError(f"an integer must have at most {BITS:,} bits")
