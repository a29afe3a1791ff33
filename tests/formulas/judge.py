"""Whether a formula is true at random points."""

from __future__ import annotations

import operator
import re
from typing import Any

from scripts.numbers.formulas import Formula
from tests.balls import ball
from tests.formulas import points, reader, values
from tests.formulas.parts import PairError
from tests.formulas.points import Values
from tests.formulas.tokens import Statement, statements

_ADVICE = """Correct the formula, or give its symbols a value in tests/formulas/sections.py.
If it cannot be evaluated, let a reader approve it in tests/data/approved_formulas.toml."""
_RANGE = re.compile(r".+ (?:\\le|<) ([ijp]) (?:\\le|<) .+")
_SIZES = {"<": operator.lt, ">": operator.gt, r"\le": operator.le, r"\ge": operator.ge}


def advice(formula: Formula) -> str:
    """The fault of the formula, and advice to its author; an empty text if it is true."""
    found = fault(formula)
    return found and f"{formula.section}: {formula.tex}\n{found}\n{_ADVICE}"


def fault(formula: Formula) -> str:
    """Why the formula does not hold; an empty text if it does."""
    try:
        return _first_fault(formula)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def _first_fault(formula: Formula) -> str:
    first, *rest = statements(formula.tex)
    conditions = [one for one in rest if one.compares_sizes]
    claims = [first, *(one for one in rest if not one.compares_sizes)]
    letter = None if rest else _RANGE.fullmatch(formula.tex)
    judged = False
    for at in points.points(formula.section, outside=bool(conditions)):
        allowed = all(_holds(one, at) for one in conditions)
        judged |= allowed
        found = _range_fault(first, letter[1], at) if letter else _fault(claims, at, allowed)
        if found:
            return found
    return "" if judged else "no point meets the conditions"


def _range_fault(statement: Statement, letter: str, at: Values) -> str:
    """A range such as 0 <= i < d/2 has to hold for all values of the letter, and for no other."""
    indices = at[f"all {letter}"]
    for value in range(-2, len(indices) + 3):
        if _holds(statement, {**at, letter: ball(value)}) != (value in indices):
            return f"it is wrong at {letter} = {value}, {_shown(at)}"
    return ""


def _fault(claims: list[Statement], at: Values, allowed: bool) -> str:
    try:
        true = all(_holds(claim, at) for claim in claims)
    except PairError as error:
        return f"the conditions allow {error}, which does not exist" if allowed else ""
    if not allowed:
        exact = not any(claim.approximates for claim in claims)
        return f"the conditions leave out {_shown(at)}" if exact and true else ""
    return "" if true == at.get("holds", True) else f"it is {true} at {_shown(at)}"


def _holds(statement: Statement, at: Values) -> bool:
    at = at | at.get(f"label {statement.label}", {})
    sides = [reader.value(side, at) for side in statement.sides]
    if not statement.relations:
        return values.equal(sides[0], at["expression"])
    steps = zip(sides, statement.relations, sides[1:], strict=False)
    return all(_related(a, relation, b, at) for a, relation, b in steps)


def _related(a: Any, relation: str, b: Any, at: Values) -> bool:
    if relation == "=":
        return values.equal(a, b)
    if relation == r"\approx":
        return bool(abs(a - b) <= at["tolerance"])
    if relation == r"\ll":
        return bool(10 * a <= b)
    true = bool(_SIZES[relation](ball(a), ball(b)))
    return true and ("reached" not in at or bool(a >= at["reached"] * b))


def _shown(at: Values) -> str:
    names = ("d", "n", "p", "q", "k", "i", "L")
    return ", ".join(f"{name} = {float(at[name]):.6g}" for name in names)
