"""Find the slips that explain a sample: one, one with a measured number, or two together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from posenc._phase import FloatArray
from posenc.checking import _step_slips
from posenc.checking._fits import fitted
from posenc.checking._samples import Cache, Rows, Sample, Tabled, Vector
from posenc.checking.slips import ROTARY_SLIPS, TABLE_SLIPS, Slip, Wrong

Explanation = tuple[Wrong, ...]
_SOME, _FEW = 64, 12  # rows that single slips, and pairs of slips, are tried on first
_ROUNDED = 0.98  # share of values that a slip of rounding has to explain
_EVIDENCE = 10  # times as many values that differ without the rounding
_ABRUPT = 10  # times what is allowed: where a table ends, and not where an error has grown
_ALIKE = 2.0  # a slip whose typical difference is this many times another's is no equal of it
_SECOND = {"layout", "columns", "answer", "sign", "minus", "exchanged", "in place", "part"}
_SECOND |= {"attention", "attention rule", "start", "positions rounded", "frequencies rounded"}
_SECOND |= {"angles rounded", "all rounded", "table rounded", "twice"}
_SECOND |= {"scaling ignored"}
_SAME = {Cache: ("layout", "columns"), Vector: ("frequencies rounded", "all rounded")}
_STRUCTURE = {"layout", "columns", "answer", "part", "whole head", "coordinates"}


def differences(sample: Sample, recipe: Any, form: str) -> FloatArray | None:
    """Each difference as a fraction of what `form` allows; None if the shapes differ."""
    made = sample.made(recipe)
    if made.shape != sample.values.shape:
        return None
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        apart: FloatArray = np.abs(sample.values - made) / sample.allowed(recipe, form)
    return np.where(np.isnan(apart), np.where(sample.values == made, 0.0, np.inf), apart)


def explanations(sample: Sample, right: Any, form: str) -> list[Explanation]:
    """Every explanation by as few slips as possible; those that explain as well as the best."""
    table = isinstance(sample, Tabled)
    slips = TABLE_SLIPS if table else ROTARY_SLIPS
    singles = [(wrong,) for slip in slips for wrong in slip.of(right)]
    last = _last_right(sample, right, form)
    if last is not None:
        for rows in range(last + 1, max(last - 2, 1), -1):  # the next row may differ by little
            ended = _step_slips.ended(right, rows)
            singles += [(Wrong("rows end", words, recipe),) for words, recipe in ended]
    if isinstance(sample, Cache):
        equal = (sample.values == sample.values[:1]).all(axis=1)
        before = len(equal) if equal.all() else int(np.argmin(equal))
        padded = _step_slips.padded(right, before)
        singles += [(Wrong("start", words, recipe),) for words, recipe in padded]
    ways: list[Iterable[Explanation]] = [singles]
    if not table:
        ways += [fitted(sample, right), _of_structures(sample, singles)]
    ways.append(_pairs(_felt(singles, sample, right, form), slips))
    for way, count in zip(ways, (*(_SOME,) * (len(ways) - 1), _FEW), strict=True):
        found = _explaining(way, sample, right, form, count)
        if found:
            return found
    if last is not None and _breaks(sample, right, form, last):
        later = sample.positions[sample.positions[:, 0] > last, 0].min()
        words = f"positions up to {last:,} agree, and from {later:,.0f} on none does"
        return [(Wrong("rows end", words, right),)]
    return []


def _explaining(
    way: Iterable[Explanation], sample: Sample, right: Any, form: str, count: int
) -> list[Explanation]:
    """The explanations of one way that hold in all rows, the best and its equals."""
    part = sample.at(_spread(sample, right, form, count))
    found: dict[frozenset[str], tuple[float, Explanation]] = {}
    for explanation in way:
        counts_rows = any(wrong.kind == "positions ignored" for wrong in explanation)
        if not counts_rows and _error(part, explanation, form) is None:
            continue
        error = _error(sample, explanation, form)
        if error is not None:
            found.setdefault(frozenset(wrong.words for wrong in explanation), (error, explanation))
    fewest = min((len(explanation) for _, explanation in found.values()), default=0)
    kept = [(e, one) for e, one in found.values() if len(one) == fewest]
    best = min((error for error, _ in kept), default=0.0)
    equals = [one for error, one in kept if error <= _ALIKE * best + 1e-9]
    return _distinct(equals, sample)


def _distinct(equals: list[Explanation], sample: Sample) -> list[Explanation]:
    """Without the second of two slips that are one for such a sample, and without more digits."""
    kinds = {wrong.kind for one in equals for wrong in one}
    first, other = _SAME.get(type(sample), ("", ""))
    if {first, other} <= kinds:
        return [one for one in equals if all(wrong.kind != other for wrong in one)]
    seen: set[tuple[str, ...]] = set()
    kept = []
    for one in equals:  # the first of a kind has the fewest digits
        key = tuple(wrong.kind for wrong in one)
        if key in seen and key[-1] in ("base", "stretch"):
            continue
        seen.add(key)
        kept.append(one)
    return kept


def _error(sample: Sample, explanation: Explanation, form: str) -> float | None:
    """The typical difference that an explanation leaves, None if it does not explain the sample.

    Of a slip that rounds, another program may round a few values to the other neighbour. Without
    the rounding, ten times as many must differ.
    """
    recipe = explanation[-1].recipe
    apart = differences(sample, recipe, form)
    if apart is None:
        return None
    within = apart <= 1
    if not within.all():
        exact = replace(recipe, steps=replace(recipe.steps, formats=(None,) * 4))
        if exact == recipe or np.mean(within) < _ROUNDED:
            return None
        unrounded = differences(sample, exact, form)
        assert unrounded is not None
        if np.sum(unrounded > 1) < _EVIDENCE * np.sum(~within):
            return None
    return float(np.sqrt(np.mean(apart[within] ** 2)))


def _of_structures(sample: Sample, singles: Sequence[Explanation]) -> Iterator[Explanation]:
    """A slip of the structure, with numbers that are measured on its pairs."""
    for (wrong,) in singles:
        if wrong.kind in _STRUCTURE:
            for slips in fitted(sample, wrong.recipe):
                yield (wrong, *slips)


def _felt(
    singles: Sequence[Explanation], sample: Sample, right: Any, form: str
) -> Iterator[Explanation]:
    """The slips that change what the right recipe gives for the sample."""
    part = sample.at(_spread(sample, right, form, _FEW))
    own = part.made(right)
    for explanation in singles:
        made = part.made(explanation[0].recipe)
        if made.shape != own.shape or np.abs(made - own).max() > np.abs(own).max() * 1e-9:
            yield explanation


def _pairs(singles: Iterable[Explanation], slips: Sequence[Slip]) -> Iterator[Explanation]:
    """Two slips, the second made of what the first one gives."""
    later = [slip for slip in slips if slip.kind in _SECOND or slips is TABLE_SLIPS]
    for (first,) in singles:
        for slip in later:
            if slip.kind != first.kind:
                for second in slip.of(first.recipe):
                    yield first, second


def _last_right(sample: Sample, right: Any, form: str) -> int | None:
    """The last position that agrees, if all before do and none after."""
    apart = differences(sample, right, form)
    places = sample.positions
    if apart is None or places.shape[1] != 1:
        return None
    agree = (apart <= 1).all(axis=1)
    if agree.all() or not agree.any():
        return None
    last = places[agree, 0].max()
    if last < 2 or (places[~agree, 0] <= last).any():
        return None
    return int(last)


def _breaks(sample: Sample, right: Any, form: str, last: int) -> bool:
    """Whether most values are wrong at once after the last right position."""
    apart = differences(sample, right, form)
    assert apart is not None
    after = sample.positions[:, 0] > last
    next_ = sample.positions[:, 0] == sample.positions[after, 0].min()
    return bool(np.median(apart[next_]) > 1 and apart[next_].max() > _ABRUPT)


def _spread(sample: Sample, right: Any, form: str, count: int) -> Rows:
    """Rows at evenly spread positions, and the one that differs most."""
    order = np.argsort(sample.positions[:, 0], kind="stable")
    rows = order[np.linspace(0, len(order) - 1, min(count, len(order))).astype(int)]
    apart = differences(sample, right, form)
    worst = [] if apart is None else [int(np.argmax(apart.max(axis=1)))]
    return np.unique(np.concatenate([rows, np.array(worst, np.intp)]))
