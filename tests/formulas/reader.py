r"""A reader for the TeX of the pages: it evaluates a side of a statement.

Products without a sign bind more tightly than `/`: `L / 2\pi` is L over 2π. A symbol before
brackets is a function if its value can be called, and a factor otherwise. SymPy's own reader of
TeX understood a third of these formulas (docs/decisions/0010-formulas-are-evaluated.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import truediv
from typing import Any

from tests import balls, oracle
from tests.balls import ball
from tests.formulas import values

Values = Mapping[str, Any]
_FUNCTIONS = {r"\sin": oracle.sin, r"\cos": oracle.cos, r"\exp": oracle.exp, r"\ln": oracle.log}
_FUNCTIONS[r"\cot"] = lambda angle: oracle.cos(angle) / oracle.sin(angle)
_ENDS = {"+", "-", "/", ",", ")", "}", r"\cdot", r"\rbar", r"\rfloor", r"\cell", r"\row", r"\end"}
_ENDS |= {""}


class TexError(ValueError):
    """TeX that this reader does not know, or a symbol without a value."""


def value(side: list[str], at: Values) -> Any:
    """The value of a side, where the symbols have the values `at`."""
    reader = _Reader(side, at)
    found = reader.sum()
    if reader.next:
        raise TexError(f"cannot read {reader.next}: {' '.join(side)}")
    return found


class _Reader:
    """Evaluates tokens from left to right."""

    def __init__(self, side: list[str], at: Values) -> None:
        self.tokens, self.at, self.place = side, at, 0

    @property
    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.next
        if not token or wanted not in ("", token):
            got, tex = token or "the end", " ".join(self.tokens)
            raise TexError(f"expected {wanted or 'more'}, got {got}: {tex}")
        self.place += 1
        return token

    def took(self, token: str) -> bool:
        return self.next == token and bool(self.take())

    def depending(self, read: Callable[[], Any], name: str) -> Callable[[Any], Any]:
        """What follows, as a function of the symbol `name`."""
        begin, before = self.place, self.at

        def function(one: Any) -> Any:
            self.place, self.at = begin, {**before, name: one}
            found = read()
            self.at = before
            return found

        return function

    def sum(self) -> Any:
        terms = []
        while not terms or self.next in ("+", "-"):
            sign = self.take() if self.next in ("+", "-") else "+"
            term = self.product()
            terms.append(term if sign == "+" else -term)
        return values.total(terms)

    def product(self) -> Any:
        found = self.factors(_ENDS)
        while self.next in (r"\cdot", "/"):
            operation = truediv if self.take() == "/" else values.dot
            found = operation(found, self.factors(_ENDS))
        return found

    def factors(self, ends: set[str]) -> Any:
        """A product without signs, in which a factor may be a call."""
        found: list[Any] = []
        while not found or self.next not in ends:
            if self.next != "(":
                one = self.atom()
            elif found and callable(found[-1]):
                one = found.pop()(*self.bracket())
            else:
                one = values.row(self.bracket())
            while self.took("^"):
                one = self.power()(one)
            found.append(one)
        return reduce(values.product, found)

    def atom(self) -> Any:
        token = self.take()
        special: dict[str, Callable[[], Any]] = {
            r"\frac": self.fraction, r"\sqrt": lambda: oracle.sqrt(self.argument()),
            r"\sum": self.large_sum, r"\int": self.integral, r"\begin": self.matrix,
            r"\lbar": lambda: values.size(self.sum_until(r"\rbar")),
            r"\lfloor": lambda: oracle.floor(self.sum_until(r"\rfloor")),
            "{": lambda: self.sum_until("}"), r"\differential": self.differential,
        }  # fmt: skip
        if token in special:
            return special[token]()
        if token in _FUNCTIONS:
            return self.function(_FUNCTIONS[token])
        if token[0].isdigit():
            return ball(token.replace("{,}", ""))
        if token.lstrip("\\").isalpha():
            return self.symbol(self.letters() if token == r"\mathrm" else token.lstrip("\\"))
        raise TexError(f"cannot read {token}: {' '.join(self.tokens)}")

    def symbol(self, name: str) -> Any:
        """The value of a symbol; its subscript is part of the name, as in W_Q, or an index."""
        below: list[str] = []
        while self.next in ("_", "'"):
            if self.take() == "'":
                name += "'"
                continue
            begin, depth = self.place, 0
            while self.place == begin or depth:
                depth += {"{": 1, "}": -1}.get(self.take(), 0)
            below = self.tokens[begin : self.place]
        full = f"{name}_{''.join(below).strip('{}')}" if below else name
        if full in self.at:
            return self.at[full]
        if not below or f"{name}_" not in self.at:
            raise TexError(f"no value for the symbol {full}")
        return self.at[f"{name}_"](value(below, self.at))

    def function(self, function: Callable[[Any], Any]) -> Any:
        power = self.power() if self.took("^") else lambda found: found
        if self.next == "(":
            (inner,) = self.bracket()
        elif self.next in _ENDS:  # sin^2 + cos^2, of any angle
            inner = ball(1)
        else:
            inner = self.factors(_ENDS | set(_FUNCTIONS))
        return power(function(inner))

    def fraction(self) -> Any:
        if self.tokens[self.place :][:5] not in (["{", d, "}", "{", d] for d in ("d", r"\d")):
            return self.argument() / self.argument()
        self.place += 5
        name = self.take()
        self.take("}")
        return balls.slope(self.depending(lambda: self.factors(_ENDS), name), self.at[name])

    def large_sum(self) -> Any:
        """A sum between bounds, or over all values of its index."""
        self.take("_")
        bounded = self.took("{")
        name = self.take()
        if bounded:
            self.take("=")
            first = int(self.sum_until("}"))
            self.take("^")
            indices = range(first, int(self.argument()) + 1)
        else:
            indices = self.at[f"all {name}"]
        return values.total(list(map(self.depending(self.product, name), indices)))

    def integral(self) -> Any:
        self.take("_")
        low = self.argument()
        self.take("^")
        high = self.argument()
        name = self.tokens[self.tokens.index(r"\differential", self.place) + 1]
        return balls.integral(self.depending(self.product, name), low, high)

    def differential(self) -> Any:
        self.take()
        return ball(1)

    def matrix(self) -> Any:
        self.letters()
        rows = [[self.sum()]]
        while not self.took(r"\end"):
            if self.take() == r"\row":
                rows.append([])
            rows[-1].append(self.sum())
        self.letters()
        return values.block(rows)

    def sum_until(self, end: str) -> Any:
        found = self.sum()
        self.take(end)
        return found

    def argument(self) -> Any:
        """The group in braces, or the single token, that follows."""
        if self.next == "{" or not self.next.lstrip("\\").isalpha():
            return self.atom()
        return value([self.take()], self.at)

    def power(self) -> Callable[[Any], Any]:
        if self.took(r"\top"):
            return lambda base: base.T
        if self.took("*"):
            return lambda base: base.conjugate()
        exponent = self.argument()
        return lambda base: values.power(base, exponent)

    def bracket(self) -> list[Any]:
        self.take("(")
        found = [self.sum()]
        while self.took(","):
            found.append(self.sum())
        self.take(")")
        return found

    def letters(self) -> str:
        """The letters in the braces that follow."""
        begin = self.place + 1
        self.place = self.tokens.index("}", begin) + 1
        return "".join(self.tokens[begin : self.place - 1])
