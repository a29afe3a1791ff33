"""Rotations made in plain NumPy, right ones and wrong ones of a kind, for the tests of `check`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from posenc import Rotary
from posenc.rotary import Linear, Llama3, LongRoPE, Proportional, YaRN, axes
from posenc.rotary.axes import AxialRotary
from tests import identification_tables

Array = np.ndarray[Any, Any]
TRAINED = 4096
SHORT, LONG = np.linspace(1, 1.2, 128), np.geomspace(1, 30, 128)


def rounded(values: Array, form: str) -> Array:
    """`values` rounded once to a half precision, in their own dtype."""
    return identification_tables.rounded(values, form).astype(values.dtype)


OTHER = {"halves": "interleaved", "interleaved": "halves"}


def _split(x: Array, layout: str) -> tuple[Array, Array]:
    half = x.shape[1] // 2
    return (x[:, :half], x[:, half:]) if layout == "halves" else (x[:, ::2], x[:, 1::2])


def _joined(one: Array, other: Array, layout: str) -> Array:
    if layout == "halves":
        return np.concatenate([one, other], 1)
    return np.stack([one, other], 2).reshape(len(one), -1)


@dataclass(frozen=True)
class Options:
    """What a rotation computes; the last ones are slips."""

    head: int = 64
    rotary: int = 64
    base: float = 10_000.0
    layout: str = "halves"
    scaling: str = ""
    factor: float = 1.0
    attention: float = 1.0
    sections: tuple[int, ...] = ()
    dtype: str = "float32"
    style: str = "power"
    axes: tuple[int, ...] = ()
    exponent: Callable[[Array, int], Array] = lambda i, d: 2 * i / d
    rate: Callable[[Array], Array] = lambda w: w
    place: Callable[[Array], Array] = lambda p: p
    low: dict[str, str] = field(default_factory=dict)
    signs: tuple[int, int, int, int] = (1, -1, 1, 1)
    slip: str = ""
    trained: int = TRAINED
    betas: tuple[float, float] = (32, 1)

    @property
    def work(self) -> Any:
        return np.float64 if self.dtype == "float64" else np.float32

    def at(self, step: str, values: Array) -> Array:
        """`values` rounded if the slip rounds this step."""
        return rounded(values, self.low[step]) if step in self.low else values

    def frequencies(self) -> Array:
        i = np.arange(self.rotary // 2).astype(self.work)
        if self.style == "exp":
            rates = np.exp(-np.log(self.work(self.base)) * self.exponent(i, self.rotary))
        elif self.style == "multiplied":
            step = self.work(self.base) ** self.work(-2 / self.rotary)
            rates = np.cumprod(np.r_[self.work(1), np.full(len(i) - 1, step)], dtype=self.work)
        else:
            rates = 1 / self.work(self.base) ** self.exponent(i, self.rotary).astype(self.work)
        return self.rate(self.scaled(rates, i)).astype(self.work)

    def scaled(self, rates: Array, i: Array) -> Array:
        """The frequencies of long texts."""
        if self.scaling == "linear":
            return rates / self.factor
        if self.scaling == "longrope":
            return rates / (SHORT if self.slip == "text" else LONG)[: len(i)]
        if self.scaling == "proportional":
            return np.where(i < self.rotary // 8, rates / self.factor, 0)
        if self.scaling == "llama3":
            turns = self.trained * rates / (2 * math.pi)
            kept = np.clip((turns - 1) / 3, 0, 1)
        elif self.scaling == "yarn":
            pairs, base = self.rotary / 2, math.log(self.base)
            turns = (self.trained / (2 * math.pi * beta) for beta in self.betas)
            ends = [pairs * math.log(one) / base for one in turns]
            if self.slip != "band":
                ends = [math.floor(ends[0]), math.ceil(ends[1])]
            first, last = max(ends[0], 0), min(ends[1], self.rotary - 1)
            kept = 1 - np.clip((i - first) / (last - first), 0, 1)
        else:
            return rates
        kept = 1 - kept if self.slip == "upside down" else kept
        return rates * (kept + (1 - kept) / self.factor)

    def cosine_sine(self, positions: Array) -> tuple[Array, Array]:
        points = self.place(positions.astype(self.work))
        points = self.at("positions", points)
        points = points[:, list(self.axes)] if self.axes else points[:, np.newaxis]
        angles = points.astype(self.work) * self.at("frequencies", self.frequencies())
        angles = self.at("angles", angles)
        both = [np.cos(angles) * self.attention, np.sin(angles) * self.attention]
        both = [self.at("table", part.astype(self.work)) for part in both]
        if self.dtype == "bfloat16":
            both = [rounded(part, "bfloat16") for part in both]
        return both[0], both[1]

    def __call__(self, q: Array, positions: Array) -> Array:
        cosine, sine = self.cosine_sine(positions)
        if self.slip == "exchanged":
            cosine, sine = sine, cosine
        first = self.head - self.rotary if self.slip == "part" else 0
        part = q.astype(self.work)[:, first : first + self.rotary]
        x1, x2 = _split(part, self.layout)
        c1 = c2 = cosine
        s1 = s2 = sine
        if self.slip == "columns":
            (c1, c2), (s1, s2) = (_split(_joined(t, t, OTHER[self.layout]), self.layout)
                                  for t in (cosine, sine))  # fmt: skip
        a, b, c, d = self.signs
        low = (lambda v: rounded(v, "bfloat16")) if self.dtype == "bfloat16" else (lambda v: v)
        y1 = low(low(a * x1 * c1) + low(b * x2 * s1))
        y2 = low(low(c * (y1 if self.slip == "in place" else x1) * s2) + low(d * x2 * c2))
        out = q.astype(self.work)
        layout = OTHER[self.layout] if self.slip == "answer" else self.layout
        out[:, first : first + self.rotary] = _joined(y1, y2, layout)
        return out

    def encoding(self) -> Rotary | AxialRotary:
        """The same as posenc writes it, without slips."""
        yarn: dict[str, Any] = {
            "original_max_position_embeddings": TRAINED,
            "attention_factor": self.attention,
        }
        lists = SHORT[: self.rotary // 2].tolist(), LONG[: self.rotary // 2].tolist()
        scaling = {
            "": lambda: None,
            "linear": lambda: Linear(self.factor),
            "llama3": lambda: Llama3(self.factor, original_max_position_embeddings=TRAINED),
            "yarn": lambda: YaRN(self.factor, **yarn),
            "proportional": lambda: Proportional(0.25, self.factor),
            "longrope": lambda: LongRoPE(*lists, **yarn),
        }[self.scaling]()
        own: dict[str, Any] = {"base": self.base, "layout": self.layout, "scaling": scaling}
        rotary = Rotary(self.head, rotary_dim=self.rotary, **own)
        return axes.sections(rotary, self.sections) if self.sections else rotary


def options(random: np.random.Generator, scaling: str | None = None) -> Options:
    """A right rotation of any kind."""
    head = int(random.choice([32, 64, 80, 128]))
    if scaling is None:
        scaling = str(random.choice(["", "", "linear", "llama3", "yarn", "longrope"]))
    attention = float(random.choice([1.0, 1.2, 1.3466])) if scaling in ("yarn", "longrope") else 1.0
    return Options(
        head,
        head,
        base=float(random.choice([10_000, 150_000, 500_000, 1_000_000])),
        layout=str(random.choice(["halves", "interleaved"])),
        scaling=scaling,
        factor=float(random.choice([4, 8, 32])) if scaling else 1.0,
        attention=attention,
        dtype=str(random.choice(["float64", "float32", "bfloat16"])),
        style=str(random.choice(["power", "exp"] + ["multiplied"] * (not scaling))),
    )


def half(o: Options) -> Options:
    return replace(o, rotary=o.head // 2)


def _times(points: Array, factor: float) -> Array:
    return np.asarray(points * points.dtype.type(factor))


def _turned(o: Options, **slips: Any) -> tuple[Options, Options]:
    return o, replace(o, **slips)


def _low(step: str) -> Callable[[Options, Any], tuple[Options, Options]]:
    def made(o: Options, r: Any) -> tuple[Options, Options]:
        o = replace(o, dtype="float32", scaling="", factor=1.0, attention=1.0)
        return o, replace(o, low={step: str(r.choice(["bfloat16", "float16"]))})

    return made


def _in_coordinates(o: Options, r: Any) -> tuple[Options, Options]:
    pairs = o.head // 2
    few = pairs // 4
    sections = (pairs - 2 * few, few, few)
    right = tuple(np.repeat([0, 1, 2], sections).tolist())
    wrongs = [
        tuple(np.take([0, 2, 1], right).tolist()),
        (0,) * pairs,
        tuple(i % 3 if i // 3 < sections[i % 3] else 0 for i in range(pairs)),
    ]
    o = replace(o, scaling="", factor=1.0, attention=1.0, sections=sections, axes=right)
    return o, replace(o, axes=wrongs[int(r.integers(3))])


def _yarn(o: Options) -> Options:
    return replace(o, scaling="yarn", factor=32.0, attention=1.3466, style="power")


def _plain(o: Options) -> Options:
    return replace(o, scaling="", factor=1.0, attention=1.0, style="power")


def _attention(o: Options, r: Any) -> tuple[Options, Options]:
    o = _yarn(o)
    value = [1.0, o.attention**2, 1 / o.attention, 1.11][int(r.integers(4))]
    return o, replace(o, attention=value)


def _proportional(o: Options, r: Any) -> tuple[Options, Options]:
    o = replace(_plain(o), head=64, rotary=64, layout="halves", scaling="proportional")
    part = replace(o, scaling="", rotary=16)
    whole = replace(part, exponent=lambda i, _: 2 * i / 64)
    return o, [part, whole][int(r.integers(2))]


def _base(o: Options, r: Any) -> tuple[Options, Options]:
    others = [b for b in (10_000.0, 500_000.0, 5e6, 12_345.0, 77_000.0) if b != o.base]
    return o, replace(_plain(o) if not o.scaling else o, base=float(r.choice(others)))


MAKERS: dict[str, Callable[[Options, Any], tuple[Options, Options]]] = {
    "layout": lambda o, _: _turned(o, layout=OTHER[o.layout]),
    "columns": lambda o, _: _turned(o, slip="columns"),
    "answer": lambda o, _: _turned(o, slip="answer"),
    "sign": lambda o, _: _turned(o, signs=(1, 1, -1, 1)),
    "minus": lambda o, r: _turned(o, signs=((1, 1, 1, 1), (1, -1, -1, 1))[int(r.integers(2))]),
    "exchanged": lambda o, _: _turned(o, slip="exchanged"),
    "in place": lambda o, _: _turned(o, slip="in place"),
    "sines missing": lambda o, _: _turned(o, signs=(1, 0, 0, 1)),
    "twice": lambda o, _: _turned(o, rate=lambda w: 2 * w, attention=o.attention**2),
    "nothing": lambda o, _: _turned(_plain(o), place=lambda p: 0 * p),
    "part": lambda o, _: _turned(half(o), slip="part"),
    "whole head": lambda o, _: _turned(half(_plain(o)), rotary=o.head),
    "attention": _attention,
    "attention rule": lambda o, _: _turned(
        replace(_yarn(o), attention=1.0), attention=0.1 * math.log(32) + 1
    ),
    "base": _base,
    "exponent": lambda o, r: _turned(
        _plain(o),
        exponent=(lambda i, d: i / d, lambda i, d: 4 * i / d, lambda i, d: 2 * i / (d - 2))[
            int(r.integers(3))
        ],
    ),
    "exponent width": lambda o, _: _turned(half(_plain(o)), exponent=lambda i, d: i / d),
    "exponent start": lambda o, _: _turned(_plain(o), exponent=lambda i, d: 2 * (i + 1) / d),
    "exponent whole": lambda o, _: _turned(_plain(o), exponent=lambda i, d: 2 * i // d),
    "order": lambda o, _: _turned(o, rate=lambda w: w[::-1]),
    "cycles": lambda o, _: _turned(o, rate=lambda w: w * 2 * math.pi),
    "coordinates": _in_coordinates,
    "scaling ignored": lambda o, _: _turned(
        replace(o, scaling="llama3", factor=8.0, attention=1.0, style="power"), scaling=""
    ),
    "another scaling": lambda o, _: _turned(_yarn(o), scaling="linear"),
    "factor": lambda o, _: _turned(_yarn(o), factor=8.0),
    "trained": lambda o, _: _turned(_yarn(o), trained=32 * TRAINED),
    "band": lambda o, r: _turned(
        _yarn(o), **({"slip": "band"} if r.integers(2) else {"betas": (1, 32)})
    ),
    "upside down": lambda o, _: _turned(_yarn(o), slip="upside down"),
    "text": lambda o, _: _turned(
        replace(o, scaling="longrope", attention=1.2, style="power"), slip="text"
    ),
    "proportional": _proportional,
    "stretch": lambda o, r: _turned(
        _plain(o), place=partial(_times, factor=float(r.choice([0.25, 3.0, 0.1])))
    ),
    "start": lambda o, r: _turned(o, place=partial(np.add, int(r.choice([1, -1, 7])))),
    "positions ignored": lambda o, _: _turned(o, place=lambda p: np.arange(len(p)).astype(p.dtype)),
    "rows end": lambda o, r: _turned(o, place=partial(np.minimum, int(r.choice([99, 255, 332])))),
    "positions rounded": lambda o, _: _turned(
        replace(o, dtype="float32"), low={"positions": "bfloat16"}
    ),
    "frequencies rounded": _low("frequencies"),
    "angles rounded": _low("angles"),
    "all rounded": lambda o, _: _turned(
        replace(_plain(o), base=500_000.0, dtype="float32"),
        low=dict.fromkeys(("positions", "frequencies", "angles"), "bfloat16"),
    ),
    "table rounded": _low("table"),
}


def wrong(seed: int) -> tuple[str, Options, Options]:
    """The kind of a slip, a right rotation, and what the slip makes of it."""
    random = np.random.default_rng(seed)
    kind = list(MAKERS)[seed % len(MAKERS)]
    return kind, *MAKERS[kind](options(random), random)
