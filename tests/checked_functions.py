"""Rotations made in plain NumPy, right ones and wrong ones of a kind, for the tests of `check`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from posenc import Rotary
from posenc.rotary import Linear, Llama3, LongRoPE, Proportional, YaRN, axes
from posenc.rotary.axes import AxialRotary
from tests import identification_tables

Array = np.ndarray[Any, Any]
LENGTH = 9000.0  # beyond the training texts, where LongRoPE has its long factors
TRAINED = {"original_max_position_embeddings": 4096}
SHORT, LONG = np.linspace(1, 1.2, 64).tolist(), np.geomspace(1, 30, 64).tolist()
YARN = YaRN(32, attention_factor=1.3, **TRAINED)
UNEVEN, SWAPPED = replace(YARN, truncate=False), replace(YARN, beta_fast=1, beta_slow=32)
SCALINGS: dict[str, Callable[[int], Any]] = {  # by the number of pairs
    "": lambda _: None,
    "linear": lambda _: Linear(8),
    "llama3": lambda _: Llama3(8, **TRAINED),
    "yarn": lambda _: YARN,
    "longrope": lambda n: LongRoPE(SHORT[:n], LONG[:n], attention_factor=1.2, **TRAINED),
    "proportional": lambda _: Proportional(0.25, 1.0),
}
OTHER = {"halves": "interleaved", "interleaved": "halves"}


def rounded(values: Array, form: str) -> Array:
    """`values` rounded once to a half precision, in their own dtype."""
    return identification_tables.rounded(values, form).astype(values.dtype)


def members(layout: str, pairs: int) -> tuple[Array, Array]:
    """The numbers of the first and the second features of the pairs."""
    order = np.arange(2 * pairs)
    return (order[:pairs], order[pairs:]) if layout == "halves" else (order[::2], order[1::2])


@dataclass(frozen=True)
class Program:
    """A rotation that should be that of `encoding`: what it computes, and its slips."""

    encoding: Any
    rates: Array
    layout: str
    factor: float = 1.0
    dtype: str = "float32"
    axes: tuple[int, ...] = ()
    place: Callable[[Array], Array] = lambda p: p
    low: dict[str, str] = field(default_factory=dict)  # steps that are rounded, and to what
    signs: tuple[int, int, int, int] = (1, -1, 1, 1)
    slip: str = ""

    def at(self, step: str, values: Array) -> Array:
        """`values` in the dtype of the program, rounded if the slip rounds this step."""
        values = values.astype(np.float64 if self.dtype == "float64" else np.float32)
        return rounded(values, self.low[step]) if step in self.low else values

    def stored(self, values: Array) -> Array:
        """`values` as a program in bfloat16 keeps them after each step of a turn."""
        return rounded(values, "bfloat16") if self.dtype == "bfloat16" else values

    def __call__(self, q: Array, positions: Array) -> Array:
        points = self.at("positions", self.place(self.at("", positions)))
        points = points[:, list(self.axes)] if self.axes else points[:, np.newaxis]
        angles = self.at("angles", points * self.at("frequencies", self.rates))
        parts = (np.sin, np.cos) if self.slip == "exchanged" else (np.cos, np.sin)
        cos, sin = (self.stored(self.at("table", part(angles) * self.factor)) for part in parts)
        pairs, out = len(self.rates), self.at("", q)
        part = out[:, out.shape[1] - 2 * pairs :] if self.slip == "part" else out[:, : 2 * pairs]
        one, two = members(self.layout, pairs)
        number = np.arange(pairs)
        wide = np.argsort(np.r_[members(OTHER[self.layout], pairs)]) % pairs
        first, second = (wide[one], wide[two]) if self.slip == "columns" else (number, number)
        x1, x2, (a, b, c, d) = part[:, one], part[:, two], self.signs
        y1 = self.stored(self.stored(a * x1 * cos[:, first]) + self.stored(b * x2 * sin[:, first]))
        x1 = y1 if self.slip == "in place" else x1
        y2 = self.stored(c * x1 * sin[:, second]) + self.stored(d * x2 * cos[:, second])
        one, two = members(OTHER[self.layout] if self.slip == "answer" else self.layout, pairs)
        part[:, one], part[:, two] = y1, self.stored(y2)
        return out


def encoding(random: np.random.Generator, scaling: str | None = None, *, part: int = 1) -> Rotary:
    """An encoding of any kind that turns one of so many parts of the head."""
    head = int(random.choice([32, 64, 80, 128]))
    if scaling is None:
        scaling = str(random.choice(["", "", "linear", "llama3", "yarn", "longrope"]))
    return Rotary(
        head,
        rotary_dim=head // part,
        base=float(random.choice([10_000, 150_000, 500_000, 1_000_000])),
        layout=str(random.choice(["halves", "interleaved"])),
        scaling=SCALINGS[scaling](head // part // 2),
    )


def program(one: Rotary, random: np.random.Generator) -> Program:
    """A right program for an encoding; some of those without a scaling multiply frequencies."""
    rates = one.frequencies(LENGTH)
    dtype = str(random.choice(["float64", "float32", "bfloat16"]))
    if one.scaling is None and dtype != "float64" and random.integers(2):
        step = np.float32(one.base ** (-2 / one.rotary_dim))
        rates = np.cumprod(np.r_[np.float32(1), np.full(len(rates) - 1, step)], dtype=np.float32)
    return Program(one, rates, one.layout, one.attention_factor(LENGTH), dtype)


Change = Callable[[Program], dict[str, Any]]


def _instead(**options: Any) -> Change:
    """The frequencies of an encoding with other options."""
    return lambda p: {"rates": replace(p.encoding, **options).frequencies(LENGTH)}


def _exponents(exponent: Callable[[Array, int], Array]) -> Change:
    """Frequencies 1 / base ** exponent, of the numbers and the width of the pairs."""

    def change(p: Program) -> dict[str, Any]:
        values = exponent(np.arange(len(p.rates)), 2 * len(p.rates))
        return {"rates": p.encoding.base ** -values.astype(float)}

    return change


def _low(form: str, *steps: str) -> Change:
    """Steps in half precision, where all others are float32 and exact frequencies are small."""

    def change(p: Program) -> dict[str, Any]:
        one = replace(p.encoding, base=500_000.0)
        own = {"encoding": one, "rates": one.frequencies(), "dtype": "float32"}
        return {**own, "low": dict.fromkeys(steps, form)}

    return change


def _coordinates(wrong: int) -> Change:
    def change(p: Program) -> dict[str, Any]:
        few = len(p.rates) // 4
        sections = (len(p.rates) - 2 * few, few, few)
        right = np.repeat([0, 1, 2], sections)
        in_turn = [i % 3 if i // 3 < sections[i % 3] else 0 for i in range(len(right))]
        made = [np.take([0, 2, 1], right), 0 * right, in_turn][wrong]
        encoding: AxialRotary = axes.sections(p.encoding, sections)
        return {"encoding": encoding, "axes": tuple(map(int, made))}

    return change


def _partial(parts: int) -> Change:
    """A partial head in the place of `Proportional`, in a head with so many parts."""

    def change(p: Program) -> dict[str, Any]:
        width = p.encoding.head_dim // 4
        rates = p.encoding.base ** (-2 * np.arange(width // 2) / (parts * width))
        return {
            "encoding": replace(p.encoding, layout="halves"),
            "rates": rates,
            "layout": "halves",
        }

    return change


def _upside_down(p: Program) -> dict[str, Any]:
    plain = replace(p.encoding, scaling=None).frequencies()
    return {"rates": plain + plain / 32 - p.rates}


HALF = "part", "whole head", "exponent width"  # only a half of the head turns
KINDS: dict[str, tuple[str | None, list[Change]]] = {  # the scaling, None if any, and changes
    "layout": (None, [lambda p: {"layout": OTHER[p.layout]}]),
    **{
        slip: (None, [lambda _, slip=slip: {"slip": slip}])
        for slip in ("columns", "answer", "exchanged", "in place", "part")
    },
    "sign": (None, [lambda _: {"signs": (1, 1, -1, 1)}]),
    "minus": (None, [lambda _: {"signs": (1, 1, 1, 1)}, lambda _: {"signs": (1, -1, -1, 1)}]),
    "sines missing": (None, [lambda _: {"signs": (1, 0, 0, 1)}]),
    "twice": (None, [lambda p: {"rates": 2 * p.rates, "factor": p.factor**2}]),
    "nothing": ("", [lambda _: {"place": lambda p: 0 * p}]),
    "whole head": ("", [lambda p: _instead(rotary_dim=p.encoding.head_dim)(p)]),
    "attention": ("yarn", [lambda _, f=f: {"factor": f} for f in (1.0, 1.69, 1 / 1.3, 1.11)]),
    "attention rule": ("yarn", [lambda _: {"factor": 0.1 * math.log(32) + 1}]),
    "base": (None, [_instead(base=base) for base in (5e6, 12_345.0, 77_000.0)]),
    "exponent": ("", [_exponents(lambda i, d, k=k: k * i / d) for k in (1, 4)]),
    "exponent width": ("", [_exponents(lambda i, d: i / d)]),
    "exponent start": ("", [_exponents(lambda i, d: 2 * (i + 1) / d)]),
    "exponent whole": ("", [_exponents(lambda i, d: 2 * i // d)]),
    "order": (None, [lambda p: {"rates": p.rates[::-1]}]),
    "cycles": (None, [lambda p: {"rates": p.rates * 2 * math.pi}]),
    "coordinates": ("", [_coordinates(wrong) for wrong in range(3)]),
    "scaling ignored": ("llama3", [_instead(scaling=None)]),
    "another scaling": ("yarn", [_instead(scaling=Linear(32))]),
    "factor": ("yarn", [_instead(scaling=replace(YARN, factor=8))]),
    "trained": ("yarn", [_instead(scaling=YaRN(32, original_max_position_embeddings=131_072))]),
    "band": ("yarn", [_instead(scaling=one) for one in (UNEVEN, SWAPPED)]),
    "upside down": ("yarn", [_upside_down]),
    "text": ("longrope", [lambda p: {"rates": p.encoding.frequencies()}]),
    "proportional": ("proportional", [_partial(1), _partial(4)]),
    "stretch": ("", [lambda _, k=k: {"place": lambda p: p * p.dtype.type(k)} for k in (0.25, 0.1)]),
    "start": (None, [lambda _, k=k: {"place": lambda p: p + k} for k in (1, -1, 7)]),
    "positions ignored": (None, [lambda _: {"place": lambda p: np.cumsum(0 * p + 1) - 1}]),
    "rows end": (None, [lambda _, k=k: {"place": lambda p: np.minimum(p, k)} for k in (99, 255)]),
    "positions rounded": ("", [_low("bfloat16", "positions")]),
    **{
        f"{step} rounded": ("", [_low(form, step) for form in ("bfloat16", "float16")])
        for step in ("frequencies", "angles", "table")
    },
    "all rounded": ("", [_low("bfloat16", "positions", "frequencies", "angles")]),
}


def wrong(seed: int) -> tuple[str, Program]:
    """The kind of a slip, and a program that has it."""
    random = np.random.default_rng(seed)
    kind = list(KINDS)[seed % len(KINDS)]
    scaling, changes = KINDS[kind]
    made = program(encoding(random, scaling, part=2 if kind in HALF else 1), random)
    return kind, replace(made, **changes[int(random.integers(len(changes)))](made))


def right(seed: int) -> Program:
    """A program without a slip."""
    random = np.random.default_rng(10_000 + seed)
    return program(encoding(random, part=2 if seed % 3 == 0 else 1), random)
