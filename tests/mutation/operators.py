"""Every mutant of a module: its text with one small error."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In},
}
ARITHMETIC = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.FloorDiv: ast.Div, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift},
    **{ast.RShift: ast.LShift, ast.BitXor: ast.BitOr},
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
SYMMETRIC = {  # in the first two arguments: clip gives the middle one of three
    *("hypot", "maximum", "minimum", "gcd", "lcm", "equal", "array_equal", "clip"),
    *("add", "multiply"),
}


@dataclass(frozen=True)
class Mutant:
    """One small error: `old`, at the bytes `start` to `end`, becomes `new`."""

    line: int
    start: int
    end: int
    old: str
    new: str

    def plant(self, source: bytes) -> bytes:
        """The module's bytes with the error."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants(source: bytes) -> list[Mutant]:
    """All mutants of the module, in the order of their places.

    Left out: annotations, texts, what stands in f-strings (Python 3.11 does not say where), the
    block that runs for type checkers only, and zip's `strict`, which checks what holds anyway.
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = set()
    for node in _nodes(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        for new in _changed(node):
            found.add(Mutant(node.lineno, start, end, source[start:end].decode(), new))
    return sorted(found, key=lambda one: (one.start, one.end, one.new))


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that can change."""
    if isinstance(tree, ast.expr | ast.stmt):
        yield tree
    for name, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            kept = name not in {"annotation", "returns"} and isinstance(child, ast.AST)
            if kept and not _left_out(child):
                yield from _nodes(child)


def _left_out(node: ast.AST) -> bool:
    typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
    strict = isinstance(node, ast.keyword) and node.arg == "strict"
    return typing or strict or isinstance(node, ast.JoinedStr)


def _changed(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare(ops=operators):
            for index, operator in enumerate(operators):
                other = COMPARISONS[type(operator)]()
                yield _with(node, ops=[*operators[:index], other, *operators[index + 1 :]])
        case ast.BinOp(op=operator):
            yield _with(node, op=ARITHMETIC[type(operator)]())
        case ast.AugAssign(op=operator):
            yield _with(node, op=ARITHMETIC[type(operator)]())
            yield "pass"
        case ast.UnaryOp(operand=operand):
            yield f"({ast.unparse(operand)})"
        case ast.BoolOp(op=operator):
            yield _with(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.IfExp(test=test):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() | float() as value):
            yield f"({value + 1!r})"
            yield f"({value - 1!r})"
        case ast.Call():
            yield from _calls(node)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield "return None"
        case ast.Expr(value=value) if not isinstance(value, ast.Constant):
            yield "pass"
        case ast.Raise() | ast.Break() | ast.Continue():
            yield "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "pass"


def _calls(call: ast.Call) -> Iterator[str]:
    """The call with its first two arguments swapped, without a keyword, or of the opposite."""
    if isinstance(call.func, ast.Name) and call.func.id in OPPOSITES:
        yield _with(call, func=ast.Name(OPPOSITES[call.func.id]))
    elif (
        len(call.args) > 1
        and _name(call) not in SYMMETRIC
        and not any(isinstance(one, ast.Starred) for one in call.args[:2])
    ):
        first, second, *others = call.args
        if ast.dump(first) != ast.dump(second):
            yield _with(call, args=[second, first, *others])
    for keyword in call.keywords:
        if keyword.arg != "strict":
            yield _with(call, keywords=[one for one in call.keywords if one is not keyword])


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _with(node: ast.AST, **fields: object) -> str:
    """The text of the expression with other fields."""
    known = {name: getattr(node, name, None) for name in node._fields}
    changed = ast.fix_missing_locations(type(node)(**known | fields))
    text = ast.unparse(changed)
    return f"({text})" if isinstance(node, ast.expr) and not isinstance(node, ast.Call) else text


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
