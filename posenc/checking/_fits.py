"""Measure what multiplied each pair, and say which numbers of a recipe explain it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from posenc._phase import ComplexArray, FloatArray
from posenc.checking import _turn_slips
from posenc.checking._frequency_slips import BASES, number, with_base, with_frequencies
from posenc.checking._samples import Cache, Sample, Turned
from posenc.checking._step_slips import shift, with_move
from posenc.checking.recipes import Recipe
from posenc.checking.slips import Wrong
from posenc.rotary._rotary import Rotary

_KEPT, _SHARE = 0.05, 0.9  # of a length, and of all pairs: rounding moves short pairs further
_STEADY = 0.99  # of the largest sum that directions can have
_NEAR = 1e-3  # relative error of what is measured
_FURTHEST = 4096  # positions that all rows may be moved by


@dataclass(frozen=True)
class Measured:
    """The factor of all pairs, and the frequency and the first angle of each pair.

    A pair that does not turn at a steady pace is NaN in both.
    """

    factor: float
    frequencies: FloatArray  # (pairs,) radians per position, negative if a pair turns backwards
    first: FloatArray  # (pairs,) radians at position 0


def measured(sample: Sample, recipe: Recipe) -> Measured | None:
    """What the pairs of `recipe` do in a sample; None if their lengths change by several factors.

    Frequencies need rows whose positions are neighbours.
    """
    if not isinstance(sample, Turned | Cache):
        return None
    pairs = len(recipe.rotary.axes)
    if isinstance(sample, Cache) and sample.values.shape[1] not in (2 * pairs, 4 * pairs):
        return None
    turns = sample.phasors(recipe)
    lengths = np.abs(turns)
    factor = float(np.median(lengths))
    if not 0 < factor < np.inf or np.mean(np.abs(lengths - factor) <= _KEPT * factor) < _SHARE:
        return None
    directions = turns / np.where(lengths > 0, lengths, 1)
    rates, first = np.empty(pairs), np.empty(pairs)
    for axis in set(recipe.rotary.axes):
        own = np.equal(recipe.rotary.axes, axis)
        found = _paces(directions[:, own], sample.positions[:, axis])
        if found is None:
            return None
        rates[own], first[own] = found
    return Measured(factor, rates, first)


def _paces(turns: ComplexArray, positions: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Frequencies and first angles, from positions ever further apart."""
    places, rows = np.unique(positions, return_index=True)
    turns = turns[rows]
    rates = np.zeros(turns.shape[1])
    gap = 1
    while gap < 2 * len(places):
        later = np.searchsorted(places, places + gap)
        have = (later < len(places)) & (places[np.minimum(later, len(places) - 1)] == places + gap)
        if not have.any():
            if gap == 1:
                return None
            break
        steps = (turns[later[have]] * turns[have].conj()).sum(axis=0)
        rates += np.angle(steps * np.exp(-1j * gap * rates)) / gap
        gap *= 2
    rest = (turns * np.exp(-1j * np.outer(places, rates))).sum(axis=0)
    steady = np.abs(rest) >= _STEADY * len(places)
    return np.where(steady, rates, np.nan), np.where(steady, np.angle(rest), np.nan)


def fitted(sample: Sample, structure: Recipe) -> Iterator[tuple[Wrong, ...]]:
    """Slips with measured numbers that may explain a sample, for a caller to try."""
    found = measured(sample, structure)
    if found is None or np.isnan(found.frequencies).any():
        return
    slips, recipe, rates = [], structure, found.frequencies
    if abs(found.factor / structure.rotary.attention - 1) > _NEAR:
        slips = [_attention(structure, found.factor)]
        recipe = slips[0].recipe
    backwards = float(np.sum(rates)) < 0
    if backwards:
        words, recipe = next(_turn_slips.sign(recipe))
        slips.append(Wrong("sign", words, recipe))
        rates = -rates
    for wrong in (None, *_paced(recipe, rates)):
        own = recipe if wrong is None else wrong.recipe
        offset = _offset(own, -found.first if backwards else found.first)
        more = [*slips, wrong] if wrong else list(slips)
        if offset:
            words = f"positions are {number(abs(offset))} too {'large' if offset > 0 else 'small'}"
            more.append(Wrong("start", words, with_move(own, shift(offset))))
        if more:
            yield tuple(more)


def _attention(recipe: Recipe, factor: float) -> Wrong:
    held = recipe.rotary.attention
    near = float(f"{factor:.4g}")
    words = f"the attention factor is about {near} instead of {held:.5g}"
    return Wrong(
        "attention", words, replace(recipe, rotary=replace(recipe.rotary, attention=factor))
    )


def _paced(recipe: Recipe, rates: FloatArray) -> Iterator[Wrong]:
    """Recipes with another base, or with all frequencies times one number."""
    own = recipe.rotary.frequencies()
    turning = (own != 0) & (rates > 0)
    if not turning.any():
        return
    ratios = rates[turning] / own[turning]
    stretch = float(np.median(ratios[: max(1, len(ratios) // 2)]))
    if abs(stretch - 1) > _NEAR:
        for digits in (2, 3, 4, 6):
            factor = float(f"{stretch:.{digits}g}")
            over = float(f"{1 / stretch:.{digits}g}")
            for value, said in ((factor, number(factor)), (1 / over, f"1/{number(over)}")):
                exact = [float(one) * value for one in recipe.rotary._exact]
                words = f"all frequencies are multiplied by about {said}"
                yield Wrong("stretch", words, with_frequencies(recipe, exact))
    pairs = np.flatnonzero(turning & (own < own.max()))
    if recipe.base is None or not pairs.size:
        return
    near = pairs[: max(1, len(pairs) // 4)]
    ratio, log = np.log(rates[near] / own[near]), math.log(recipe.base)
    if isinstance(recipe.source, Rotary):
        logs = log - ratio * len(own) / near  # of a frequency with the exponent -i / len(own)
    else:
        logs = log * (1 + ratio / np.log(own[near]))
    measured_base = float(np.exp(np.median(logs)))  # infinite if it is no base
    for digits in (1, 2, 3, 4, 6):
        base = float(f"{measured_base:.{digits}g}")
        if 0 < base < np.inf and base != recipe.base:
            wrong = with_base(recipe, base)
            if wrong is not None:
                about = "" if base in BASES else "about "
                words = f"the base is {about}{number(base)} instead of {number(recipe.base)}"
                yield Wrong("base", words, wrong)


def _offset(recipe: Recipe, first: FloatArray) -> int:
    """By how many positions the rows are moved, 0 if first angles do not agree on any."""
    if np.cos(first).min() > 1 - _NEAR:
        return 0
    rates = recipe.rotary.frequencies()
    offsets = np.arange(-_FURTHEST, _FURTHEST + 1)
    agree = np.cos(first - np.outer(offsets, rates)).sum(axis=1)
    best = int(offsets[np.argmax(agree)])
    return best if agree.max() > _SHARE * len(rates) and agree[_FURTHEST] < agree.max() else 0
