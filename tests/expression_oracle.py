"""The oracle's value of an expression, as a page shows it. Nothing here comes from posenc."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from typing import Any

import numpy as np

from tests import balls, oracle, quantity_oracle, site_oracle
from tests.balls import ball


def value(code: str) -> Any:
    """`code` evaluated with the oracle's names, and as many bits as it needs."""
    return balls.decided(lambda: balls.precise(_evaluated(code), oracle.DIGITS))


def _evaluated(code: str) -> Any:
    plain = re.sub(r"\b(?:posenc|quantities|counts|np)\.", "", code)
    tree = ast.fix_missing_locations(_Exact().visit(ast.parse(plain, mode="eval")))
    names = {**oracle.NAMES, **quantity_oracle.NAMES, **site_oracle.NAMES, "ball": _ball}
    found = eval(compile(tree, "<expression>", "eval"), {"__builtins__": {}, **names})
    return ball(found) if isinstance(found, float) else found


def is_whole(number: Any) -> bool:
    """Whether `number` is a count, which needs no digits after the point."""
    return isinstance(number, (bool, int, np.bool_, np.integer))


class _Exact(ast.NodeTransformer):
    """Turns decimal fractions, and what is divided or raised, into balls."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return _call(ast.Constant(repr(node.value))) if isinstance(node.value, float) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.left = _call(node.left)
        return node


def _call(given: ast.expr) -> ast.Call:
    return ast.Call(ast.Name("ball", ast.Load()), [given], [])


def _ball(given: Any) -> Any:
    """A whole number as a fraction, so that it can be divided; arrays and balls as they are."""
    if is_whole(given):
        return ball(Fraction(int(given)))
    return ball(given) if isinstance(given, str) else given
