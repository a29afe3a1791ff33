"""Compare a sample with its right recipe, and say in words what was measured."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from posenc._formats import FORMATS, rounded
from posenc._output import code
from posenc._phase import FloatArray
from posenc.checking._fits import measured
from posenc.checking._samples import Cache, Sample, Turned, Vector
from posenc.checking._search import differences, explanations
from posenc.checking._step_slips import LOW
from posenc.checking._tolerances import narrowest
from posenc.checking._verdict import Verdict
from posenc.checking.recipes import Recipe
from posenc.identification import identify
from posenc.identification._words import listed

_DECISIVE = 0.5  # share of values that a wrong program would change by more than is allowed
_NEAR = 1e-4  # relative difference of a measured number that counts as none
_SHARP = 1e-5  # the same, for the digits of a number
_COARSE = 2.0**-12, 2.0**-4  # relative errors of frequencies that half precision makes
_TRAINED = "a model that was trained with such frequencies needs them"


@np.errstate(all="ignore")
def judged(sample: Sample, held: str, right: Any, dtype: str | None, name: str = "") -> Verdict:
    """The verdict on a sample whose values have the dtype `held`."""
    values = sample.values

    def told(
        error: float, allowed: float, form: str, *, right: bool = False, **more: Any
    ) -> Verdict:
        return Verdict(right=right, error=error, allowed=allowed, format=form, name=name, **more)

    if not np.isfinite(values).all():
        row, column = np.argwhere(~np.isfinite(values))[0].tolist()
        where = f"{values[row, column]} {_place(sample, row, column)}"
        return told(np.inf, 0.0, held, facts=(where,))
    first = dtype or narrowest(values, held)
    if isinstance(sample, Vector) and FORMATS[first].bits < FORMATS["float32"].bits:
        first = "float32"  # half precision moves far angles: it is a slip, and no allowance
    forms = (first, "float32") if first == "float64" and dtype is None else (first,)
    for form in forms:
        apart = differences(sample, right, form)
        if apart is not None and (apart <= 1).all():
            _refuse_far(sample, right, form)
            _refuse_still(sample, right, form)
            error, allowed, _ = _worst(sample, right, form, apart)
            facts = [_coverage(sample)]
            if form != first:
                facts.append(f"its angles or values are float32, not {first}")
            return told(error, allowed, form, facts=tuple(facts), right=True)
    form = forms[-1]
    found = explanations(sample, right, form)
    kinds = tuple(tuple(wrong.kind for wrong in one) for one in found)
    words = tuple(" and ".join(wrong.words for wrong in one) for one in found)
    if apart is None:
        got = f"{values.shape[1]} columns instead of {sample.made(right).shape[1]}"
        return told(np.inf, 0.0, form, slips=kinds, words=words, facts=(got,))
    made = sample.made(right)
    error, allowed, where = _worst(sample, right, form, np.abs(values - made) * (apart > 1))
    more: tuple[str, ...] = () if found else _facts(sample, right, apart)
    if any("frequencies rounded" in one for one in kinds):
        more = (_TRAINED,)
    return told(error, allowed, form, slips=kinds, words=words, facts=(where, *more))


def _refuse_far(sample: Sample, right: Any, form: str) -> None:
    """Refuse positions so far that rounded angles may give almost any value."""
    made = sample.made(right)
    if np.mean(sample.allowed(right, form) <= np.sqrt(np.mean(made**2)) / 2) < _DECISIVE:
        rule = "positions must be near enough for rounded angles to show anything"
        raise ValueError(f"{rule}, got up to {np.abs(sample.positions).max():g}")


def _refuse_still(sample: Sample, right: Any, form: str) -> None:
    """Refuse features or a cache that the right rotation moves by no more than a rounding."""
    if not isinstance(sample, Turned | Cache) or not right.rotary.frequencies().any():
        return
    still = replace(sample, positions=0 * sample.positions).made(right)
    if not (np.abs(sample.made(right) - still) > sample.allowed(right, form)).any():
        what, largest = "rows", "rows"
        if isinstance(sample, Turned):
            what, largest = "features", f"features up to {np.abs(sample.x).max():.3g}"
        rule = f"function must hold {what} that turn by more than a rounding"
        raise ValueError(f"{rule}, got {largest} {_coverage(sample)}")


def _worst(sample: Sample, right: Any, form: str, size: FloatArray) -> tuple[float, float, str]:
    """The difference where `size` is largest, what is allowed there, and where that is."""
    row, column = (int(i) for i in np.unravel_index(int(np.argmax(size)), size.shape))
    error = abs(float(sample.values[row, column] - sample.made(right)[row, column]))
    return error, float(sample.allowed(right, form)[row, column]), _place(sample, row, column)


def _place(sample: Sample, row: int, column: int) -> str:
    if len(sample.positions) == 1:
        return f"at {sample.column} {column}"
    position = ", ".join(f"{one:g}" for one in sample.positions[row])
    return f"at position {position}, {sample.column} {column}"


def _coverage(sample: Sample) -> str:
    if isinstance(sample, Vector):
        return f"at {sample.values.shape[1]} pairs"
    places = np.unique(sample.positions, axis=0)
    if len(places) == 1:
        return f"at position {', '.join(f'{one:g}' for one in places[0])}"
    if places.shape[1] > 1:
        return f"at {len(places)} positions"
    return f"at {len(places)} positions from {places[0, 0]:g} to {places[-1, 0]:g}"


def _facts(sample: Sample, right: Any, apart: FloatArray) -> tuple[str, ...]:
    """What holds about a sample that nothing explains."""
    more = _measured(sample, right) if isinstance(right, Recipe) else _identified(sample)
    return *_agreement(sample, apart), *more


def _agreement(sample: Sample, apart: FloatArray) -> Iterator[str]:
    agree = apart <= 1
    columns, rows = agree.all(axis=0), agree.all(axis=1)
    if columns.any() and not columns.all():
        yield f"{sample.column}s that agree everywhere: {_runs(np.flatnonzero(columns))}"
    if sample.positions.shape[1] == 1 and rows.any():
        whole = np.unique(sample.positions[rows, 0])
        yield f"positions that agree: {_runs(whole)}"


def _measured(sample: Sample, right: Recipe) -> Iterator[str]:
    own, factor = right.rotary.frequencies(), right.rotary.attention
    if isinstance(sample, Vector):
        yield from _digits(sample.values[0], own, np.inf)
    found = measured(sample, right)
    if found is None:
        return
    if abs(found.factor / factor - 1) > _NEAR:
        yield f"lengths are multiplied by {found.factor:.5g} instead of {factor:.5g}"
    unsteady = np.flatnonzero(np.isnan(found.frequencies))
    if unsteady.size:
        yield f"pairs that do not turn at a steady pace: {_runs(unsteady)}"
    other = np.flatnonzero(np.abs(found.frequencies - own) > _NEAR * np.abs(own) + 1e-6)
    if other.size:
        first = int(other[0])
        turns = f"{found.frequencies[first]:.5g} instead of {own[first]:.5g} radians"
        yield f"pairs with another frequency: {_runs(other)}; pair {first} turns by {turns}"
        yield from _digits(found.frequencies, own, float(np.ptp(sample.positions)))
    elif not unsteady.size:
        yield "the frequencies agree"


def _digits(rates: FloatArray, own: FloatArray, span: float) -> Iterator[str]:
    """Whether frequencies, measured over so many positions, have the digits of half precision."""
    seen = own * span > 1
    rates, own = np.abs(rates[seen]), own[seen]
    worst = np.max(np.abs(rates / own - 1), initial=0)
    for name in LOW:
        near = np.abs(rounded(rates, FORMATS[name]) - rates) <= _SHARP * rates
        if near.all() and _COARSE[0] < worst < _COARSE[1]:
            power = math.ceil(math.log2(worst))
            yield f"frequencies are off by up to 2^{power}: probably computed in {name}"
            return


def _identified(sample: Sample) -> Iterator[str]:
    try:
        match = identify(sample.values).match
    except ValueError:  # a value beyond 1e50, or one column
        return
    if match is not None:
        names = f", as in {', '.join(match.libraries[:3])}" if match.libraries else ""
        yield f"it is the table of {code(match.convention)}{names}"
        yield from (str(one) for one in (*match.mistakes, *match.findings))


def _runs(numbers: Any) -> str:
    """Whole numbers as ranges: 0 to 3, 7, 9 to 12 and 9 more."""
    return listed(np.asarray(numbers).astype(int).tolist(), 3, " to ")
