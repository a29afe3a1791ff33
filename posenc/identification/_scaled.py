"""Bases and scalings that explain how fast the pairs of a rotary cache turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import ceil, exp, floor, log, pi

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._rows import FLOAT32, as_good
from posenc.identification._turning import Parts
from posenc.rotary import (
    NTK,
    Linear,
    Llama3,
    LongRoPE,
    Proportional,
    Rotary,
    Scaling,
    YaRN,
)

BASES = (10_000.0, 500_000.0, 1_000_000.0, 150_000.0, 160_000.0, 5_000_000.0, 10_000_000.0)
FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 40.0, 64.0)
ORIGINALS = tuple(2.0**power for power in range(9, 19))  # positions of the first training
_BEST = 4  # ramps that are compared with the table
_FAST = 3  # pairs that give the base where slow ones are scaled


def simplest(
    parts: Parts, turns: FloatArray, weight: FloatArray, amplitude: float
) -> tuple[Rotary | None, float]:
    """The simplest encoding that makes `parts` as well as any other, and its error."""
    tried: list[tuple[float, Rotary]] = []
    positions, values = parts.positions, parts.values()
    for rotary in explained(turns, weight, amplitude):
        made = parts.waves(positions[:, np.newaxis] * rotary.frequencies())
        factor = rotary.attention_factor() * snapped(amplitude / rotary.attention_factor())
        tried.append((float(np.abs(values / factor - made).max()), rotary))
    best = min((error for error, _ in tried), default=np.inf)
    rounding = float(positions[-1]) * FLOAT32 / 4
    for error, rotary in tried:
        if as_good(error, best) or error <= best + rounding:
            return rotary, error
    return None, best


def snapped(amplitude: float) -> float:
    """`amplitude`, or 1 or a rounder number where rounding explains the difference."""
    for digits in range(4):
        near = float(f"{amplitude:.{digits}e}")
        if abs(near / amplitude - 1) < 1e-6 or (near == 1 and abs(amplitude - 1) < 1e-3):
            return near
    return amplitude


def explained(turns: FloatArray, weight: FloatArray, amplitude: float) -> Iterator[Rotary]:
    """Encodings whose pairs may turn by `turns` (pairs,), the simplest first.

    `weight` says how much is known about each logarithm.
    """
    seen = np.flatnonzero((weight > 0) & (turns > 0))
    if not len(seen):
        return
    pairs, head = len(turns), 2 * len(turns)
    logs, weights = np.log(turns[seen]), weight[seen]
    yield from _straight(seen, logs, weights, head)
    if pairs > 2:
        yield from _cut(turns, seen, head)
        bases = _bases(turns, seen, head)
        factor = _factor(turns, seen, bases, head)
        yield from _ramps(turns, weight, bases, factor, amplitude)
        yield from _free(turns, head, amplitude)


def _straight(
    seen: np.ndarray, logs: FloatArray, weights: FloatArray, head: int
) -> Iterator[Rotary]:
    """One line through all logarithms: a base, perhaps with linear or NTK scaling."""
    i = seen.astype(np.float64)
    slope = -float(np.dot(weights * i, logs) / np.dot(weights * i, i)) if seen.any() else 0.0
    *bases, measured = _round(exp(min(slope * head / 2, 300))) if slope else [10_000.0]
    for base in bases:
        yield Rotary(head, base=base)
    if head > 2:
        for known in BASES:
            stretch = (measured / known) ** ((head - 2) / head)
            for factor in _digits(stretch, 2):
                if factor > 1 and abs(stretch / factor - 1) < 1e-3:
                    yield Rotary(head, base=known, scaling=NTK(factor))
    yield Rotary(head, base=float(f"{measured:.7e}"))
    yield Rotary(head, base=measured)
    middle, level = np.average(i, weights=weights), np.average(logs, weights=weights)
    spread = np.average((i - middle) ** 2, weights=weights)
    tilt = -np.average((i - middle) * logs, weights=weights) / spread if spread else 0.0
    factor = exp(-float(level + tilt * middle))
    for base, near in product(
        _round(exp(min(tilt * head / 2, 300))) if spread else [10_000.0], _digits(factor, 4)
    ):
        if abs(near - 1) > 1e-4:
            yield Rotary(head, base=base, scaling=Linear(near))


def _cut(turns: FloatArray, seen: np.ndarray, head: int) -> Iterator[Rotary]:
    """Only the first pairs turn: Gemma 4's proportional scaling."""
    turning = int(seen[-1]) + 1
    if not 1 < turning < len(turns):
        return
    for base in _bases(turns, seen, head):
        yield Rotary(head, base=base, scaling=Proportional(turning / len(turns)))


def _bases(turns: FloatArray, seen: np.ndarray, head: int) -> list[float]:
    """The base that each of the fastest pairs tells, rounded."""
    found: list[float] = []
    for i in seen[seen > 0][:_FAST]:
        logarithm = -log(turns[i]) * head / (2 * int(i))
        if 0 < logarithm < 300:
            found += [base for base in _round(exp(logarithm))[:1] if base > 1]
    return list(dict.fromkeys(found))


def _factor(turns: FloatArray, seen: np.ndarray, bases: list[float], head: int) -> list[float]:
    """By how much the slowest pairs are divided, rounded; known factors follow."""
    last = int(seen[-1])
    told = [base ** (-2 * last / head) / turns[last] for base in bases]
    near = [digit for value in told if value > 1.01 for digit in _digits(float(value), 1)]
    return list(dict.fromkeys([*near, *FACTORS]))


def _ramps(
    turns: FloatArray, weight: FloatArray, bases: list[float], factors: list[float], warmth: float
) -> Iterator[Rotary]:
    """Fast pairs kept and slow ones divided: Llama 3 and YaRN, those that fit best."""
    head = 2 * len(turns)
    i = np.arange(len(turns))
    logs = np.log(np.where(turns > 0, turns, 1.0))
    weight = np.where(turns > 0, weight, 0.0)
    tries: list[tuple[float, int, float, Scaling]] = []
    for base, factor, original in product(bases, factors, ORIGINALS):
        plain = base ** (-2 * i / head)
        scalings: list[tuple[Scaling, FloatArray]] = [
            (
                Llama3(factor, original_max_position_embeddings=original),
                1 - np.clip((original * plain / (2 * pi) - 1) / 3, 0, 1),
            )
        ]
        for truncate in (True, False):
            first, last = _ends(base, head, original, truncate=truncate)
            yarn = YaRN(factor, original_max_position_embeddings=original, truncate=truncate)
            scalings.append((yarn, np.clip((i - first) / (last - first), 0, 1)))
        for scaling, divided in scalings:
            scaled = np.log(plain * (1 - divided + divided / factor))
            miss = float(np.dot(weight, (scaled - logs) ** 2))
            tries.append((miss, len(tries), base, scaling))
    for _, _, base, scaling in sorted(tries)[:_BEST]:
        yield Rotary(head, base=base, scaling=_warmed(scaling, warmth))


def _ends(base: float, head: int, original: float, *, truncate: bool) -> tuple[float, float]:
    """Pairs at which YaRN's ramp begins and ends."""
    first, last = (head * log(original / (2 * pi * beta)) / (2 * log(base)) for beta in (32, 1))
    if truncate:
        first, last = floor(first), ceil(last)
    first, last = max(first, 0), min(last, head - 1)
    return first, last + 0.001 if first == last else last


def _warmed(scaling: Scaling, amplitude: float) -> Scaling:
    """`scaling` with the attention factor that the table has."""
    if not isinstance(scaling, YaRN) or abs(scaling.attention(None) - amplitude) < 1e-3:
        return scaling
    return YaRN(
        scaling.factor,
        original_max_position_embeddings=scaling.original_max_position_embeddings,
        truncate=scaling.truncate,
        attention_factor=_digits(amplitude, 4)[-1],
    )


def _free(turns: FloatArray, head: int, amplitude: float) -> Iterator[Rotary]:
    """Each pair's own number, as in LongRoPE with the paper's base."""
    if (turns > 0).all():
        factors = 10_000.0 ** (-np.arange(len(turns)) / len(turns)) / turns
        near = [float(f"{factor:.6g}") for factor in factors]
        yield Rotary(
            head,
            scaling=LongRoPE(
                near,
                near,
                original_max_position_embeddings=4096,
                attention_factor=_digits(amplitude, 4)[-1],
            ),
        )


def _round(base: float) -> list[float]:
    """Round bases near the measured one, and itself."""
    close = [known for known in BASES if abs(base / known - 1) < 0.01]
    return list(dict.fromkeys([*close, *_digits(base, 3), base]))


def _digits(number: float, most: int) -> list[float]:
    """`number` rounded to one significant digit, to two, ... and to `most + 1`."""
    return [float(f"{number:.{digits}e}") for digits in range(most + 1)]
