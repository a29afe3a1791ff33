"""Read a vector by its numbers as inverse frequencies, and a table by its name as a cache."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification._answer import Identification, Match, RotaryCache
from posenc.identification._measure import ROUNDED
from posenc.identification._rules import BASES, FACTORS, Encoding, _ramps, explained
from posenc.identification._words import Finding, listed
from posenc.rotary import Linear, Llama3, Proportional, Rotary, YaRN

_FEWEST = 4  # frequencies that say a base
_ENOUGH = 12  # frequencies that say a scaling of slow pairs
_FLOAT32 = 2.0**-19  # relative error of powers that are computed in float32
_FASTEST = 7.0  # radians per position: a bit more than a turn
_DIGITS = {"bfloat16": (8, -133), "float16": (11, -24)}  # bits, and the power of the least step
_PARTS = (0.25, 0.5, 0.75)  # of the pairs that turn, where the last ones are 0 on purpose


def is_falling(vector: npt.NDArray[Any]) -> bool:
    """Whether `vector` may hold inverse frequencies: positive, falling, perhaps some zeros."""
    if vector.ndim != 1 or vector.dtype.kind != "f" or not np.isfinite(vector).all():
        return False
    left = vector[vector != 0].astype(np.float64)
    if len(left) < _FEWEST:
        return False
    return bool(left[-1] > 0 and np.all(np.diff(left) <= 0) and left[-1] < left[0] <= _FASTEST)


def explained_vector(vector: npt.NDArray[Any]) -> Identification:
    """The base and scaling of a falling vector, what its values are rounded to, and its zeros."""
    values = vector.astype(np.float64)
    answer = Identification(rows_used=len(values), tolerance=_FLOAT32)
    zeros = values == 0
    heads = len(values)
    if np.allclose(values, 2.0 ** (-8 * np.arange(1, heads + 1) / heads), rtol=_FLOAT32, atol=0):
        return replace(answer, findings=(Finding("alibi", f"ALiBi's slopes for {heads} heads"),))
    for form in (None, *(name for name in ("bfloat16", "float16") if _lies_on(values, name))):
        for kind in _kinds(values, form):
            made = kind.speeds()
            if not _fits(values, made, form):
                continue
            filled = ~zeros & (made > 0)
            error = float(np.abs(values / np.where(filled, made, 1) - 1)[filled].max())
            found = tuple(_noticed(kind, form, np.flatnonzero(zeros & (made > 0))))
            rotary = kind.rotary()
            made = rotary.frequencies()
            match = Match(convention=rotary, error=error, findings=found, made=made)
            return replace(answer, matches=(match,))
    some = ", ".join(f"{one:.4g}" for one in values[:_FEWEST])
    words = f"a vector that falls by no known rule: {some}, ..."
    return replace(answer, findings=(Finding("no-rule", words),))


def _lies_on(values: FloatArray, form: str) -> bool:
    return bool((ROUNDED[form](values) == values).all())


def _kinds(values: FloatArray, form: str | None) -> Iterator[Encoding]:
    """Encodings that may have these frequencies, the simplest first."""
    count = len(values)
    turning = int(np.flatnonzero(values)[-1]) + 1
    part = turning / count
    turns, weight = values, (values > 0).astype(np.float64)
    found = [*_straight(values, form), *explained(turns, weight, 1.0)]
    if turning < _ENOUGH:
        found = [kind for kind in found if not isinstance(kind.scaling, Llama3 | YaRN)]
    elif form:  # slow pairs of ramps, of which rounding hides the base
        found += _ramps(turns, weight, list(BASES), list(FACTORS), 1.0, None)
    for kind in found:
        plain = kind.scaling is None
        if isinstance(kind.scaling, Proportional) or (plain and part in _PARTS):
            if part not in _PARTS:
                continue
            kind = kind._replace(scaling=Proportional(part))
        elif isinstance(kind.scaling, YaRN):  # its factor of cosine and sine is not in the vector
            kind = kind._replace(scaling=replace(kind.scaling, attention_factor=None))
        yield kind


def _straight(values: FloatArray, form: str | None) -> Iterator[Encoding]:
    """A known base, or the one with the fewest digits, that all frequencies allow."""
    factor = float(f"{1 / values[0]:.4g}")
    seen = np.flatnonzero(values[1:]) + 1
    near = values[seen]
    off = near * _FLOAT32
    if form is not None:
        bits, least = _DIGITS[form]
        off += np.ldexp(1.0, np.maximum(np.frexp(near)[1] - bits, least) - 1)
    logs = np.log(factor * np.maximum([near - off, near + off], 1e-300)) * (len(values) / -seen)
    low, high = float(np.exp(logs[1].max())), float(np.exp(min(logs[0].min(), 600)))
    if low > high or high <= 1:
        return
    known = [base for base in BASES if low <= base <= high]
    base = known[0] if known else _roundest(low, high)
    yield Encoding(2 * len(values), base, Linear(factor) if factor != 1 else None)


def _roundest(low: float, high: float) -> float:
    """A number from `low` to `high` with the fewest digits."""
    for digits in range(17):
        unit = 10.0 ** (math.floor(math.log10(high)) - digits)
        number = float(f"{math.ceil(low / unit) * unit:.{digits}e}")
        if low <= number <= high:
            return number
    return low


def _fits(values: FloatArray, made: FloatArray, form: str | None) -> bool:
    """Whether `values`, zeros apart, are the frequencies `made`, rounded to `form`."""
    if ((values > 0) & (made == 0)).any():
        return False
    values, made = values[values > 0], made[values > 0]
    if form is None:
        return bool((np.abs(values / made - 1) <= _FLOAT32).all())
    ends = [ROUNDED[form](made * (1 + side * _FLOAT32)) for side in (-1, 1)]
    return bool(((values == ends[0]) | (values == ends[1])).all())


def _noticed(kind: Encoding, form: str | None, unfilled: npt.NDArray[Any]) -> Iterator[Finding]:
    if form:
        yield Finding("frequencies-rounded", f"rounded to {form}")
    if len(unfilled):
        where = listed(unfilled.tolist())
        yield Finding("unfilled", f"frequencies {where} are 0: never filled")
    if isinstance(kind.scaling, YaRN):
        yield Finding("attention-open", "they do not show YaRN's attention factor")


def as_cache(match: Match) -> Match:
    """`match` as a rotary cache if it is a table of cosines, then sines: a name says that it is."""
    kind = match.convention
    if not isinstance(kind, Convention) or kind.freq_shift or kind.spread or match.mistakes:
        return match
    if (kind.arrangement, kind.order) != ("halves", "cos_first") or match.made is None:
        return match
    scaling = None if kind.angle_scale == 1 else Linear(1 / kind.angle_scale)
    width = match.made.shape[-1]
    rotary = Rotary(width, base=kind.base, scaling=scaling)
    size = kind.amplitude * width**kind.amplitude_power
    cache = RotaryCache(rotary=rotary, part="cos|sin", amplitude=size, start=kind.start)
    found = tuple(one for one in match.findings if one.code != "rotary-too")
    return replace(match, convention=cache, libraries=(), findings=found)
