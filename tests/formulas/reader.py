r"""A reader for the TeX of the pages: it turns a formula into statements that can be evaluated.

A side of a statement becomes a function of the symbols' values. Products without a sign bind more
tightly than `/`: `L / 2\pi` is L over 2π. A symbol before brackets is a function if its value can
be called, and a factor otherwise. SymPy's own reader of TeX understood a third of these formulas
(docs/decisions/0010-formulas-are-evaluated.md).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests import balls, oracle
from tests.balls import ball
from tests.formulas import values
from tests.formulas.sides import (
    Factor,
    Power,
    Side,
    Statement,
    TexError,
    Values,
    combined,
    constant,
    looked_up,
    multiplied,
    raised,
)
from tests.formulas.tokens import tokens

RELATIONS = ("=", "<", ">", r"\le", r"\ge", r"\approx", r"\ll")
_FUNCTIONS = {r"\sin": oracle.sin, r"\cos": oracle.cos, r"\exp": oracle.exp, r"\ln": oracle.log}
_FUNCTIONS[r"\cot"] = lambda angle: oracle.cos(angle) / oracle.sin(angle)
_ENDS = {"+", "-", "/", ",", ")", "}", r"\cdot", r"\line", r"\rbar", r"\rfloor", *RELATIONS}
_ENDS |= {r"\cell", r"\row", r"\end", ""}


def statements(tex: str) -> list[Statement]:
    """The statements of a formula."""
    reader = _Reader(tex)
    found = []
    while reader.next:
        if reader.next in (",", r"\line"):
            reader.take()
        else:
            found.append(reader.statement())
    return found


class _Reader:
    def __init__(self, tex: str) -> None:
        self.tex, self.tokens = tex, tokens(tex)

    @property
    def next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, wanted: str = "") -> str:
        if not self.next or wanted not in ("", self.next):
            raise TexError(f"expected {wanted or 'more'}, got {self.next or 'the end'}: {self.tex}")
        return self.tokens.pop(0)

    def took(self, token: str) -> bool:
        return self.next == token and bool(self.take())

    def statement(self) -> Statement:
        label = self.letters() if self.took(r"\label") else ""
        sides, relations = [self.sum()], []
        while self.next in RELATIONS:
            relations.append(self.take())
            sides.append(self.sum())
        if self.next not in ("", ",", r"\line"):
            raise TexError(f"cannot read {self.next}: {self.tex}")
        return Statement(tuple(sides), tuple(relations), label)

    def sum(self) -> Side:
        terms = [(self.take() if self.next in ("+", "-") else "+", self.product())]
        while self.next in ("+", "-"):
            terms.append((self.take(), self.product()))
        return lambda at: values.total(
            [term(at) if sign == "+" else -term(at) for sign, term in terms]
        )

    def product(self) -> Side:
        value = self.factors(_ENDS)
        while self.next in (r"\cdot", "/"):
            value = combined(value, self.take(), self.factors(_ENDS))
        return value

    def factors(self, ends: set[str]) -> Side:
        """A product without signs, in which a factor may be a call."""
        found = [self.factor()]
        while self.next not in ends:
            found.append(self.factor())
        return lambda at: multiplied(found, at)

    def factor(self) -> Factor:
        inside = self.bracket() if self.next == "(" else ()
        value = (lambda at: values.row([one(at) for one in inside])) if inside else self.atom()
        powers = []
        while self.took("^"):
            powers.append(self.power())
        return Factor(value, inside, tuple(powers))

    def atom(self) -> Side:
        token = self.take()
        special = {
            r"\frac": self.fraction, r"\sqrt": self.root, r"\sum": self.large_sum,
            r"\int": self.integral, r"\begin": self.matrix, r"\lbar": self.size,
            r"\lfloor": self.whole, "{": self.group, r"\differential": self.differential,
        }  # fmt: skip
        if token in special:
            return special[token]()
        if token in _FUNCTIONS:
            return self.function(_FUNCTIONS[token])
        if token[0].isdigit():
            return constant(ball(token.replace("{,}", "")))
        if token.lstrip("\\").isalpha():
            return self.symbol(self.letters() if token == r"\mathrm" else token.lstrip("\\"))
        raise TexError(f"cannot read {token}: {self.tex}")

    def symbol(self, name: str) -> Side:
        below, written = None, ""
        while self.next in ("_", "'"):
            if self.take() == "'":
                name += "'"
            else:
                before = list(self.tokens)
                below = self.argument()
                written = "".join(before[: len(before) - len(self.tokens)]).strip("{}")
        return lambda at: looked_up(name, written, below, at)

    def function(self, function: Callable[[Any], Any]) -> Side:
        powers = [self.power()] if self.took("^") else []
        if self.next == "(":
            (inner,) = self.bracket()
        elif self.next in _ENDS:  # sin^2 + cos^2, of any angle
            inner = constant(ball(1))
        else:
            inner = self.factors(_ENDS | set(_FUNCTIONS))
        return lambda at: raised(function(inner(at)), powers, at)

    def fraction(self) -> Side:
        if self.tokens[:5] in (["{", d, "}", "{", d] for d in ("d", r"\d")):
            del self.tokens[:5]
            name = self.take()
            self.take("}")
            body = self.factors(_ENDS)
            return lambda at: balls.slope(lambda x: body({**at, name: x}), at[name])
        return combined(self.argument(), "/", self.argument())

    def root(self) -> Side:
        inner = self.argument()
        return lambda at: oracle.sqrt(inner(at))

    def large_sum(self) -> Side:
        """A sum between bounds, or over all values of its index."""
        self.take("_")
        bounded = self.took("{")
        name = self.take()
        bounds: list[Side] = []
        if bounded:
            self.take("=")
            bounds.append(self.group())
            self.take("^")
            bounds.append(self.argument())
        body = self.product()

        def value(at: Values) -> Any:
            first, last = (int(bound(at)) for bound in bounds) if bounds else (0, -1)
            indices = range(first, last + 1) if bounds else at[f"all {name}"]
            return values.total([body({**at, name: index}) for index in indices])

        return value

    def integral(self) -> Side:
        self.take("_")
        low = self.argument()
        self.take("^")
        high = self.argument()
        name = self.tokens[self.tokens.index(r"\differential") + 1]
        body = self.product()
        return lambda at: balls.integral(lambda x: body({**at, name: x}), low(at), high(at))

    def differential(self) -> Side:
        self.take()
        return constant(ball(1))

    def matrix(self) -> Side:
        self.letters()
        rows: list[list[Side]] = [[self.sum()]]
        while not self.took(r"\end"):
            if self.take() == r"\row":
                rows.append([])
            rows[-1].append(self.sum())
        self.letters()
        return lambda at: values.block([[one(at) for one in row] for row in rows])

    def size(self) -> Side:
        inner = self.sum()
        self.take(r"\rbar")
        return lambda at: values.size(inner(at))

    def whole(self) -> Side:
        inner = self.sum()
        self.take(r"\rfloor")
        return lambda at: oracle.floor(inner(at))

    def group(self) -> Side:
        inner = self.sum()
        self.take("}")
        return inner

    def argument(self) -> Side:
        """The group in braces, or the single token, that follows."""
        if self.took("{"):
            return self.group()
        if not self.next.lstrip("\\").isalpha():
            return self.atom()
        name = self.take().lstrip("\\")
        return lambda at: looked_up(name, "", None, at)

    def power(self) -> Power:
        if self.took(r"\top"):
            return lambda value, _: value.T
        if self.took("*"):
            return lambda value, _: value.conjugate()
        exponent = self.argument()
        return lambda value, at: values.power(value, exponent(at))

    def bracket(self) -> tuple[Side, ...]:
        self.take("(")
        found = [self.sum()]
        while self.took(","):
            found.append(self.sum())
        self.take(")")
        return tuple(found)

    def letters(self) -> str:
        """The letters in the braces that follow."""
        self.take("{")
        end = self.tokens.index("}")
        found = "".join(self.tokens[:end])
        del self.tokens[: end + 1]
        return found
