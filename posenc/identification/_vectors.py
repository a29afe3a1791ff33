"""Read a vector by its numbers as inverse frequencies, and a table by its name as a cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc._output import code
from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification._answer import Identification, Match
from posenc.identification._measure import COARSE, half_step, rounded_to
from posenc.identification._rules import (
    BASES,
    FACTORS,
    USUAL,
    Encoding,
    _ramps,
    alike,
    begins,
    beside,
    explained,
    ntk,
    roundest,
)
from posenc.identification._words import Finding, finding, listed, mistake
from posenc.relative import alibi_slopes
from posenc.rotary import Linear, Llama3, Proportional, Rotary, YaRN
from posenc.rotary._caches import RotaryCache

_FEWEST = 4  # frequencies that say a base
_ENOUGH = 12  # frequencies that say a scaling of slow pairs
_FLOAT32 = 2.0**-19  # relative error of powers that are computed in float32
_BFLOAT16 = 2.0**-8  # the same for values rounded to bfloat16
_FASTEST = 7.0  # radians per position: a bit more than a turn
_PARTS = (0.25, 0.5, 0.75)  # of the pairs that turn, where the last ones are 0 on purpose


def slopes(vector: npt.NDArray[Any]) -> str:
    """How ALiBi has the numbers of `vector` as slopes, in words; empty if it has not."""
    heads = vector.size
    if vector.ndim == 1 and vector.dtype.kind == "f" and heads >= _FEWEST:
        formula = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
        other = f", by its formula for powers of two; its authors' code has others for {heads}"
        for made, words in ((alibi_slopes(heads), ""), (formula, other)):
            if np.allclose(vector, made, rtol=_BFLOAT16, atol=0):
                return f"ALiBi's slopes for {heads} heads{words}"
    return ""


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
    if words := slopes(values):
        return replace(answer, findings=(Finding("alibi", words),))
    coarse = [name for name in COARSE if (rounded_to(name, values) == values).all()]
    for form in (None, *coarse):
        for kind in kinds(values, form):
            if isinstance(kind.scaling, YaRN):  # its factor of cosine and sine is not in the vector
                kind = kind._replace(scaling=replace(kind.scaling, attention_factor=None))
            made = kind.speeds()
            if not _fits(values, made, form):
                continue
            filled, kept = ~zeros & (made > 0), rounded_to(form, made) if form else made
            error = float(np.abs(values / np.where(filled, made, 1) - 1)[filled].max())
            unfilled = np.flatnonzero(zeros & (kept > 0))
            found = (*beside(kind), *_noticed(values, kind, form, unfilled))
            made = (rotary := kind.rotary()).frequencies()
            match = Match(convention=rotary, error=error, findings=found, made=made)
            return replace(answer, matches=(match,))
    some = ", ".join(f"{one:.4g}" for one in values[:_FEWEST])
    hidden = f", or by one that rounding to {coarse[0]} hides" if coarse else ""
    words = f"a vector that falls by no known rule{hidden}: {some}, ..."
    return replace(answer, findings=(Finding("no-rule", words),))


def holds_frequencies(name: str, array: npt.NDArray[Any]) -> bool:
    """Whether the name says that `array` is a vector of frequencies."""
    return array.ndim == 1 and array.dtype.kind == "f" and len(array) >= _FEWEST and "freq" in name


def is_certain(name: str, answer: Identification) -> bool:
    """Whether `answer` about a vector of this name counts: other vectors fall by some base too."""
    match = answer.match
    if not match or not isinstance(match.convention, Rotary):
        return "freq" in name or answer.findings[0].code == "alibi"
    codes = {one.code for one in match.findings} & {"begins", "beside", "alibi"}
    return not name or "freq" in name or bool(codes) or match.convention.base in BASES


def named_vector(vector: npt.NDArray[Any]) -> Identification:
    """The answer about a vector whose name says that it holds frequencies, falling or not."""
    if is_falling(vector):
        return explained_vector(vector)
    values = vector.astype(np.float64)
    answer = Identification(rows_used=len(values), tolerance=_FLOAT32)
    if not values.any():
        return replace(answer, findings=(finding("zero-frequencies"),))
    some = ", ".join(f"{one:.4g}" for one in values[:_FEWEST])
    words = f"frequencies that follow no known rule, perhaps never filled: {some}, ..."
    if (values > 0).all() and is_falling(1 / values):  # one match, or a finding
        match, slip = explained_vector(1 / values).match, mistake("exponent-sign")
        kind = match.convention if match else None
        if match and isinstance(kind, Rotary) and kind.scaling is None:
            return replace(answer, matches=(replace(match, mistakes=(slip,), made=values),))
        words = f"numbers that grow by no known rule, as wavelengths or divisors do: {some}, ..."
        for base in BASES:
            divided = explained_vector(Encoding(2 * len(values), base).speeds() / values).match
            if divided and isinstance(getattr(divided.convention, "scaling", None), Llama3):
                given = f"{base:,.12g} are divided in {code(divided.convention)}"
                words = f"divisors: by them the frequencies of base {given}"
    return replace(answer, findings=(Finding("no-rule", words),))


def kinds(values: FloatArray, form: str | None, amplitude: float = 1.0) -> Iterator[Encoding]:
    """Encodings that may have these frequencies, rounded to `form`, the simplest first."""
    count = len(values)
    if not values.any():
        return
    turning = int(np.flatnonzero(values)[-1]) + 1
    part = turning / count
    turns, weight = values, (values > 0).astype(np.float64)
    between = np.where(values > 0, ends(values, form), 0)
    factor = roundest(*(1 / between[::-1, 0]).tolist()) if values[0] > 0 else 1.0
    found = [*straight(between, factor), *explained(turns, weight, amplitude)]
    if turning < _ENOUGH:
        found = [kind for kind in found if not isinstance(kind.scaling, Llama3 | YaRN)]
    elif form:  # slow pairs of ramps, of which rounding hides the base
        bases = dict.fromkeys([*BASES, *_of_ramps(between)])
        for near in _ramps(turns, weight, list(bases), list(FACTORS), amplitude, None):
            kept = near.speeds() / near._replace(scaling=None).speeds()
            exact = [one.base for one in straight(between / kept) if one.scaling is None]
            found += [near, *(near._replace(base=base) for base in exact)]
    for kind in found:
        if isinstance(kind.scaling, Linear) and kind.scaling.factor < 1:  # more than a radian
            continue
        if isinstance(kind.scaling, Proportional) or (kind.scaling is None and part in _PARTS):
            if part not in _PARTS:
                continue
            kind = kind._replace(scaling=Proportional(part))
        yield kind


def ends(values: FloatArray, form: str | None, relative: float = _FLOAT32) -> FloatArray:
    """The least and the largest number that float32 code rounds to each of `values`."""
    off = np.abs(values) * relative
    if form is not None:
        off += half_step(form, values)
    return np.stack([values - off, values + off])


def straight(between: FloatArray, factor: float = 1.0) -> Iterator[Encoding]:
    """A known base, or the one with the fewest digits, that all frequencies allow.

    `between` has the least and the largest frequency of each pair, 0 where it is not known.
    """
    pairs = between.shape[1]
    low, high = _interval(between, factor)
    if low > high or high <= 1:
        return
    known = [base for base in BASES if low <= base <= high]
    base = known[0] if known else roundest(low, high)
    head, scaling = 2 * pairs, Linear(factor) if factor != 1 else None
    if scaling is None and float(f"{base:.2e}") != base:
        for kind in ntk((low * high) ** 0.5, head):  # by chance, few factors fit exact frequencies
            is_likely = high < 1.00001 * low or kind.scaling in USUAL
            if is_likely and low <= kind.plain_base() <= high:
                yield kind
    yield Encoding(head, base, scaling)


def _of_ramps(between: FloatArray) -> Iterator[float]:
    """Bases of which the first pairs have the frequencies, and the last ones by a factor less."""
    pairs = between.shape[1]
    kept = between.copy()
    while np.greater(*_interval(kept)):
        kept[:, np.flatnonzero(kept[1])[-1]] = 0
    fast = int(np.count_nonzero(kept[1]))
    for factor in FACTORS:
        both = kept.copy()
        for i in reversed(range(fast, pairs)):
            more = both.copy()
            more[:, i] = factor * between[:, i]
            if np.greater(*_interval(more)):
                break
            both = more
        if both[1, -1]:
            yield from (kind.base for kind in straight(both) if kind.scaling is None)


def _interval(between: FloatArray, factor: float = 1.0) -> tuple[float, float]:
    """The least and the largest base that all frequencies allow; the first is larger if none."""
    seen = np.flatnonzero(between[1, 1:] > 0) + 1
    if not len(seen):
        return 1.0, 0.0
    logs = np.log(factor * np.maximum(between[:, seen], 1e-300)) * (between.shape[1] / -seen)
    low, high = np.exp(np.minimum([logs[1].max(), logs[0].min()], 600)).tolist()
    return low, high


def _noticed(
    values: FloatArray, kind: Encoding, form: str | None, unfilled: npt.NDArray[Any]
) -> Iterator[Finding]:
    """Roundings, zeros, what is not known, and other bases that make the same numbers."""
    if form:
        base = f"{kind.base:,.12g}"
        yield finding("rounded", what="frequencies", format=form, base=base)
    if len(unfilled):
        where = listed(unfilled.tolist())
        yield Finding("unfilled", f"frequencies {where} are 0: never filled")
    if isinstance(kind.scaling, YaRN):
        yield Finding("attention-open", "they do not show YaRN's attention factor")
    if kind.base == 256:
        yield Finding("alibi", "ALiBi's slopes look the same if head 0 counts as h = 0, not 1")
    yield from (known := begins(kind))
    too = alike(kind, lambda near: _fits(values, near.speeds(), form), rough=form is not None)
    if too and not known:
        yield Finding("alike", f"bases {too} make the same numbers")


def _fits(values: FloatArray, made: FloatArray, form: str | None) -> bool:
    """Whether `values`, zeros apart, are the frequencies `made`, rounded to `form`."""
    if ((values > 0) & (made == 0)).any():
        return False
    values, made = values[values > 0], made[values > 0]
    if form is None:
        return bool((np.abs(values / made - 1) <= _FLOAT32).all())
    low, high = (rounded_to(form, made * (1 + side * _FLOAT32)) for side in (-1, 1))
    return bool(((values == low) | (values == high)).all())


def as_cache(match: Match) -> Match:
    """`match` as a rotary cache if it is a table of cosines, then sines: a name says that it is."""
    kind = match.convention
    if not isinstance(kind, Convention) or kind.freq_shift or kind.spread or match.mistakes:
        return match
    if (kind.layout, kind.order) != ("halves", "cos_first") or match.made is None:
        return match
    scaling = None if kind.angle_scale == 1 else Linear(1 / kind.angle_scale)
    width = match.made.shape[-1]
    rotary = Rotary(width, base=kind.base, scaling=scaling)
    size = kind.amplitude * width**kind.amplitude_power
    cache = RotaryCache(rotary=rotary, part="cos|sin", amplitude=size, start=kind.start)
    found = tuple(one for one in match.findings if one.code != "rotary-too")
    return replace(match, convention=cache, libraries=(), findings=found)
