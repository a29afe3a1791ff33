"""Rules by which pairs turn: a base with any scaling, and what was rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from math import ceil, exp, floor, log, log10, pi
from typing import NamedTuple

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._measure import COARSE, rounded_to
from posenc.identification._words import Finding, finding
from posenc.rotary import NTK, Linear, Llama3, Proportional, Rotary, Scaling, YaRN
from posenc.rotary._turn import Layout

BASES = (10_000.0, 500_000.0, 1_000_000.0, 150_000.0, 160_000.0, 5_000_000.0, 10_000_000.0)
FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 40.0, 64.0, 128.0)
USUAL: tuple[Scaling, ...] = tuple(map(NTK, FACTORS))
PARTS = (0.25, 0.5)  # of the pairs that turn
ORIGINALS = tuple(2.0**power for power in range(9, 19))  # lengths that models were first trained on
RAMPS = tuple(  # for each length; `_ramps` replaces the factors
    ramp
    for original in ORIGINALS
    for ramp in (
        Llama3(original_max_position_embeddings=original),
        Llama3(original_max_position_embeddings=original, high_freq_factor=1.0),
        YaRN(1.0, original_max_position_embeddings=original),
        YaRN(1.0, original_max_position_embeddings=original, truncate=False),
    )
)
MODELS: tuple[tuple[float, Scaling | None], ...] = (  # bases, also with scalings of models
    *((base, None) for base in BASES),
    (500_000.0, Llama3(8.0)),
    (500_000.0, Llama3(32.0)),
    (500_000.0, Llama3(16.0, high_freq_factor=1.0)),
    (1_000_000.0, YaRN(4.0, original_max_position_embeddings=32_768)),
    (10_000.0, YaRN(40.0, original_max_position_embeddings=4096)),
    (150_000.0, YaRN(32.0, original_max_position_embeddings=4096, truncate=False)),
)
_BEST = 4  # ramps that are compared with the table
_FAST = 3  # pairs that give the base where slow ones are scaled
_CLOSE = 0.03  # largest relative distance of a known base from one that few digits show
_FEW = 2  # pairs that some base and some factor always explain; only round factors count
_OWN = 1e-6  # the same for a base of the features that turn
_STAYS = 5e7  # from such a base on, half of the pairs hardly turn
_WIDER = 32  # times as wide: hidden sizes that are taken for the width of a head
_WIDE = 0.02  # largest relative error of a base that rounded angles show

Rank = Callable[[FloatArray], float]


class Encoding(NamedTuple):
    """The options of a `Rotary`, which is slow to make: its frequencies have 60 digits.

    `form` is the number format to which code rounded them.
    """

    head_dim: int
    base: float
    scaling: Scaling | None = None
    form: str | None = None

    def rotary(self, layout: Layout = "halves") -> Rotary:
        """The encoding itself."""
        return Rotary(self.head_dim, base=self.base, scaling=self.scaling, layout=layout)

    def attention(self) -> float:
        """The factor that multiplies cosine and sine."""
        return 1.0 if self.scaling is None else self.scaling.attention(None)

    def plain_base(self) -> float:
        """The base whose powers are the frequencies before any are divided or left out."""
        if isinstance(self.scaling, NTK):
            return float(self.base * self.scaling.factor ** (self.head_dim / (self.head_dim - 2)))
        return self.base

    def speeds(self) -> FloatArray:
        """Radians per position of each pair."""
        head, base, scaling, form = self
        plain: FloatArray = self.plain_base() ** (-np.arange(0, head, 2) / head)
        if isinstance(scaling, Linear):
            plain /= scaling.factor
        elif isinstance(scaling, Proportional):
            plain[int(scaling.partial_rotary_factor * head / 2) :] = 0
        elif isinstance(scaling, Llama3 | YaRN):
            divided = divided_share(scaling, base, head)
            plain *= 1 - divided + divided / scaling.factor
        return rounded_to(form, plain) if form else plain


def divided_share(scaling: Llama3 | YaRN, base: float, head: int) -> FloatArray:
    """How far each pair's frequency is divided, from 0 to 1."""
    original = scaling.original_max_position_embeddings
    i = np.arange(head // 2)
    if isinstance(scaling, Llama3):
        low, high = scaling.low_freq_factor, scaling.high_freq_factor
        turns = original * base ** (-2 * i / head) / (2 * pi)
        return 1 - np.clip((turns - low) / max(high - low, 1e-9), 0, 1)
    betas = scaling.beta_fast, scaling.beta_slow
    first, last = (head * log(original / (2 * pi * beta)) / (2 * log(base)) for beta in betas)
    if scaling.truncate:
        first, last = floor(first), ceil(last)
    first, last = max(first, 0), min(last, head - 1)
    share: FloatArray = np.clip((i - first) / (last - first if last != first else 0.001), 0, 1)
    return share


def explained(
    turns: FloatArray, weight: FloatArray, amplitude: float, rank: Rank | None = None
) -> Iterator[Encoding]:
    """Encodings whose pairs may turn by `turns` (pairs,), the simplest first.

    `weight` says how much is known about each logarithm. If the rows say little about
    slow pairs, `rank` gives the distance of frequencies from the rows.
    """
    seen = np.flatnonzero((weight > 0) & (turns > 0))
    if not len(seen):
        return
    pairs, head = len(turns), 2 * len(turns)
    yield from (kind for kind in _straight(seen, turns, weight, head) if kind.base > 1)
    if pairs > 2:
        yield from _cut(turns, weight, seen, head, usual=rank is not None)
        bases, last = _bases(turns, seen, head), int(seen[-1])
        told = [float(base ** (-2 * last / head) / turns[last]) for base in bases]
        near = [digit for value in told if value > 1.01 for digit in digits_of(value, 1)]
        factors = list(dict.fromkeys([*near, *FACTORS]))  # by which slow pairs are divided
        yield from _ramps(turns, weight, bases, factors, amplitude, rank)


def _straight(
    seen: np.ndarray, turns: FloatArray, weight: FloatArray, head: int
) -> Iterator[Encoding]:
    """One line through all logarithms: a base, perhaps with linear or NTK scaling."""
    i, logs, weights = seen.astype(np.float64), np.log(turns[seen]), weight[seen]
    _, slope = line(i, logs, weights, level=0.0)
    *bases, exact = near_bases(slope * head / 2, _CLOSE) if slope else [10_000.0]
    whole = float(round(exact))
    plain = [Encoding(head, base) for base in bases if base != whole or base in digits_of(base, 3)]
    short = [one for one in plain if one.base in BASES or one.base in digits_of(one.base, 1)]
    scaled = list(ntk(exact, head))
    # A usual factor is likelier than a base of three digits or more.
    usual = [one for one in scaled if one.scaling in USUAL]
    longer = [Encoding(head, base) for base in (whole, *digits_of(exact, 7)[4:], exact)]
    yield from dict.fromkeys([*short, *usual, *plain, *scaled, *longer])
    level, tilt = line(i, logs, weights)
    slopes = near_bases(tilt * head / 2) if tilt else [10_000.0]
    factor = exp(min(max(-level, -300), 300))
    few = head <= 2 * _FEW
    for base, near in product(slopes, digits_of(factor, 1 if few else 4)):
        if abs(near - 1) > 1e-4 and not (few and abs(near / factor - 1) > 1e-3):
            yield Encoding(head, base, Linear(near))


def line(
    i: np.ndarray, logs: FloatArray, weight: FloatArray, level: float | None = None
) -> tuple[float, float]:
    """The line through weighted logarithms: its `level` at 0 and how fast it falls."""
    middle, height = 0.0, level
    if height is None:
        middle = float(np.average(i, weights=weight))
        height = float(np.average(logs, weights=weight))
    wide = np.average((i - middle) ** 2, weights=weight)
    slope = -float(np.average((i - middle) * (logs - height), weights=weight)) / (wide or np.inf)
    return height + slope * middle, float(slope)


def ntk(exact: float, head: int) -> Iterator[Encoding]:
    """Known bases that a round factor of NTK scaling turns into the `exact` one."""
    for known in BASES:
        stretch = (exact / known) ** ((head - 2) / head)
        for factor in digits_of(stretch, 2):
            if factor > 1 and abs(stretch / factor - 1) < 1e-3:
                yield Encoding(head, known, NTK(factor))


def _cut(
    turns: FloatArray, weight: FloatArray, seen: np.ndarray, head: int, *, usual: bool
) -> Iterator[Encoding]:
    """Only the first pairs turn: Gemma 4's proportional scaling, with `usual` parts too."""
    turning = int(seen[-1]) + 1
    parts = [turning / len(turns)] if turning < len(turns) else []
    _, slope = line(seen, np.log(turns[seen]), weight[seen], level=0.0)
    bases = dict.fromkeys([*_bases(turns, seen, head), *near_bases(slope * head / 2)])
    for base, part in product(bases, [*parts, *(PARTS if usual else ())]):
        if base > 1:
            yield Encoding(head, base, Proportional(part))


def beside(kind: Encoding) -> list[Finding]:
    """The width and the known base of the features that turn, if the whole head has neither."""
    parts = list(PARTS) if kind.scaling is None and kind.base > _STAYS else []
    if isinstance(kind.scaling, Proportional):
        parts = [kind.scaling.partial_rotary_factor]
    for part, base in product(parts, () if kind.base in BASES else BASES):
        if abs(kind.base**part / base - 1) < _OWN:
            turned = round(kind.head_dim * part)
            stay, own = kind.head_dim - turned, f"{base:,.12g}"
            is_round = not kind.scaling and kind.base in digits_of(kind.base, 0)
            whole = f"base {kind.base:,.12g}, or " if is_round else ""
            doubled = [finding("doubled")] if not kind.scaling and part == 0.5 else []
            return [finding("beside", turned=f"{whole}{turned}", base=own, stay=stay), *doubled]
    return []


def _bases(turns: FloatArray, seen: np.ndarray, head: int) -> list[float]:
    """The base that each of the fastest pairs implies, rounded."""
    found: list[float] = []
    for i in seen[seen > 0][:_FAST]:
        *near, exact = near_bases(-log(turns[i]) * head / (2 * int(i)))
        base = next(
            b for b in (*near, exact) if abs(b / exact - 1) < (1e-2 if b in BASES else 1e-3)
        )
        found += [base] if base > 1 else []
    return list(dict.fromkeys(found))


def _ramps(
    turns: FloatArray,
    weight: FloatArray,
    bases: list[float],
    factors: list[float],
    warmth: float,
    rank: Rank | None,
) -> Iterator[Encoding]:
    """Fast pairs kept and slow ones divided, as in Llama 3 and YaRN: the best fits."""
    if not bases:
        return
    head = 2 * len(turns)
    tries = list(product(bases, factors, RAMPS))
    speeds = np.concatenate([_speeds_of_ramps(base, factors, head) for base in bases])
    if rank:
        misses = np.array([rank(one) for one in speeds])
    else:
        known = turns > 0
        misses = (weight[known] * np.log(speeds[:, known] / turns[known]) ** 2).sum(axis=1)
    for number in np.argsort(misses, kind="stable")[:_BEST]:
        base, factor, ramp = tries[number]
        kind = Encoding(head, base, replace(ramp, factor=factor))
        if isinstance(ramp, YaRN) and abs(kind.attention() - warmth) >= 1e-3:
            warm = digits_of(warmth, 4)[-1]  # the attention factor that the table has
            kind = Encoding(head, base, replace(ramp, factor=factor, attention_factor=warm))
        yield kind


def _speeds_of_ramps(base: float, factors: list[float], head: int) -> FloatArray:
    """The speeds of `base` with each of `factors` and each of `RAMPS`, `(rows, pairs)`."""
    divided = _shares_of_ramps(base, head)
    kept = 1 - divided + divided / np.array(factors)[:, np.newaxis, np.newaxis]
    speeds: FloatArray = Encoding(head, base).speeds() * kept
    return np.concatenate(speeds)


@lru_cache(256)
def _shares_of_ramps(base: float, head: int) -> FloatArray:
    """What each of `RAMPS` divides, `(ramps, pairs)`: a table is compared with many factors."""
    return np.stack([divided_share(ramp, base, head) for ramp in RAMPS])


def near_bases(logarithm: float, close_to: float = 0.01) -> list[float]:
    """Round bases near the one with the measured `logarithm`, known ones first, then this one."""
    base = exp(min(max(logarithm, -300), 300))  # which float64 can invert
    close = [known for known in BASES if abs(base / known - 1) < close_to]
    whole = [float(round(base))] if base >= 1 else []
    return list(dict.fromkeys([*close, *digits_of(base, 3), *whole, base]))


def begins(kind: Encoding) -> list[Finding]:
    """A finding if pairs of another table of a known base have the same frequencies."""
    width, base, scaling = kind.head_dim, kind.base, kind.scaling
    if base <= 1 or base in BASES or not isinstance(scaling, Linear | None):
        return []
    factor, few = (scaling.factor if scaling else 1.0), width // 2
    for known in BASES[:1] if base in digits_of(base, 0) else BASES:
        exact = width * log(known) / log(base)
        whole = round(exact) if abs(round(exact) - width) == 2 else 8 * round(exact / 8)
        first = whole * log(factor) / (2 * log(known))
        near = max(abs(exact - whole), abs(first - round(first))) < max(1e-3, 5e-6 * whole)
        if near and round(first) >= 0 and width - 2 <= whole <= _WIDER * width and whole != width:
            pairs = (
                f"pairs {round(first)}-{round(first) + few - 1}"
                if factor != 1
                else f"the first {few}"
            )
            which = f"{pairs} of {whole // 2} pairs" if whole > width else f"{few} pairs"
            return [finding("begins", which=which, power=f"{known:.12g} ** (-2i / {whole})")]
    return []


def alike(kind: Encoding, is_same: Callable[[Encoding], bool], *, rough: bool = True) -> str:
    """The bases near that of `kind` with which `is_same` holds too, in words; "" if only few do."""
    ends = []
    for far in (-_WIDE, _WIDE):
        share = 0.0
        for step in (far / 2.0 ** np.arange(25)).tolist():
            if is_same(kind._replace(base=kind.base * (1 + share + step))):
                share += step
        ends.append(kind.base * (1 + share))
    low, high = ends
    if kind.base in BASES and high / low <= 1.001:  # it is likelier
        return ""
    if ceil(low) < floor(high):
        return f"from {ceil(low):,} to {floor(high):,}"
    return f"from {low:.6g} to {high:.6g}" if rough and f"{low:.6g}" != f"{high:.6g}" else ""


def digits_of(number: float, most: int) -> list[float]:
    """`number` rounded to one significant digit, to two, ... and to `most + 1`."""
    return [float(f"{number:.{digits}e}") for digits in range(most + 1)]


@dataclass(frozen=True)
class Rounding:
    """What code rounded to `format` before it took sines: frequencies, positions or angles."""

    format: str
    what: tuple[str, ...]

    def angles(self, positions: FloatArray, speeds: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The angles `(rows, pairs)`, and those on the other side of a close decision.

        Code computes in float32 what it then rounds, so the last bit decides some of them.
        """
        to = partial(rounded_to, self.format)
        where = to(positions) if "positions" in self.what else positions
        low, high = speeds * (1 - 2.0**-23), speeds * (1 + 2.0**-23)
        if "frequencies" in self.what:
            low, high = to(low), to(high)
        one, other = np.multiply.outer(where, low), np.multiply.outer(where, high)
        if "angles" in self.what:
            return to(one), to(other)
        return (one, other) if "frequencies" in self.what else ((one + other) / 2,) * 2


ROUNDINGS = tuple(
    Rounding(form, what)
    for form in COARSE
    for what in (
        ("frequencies",),
        ("positions",),
        ("angles",),
        ("positions", "angles"),
        ("frequencies", "positions"),
        ("frequencies", "angles"),
        ("frequencies", "positions", "angles"),
    )
)


def roundest(low: float, high: float) -> float:
    """A number from `low` to `high` with the fewest digits, of these the one nearest the middle."""
    for digits in range(17):
        unit = 10.0 ** (floor(log10(high)) - digits)
        for count in (round((low + high) / (2 * unit)), ceil(low / unit)):
            number = float(f"{count * unit:.{digits}e}")
            if low <= number <= high:
                return number
    return low


def around(base: float) -> list[float]:
    """Known bases and those of up to three digits near one that rounding disturbs."""
    known = [one for one in BASES if abs(one / base - 1) < _CLOSE]
    power = 10.0 ** floor(log(base) / log(10) - 2)
    found = [float(f"{first * power:.3g}") for first in range(90, 1100)]
    near = [one for one in found if abs(one / base - 1) < _WIDE]
    near.sort(key=lambda one: (len(f"{one:.2e}".partition("e")[0].rstrip("0")), abs(one - base)))
    return list(dict.fromkeys([*known, *near]))
