"""Bases and scalings that explain how fast the pairs of a rotary cache turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from math import exp, log

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._speeds import Encoding, divided_share
from posenc.rotary import NTK, Linear, Llama3, LongRoPE, Proportional, Scaling, YaRN

BASES = (10_000.0, 500_000.0, 1_000_000.0, 150_000.0, 160_000.0, 5_000_000.0, 10_000_000.0)
FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 40.0, 64.0)
USUAL: tuple[Scaling, ...] = tuple(map(NTK, FACTORS))
PARTS = (0.25, 0.5)  # of the pairs that turn
ORIGINALS = tuple(2.0**power for power in range(9, 19))  # lengths that models were first trained on
RAMPS = tuple(  # for each length; `_ramps` replaces the factors
    ramp
    for original in ORIGINALS
    for ramp in (
        Llama3(original_max_position_embeddings=original),
        YaRN(1.0, original_max_position_embeddings=original),
        YaRN(1.0, original_max_position_embeddings=original, truncate=False),
    )
)
_BEST = 4  # ramps that are compared with the table
_FAST = 3  # pairs that give the base where slow ones are scaled
_CLOSE = 0.03  # largest relative distance of a known base from one that few digits show
_FEW = 2  # pairs that some base and some factor always explain; only round factors count
_LEAST, _MOST = 0.99, 2.0  # limits for the smallest divisor of LongRoPE, which is about 1
_RISING, _MANY = 4, 16  # pairs that are enough if their divisors rise, or if they do not
_NEARLY = 0.95  # of the divisor before it: noise may make a divisor fall


def explained(
    turns: FloatArray,
    weight: FloatArray,
    amplitude: float,
    rank: Callable[[FloatArray], float] | None = None,
) -> Iterator[Encoding]:
    """Encodings whose pairs may turn by `turns` (pairs,), the simplest first.

    `weight` says how much is known about each logarithm. If the rows say little about
    slow pairs, `rank` gives the distance of frequencies from the rows.
    """
    seen = np.flatnonzero((weight > 0) & (turns > 0))
    if not len(seen):
        return
    pairs, head = len(turns), 2 * len(turns)
    logs, weights = np.log(turns[seen]), weight[seen]
    yield from (kind for kind in _straight(seen, logs, weights, head) if kind.base > 1)
    if pairs > 2:
        yield from _cut(turns, seen, head, usual=rank is not None)
        bases = _bases(turns, seen, head)
        factor = _factor(turns, seen, bases, head)
        yield from _ramps(turns, weight, bases, factor, amplitude, rank)
        yield from _free(turns, head, amplitude)


def _straight(
    seen: np.ndarray, logs: FloatArray, weights: FloatArray, head: int
) -> Iterator[Encoding]:
    """One line through all logarithms: a base, perhaps with linear or NTK scaling."""
    i = seen.astype(np.float64)
    slope = -float((weights * i) @ logs / ((weights * i) @ i)) if seen.any() else 0.0
    *bases, measured = near_bases(slope * head / 2, _CLOSE) if slope else [10_000.0]
    plain = [Encoding(head, base) for base in bases]
    short = [one for one in plain if one.base in BASES or one.base in _digits(one.base, 1)]
    scaled = list(_ntk(measured, head))
    # A usual factor is likelier than a base of three digits or more.
    usual = [one for one in scaled if one.scaling in USUAL]
    yield from dict.fromkeys([*short, *usual, *plain, *scaled])
    yield Encoding(head, float(f"{measured:.7e}"))
    yield Encoding(head, measured)
    middle, level = np.average(i, weights=weights), np.average(logs, weights=weights)
    spread = np.average((i - middle) ** 2, weights=weights)
    tilt = -np.average((i - middle) * logs, weights=weights) / (spread or np.inf)
    factor = _exp(-float(level + tilt * middle))
    slopes = near_bases(tilt * head / 2) if spread else [10_000.0]
    few = head <= 2 * _FEW
    for base, near in product(slopes, _digits(factor, 1 if few else 4)):
        if abs(near - 1) > 1e-4 and not (few and abs(near / factor - 1) > 1e-3):
            yield Encoding(head, base, Linear(near))


def _ntk(measured: float, head: int) -> Iterator[Encoding]:
    """Known bases that a round factor of NTK scaling turns into the `measured` one."""
    for known in BASES:
        stretch = (measured / known) ** ((head - 2) / head)
        for factor in _digits(stretch, 2):
            if factor > 1 and abs(stretch / factor - 1) < 1e-3:
                yield Encoding(head, known, NTK(factor))


def _cut(turns: FloatArray, seen: np.ndarray, head: int, *, usual: bool) -> Iterator[Encoding]:
    """Only the first pairs turn: Gemma 4's proportional scaling, with `usual` parts too."""
    turning = int(seen[-1]) + 1
    parts = [turning / len(turns)] if turning < len(turns) else []
    for base, part in product(_bases(turns, seen, head), [*parts, *(PARTS if usual else ())]):
        yield Encoding(head, base, Proportional(part))


def _bases(turns: FloatArray, seen: np.ndarray, head: int) -> list[float]:
    """The base that each of the fastest pairs implies, rounded."""
    found: list[float] = []
    for i in seen[seen > 0][:_FAST]:
        base = near_bases(-log(turns[i]) * head / (2 * int(i)))[0]
        found += [base] if base > 1 else []
    return list(dict.fromkeys(found))


def _factor(turns: FloatArray, seen: np.ndarray, bases: list[float], head: int) -> list[float]:
    """By how much the slowest pairs are divided, rounded; known factors follow."""
    last = int(seen[-1])
    told = [base ** (-2 * last / head) / turns[last] for base in bases]
    near = [digit for value in told if value > 1.01 for digit in _digits(float(value), 1)]
    return list(dict.fromkeys([*near, *FACTORS]))


def _ramps(
    turns: FloatArray,
    weight: FloatArray,
    bases: list[float],
    factors: list[float],
    warmth: float,
    rank: Callable[[FloatArray], float] | None,
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
        yield _warmed(Encoding(head, base, replace(ramp, factor=factor)), warmth)


def _speeds_of_ramps(base: float, factors: list[float], head: int) -> FloatArray:
    """The speeds of `base` with each of `factors` and each of `RAMPS`, `(rows, pairs)`.

    A table is compared with hundreds of ramps, and most of them differ only in the factor.
    """
    divided = np.stack([divided_share(ramp, base, head) for ramp in RAMPS])
    kept = 1 - divided + divided / np.array(factors)[:, np.newaxis, np.newaxis]
    speeds: FloatArray = Encoding(head, base).speeds() * kept
    return np.concatenate(speeds)


def _warmed(kind: Encoding, amplitude: float) -> Encoding:
    """`kind` with the attention factor that the table has."""
    scaling = kind.scaling
    if not isinstance(scaling, YaRN) or abs(kind.attention() - amplitude) < 1e-3:
        return kind
    return kind._replace(scaling=replace(scaling, attention_factor=_digits(amplitude, 4)[-1]))


def _free(turns: FloatArray, head: int, amplitude: float) -> Iterator[Encoding]:
    """A separate divisor for each pair, as in LongRoPE, with the paper's base.

    Any frequencies have such divisors. Those of LongRoPE are at least 1 (Ding et al. 2024), and
    those published for Phi-3 rise from about 1. Divisors that fall need more pairs.
    """
    if not (turns > 0).all():
        return
    factors = 10_000.0 ** (-np.arange(len(turns)) / len(turns)) / turns
    rise = (factors[1:] >= _NEARLY * factors[:-1]).all()
    if len(turns) < (_RISING if rise else _MANY) or not _LEAST <= factors.min() < _MOST:
        return
    near = [float(f"{factor:.6g}") for factor in factors]
    warmth = _digits(amplitude, 4)[-1]
    given = {"original_max_position_embeddings": 4096, "attention_factor": warmth}
    yield Encoding(head, 10_000.0, LongRoPE(near, near, **given))


def near_bases(logarithm: float, close_to: float = 0.01) -> list[float]:
    """Round bases near the one with the measured `logarithm`, known ones first, then this one."""
    base = _exp(logarithm)
    close = [known for known in BASES if abs(base / known - 1) < close_to]
    return list(dict.fromkeys([*close, *_digits(base, 3), base]))


def _exp(power: float) -> float:
    """Euler's number to the `power`, or to the nearest one that float64 can invert."""
    return exp(min(max(power, -300), 300))


def _digits(number: float, most: int) -> list[float]:
    """`number` rounded to one significant digit, to two, ... and to `most + 1`."""
    return [float(f"{number:.{digits}e}") for digits in range(most + 1)]
