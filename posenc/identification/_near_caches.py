"""The rotary cache that comes nearest to a table that nothing matches."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np

from posenc._phase import FloatArray
from posenc.identification import _caches, _cut
from posenc.identification._answer import NearMiss
from posenc.identification._cache import RotaryCache, size
from posenc.identification._nearest import described
from posenc.identification._readings import readings
from posenc.identification._scaled import BASES, explained
from posenc.identification._simplest import cache_of
from posenc.identification._speeds import Encoding
from posenc.identification._turning import Parts
from posenc.identification._waves import Waves, measured

_SOME = 32  # rows that candidates are compared with
_FEWEST = 8  # with fewer rows, no cache is looked for
_QUARTER = 128  # rows of a quarter that are enough
_NEAR = 0.1  # mean difference: most of a cosine cache is near 1, so others come close
_WILD = 0.25  # mean difference from waves: noise is further off
_LARGE = 4  # times the largest value: a larger amplitude is that of a line
_LOOSE = 0.1  # mean difference between two columns of a pair, which may be learned


def nearest(values: FloatArray, slack: float) -> NearMiss | None:
    """The nearest rotary cache to `values` (n, width) or (2, n, width), None if all are far."""
    if values.shape[-2] < _FEWEST:
        return None
    cache = _from_a_part(values, slack) or _closest(values)
    if cache is None:
        return None
    if size(cache) > _LARGE * np.abs(values).max():
        return None
    apart = np.abs(cache.table(values.shape[-2]) - values) / size(cache)
    apart = apart.max(axis=0) if values.ndim == 3 else apart
    return described(apart, np.arange(float(len(apart))), cache, (), slack)


def _from_a_part(values: FloatArray, slack: float) -> RotaryCache | None:
    """A cache that makes a quarter of the rows."""
    count = values.shape[-2]
    quarter = max(count // 4, _FEWEST)
    for first in range(0, count - quarter + 1, quarter):
        part = values[..., first : first + min(quarter, _QUARTER), :]
        found = _caches.matches(part, slack) or _cut.matches(part, slack)
        for match in found:
            cache = match.convention
            assert isinstance(cache, RotaryCache)
            if cache.start >= first:
                return replace(cache, start=cache.start - first)
    return None


def _closest(values: FloatArray) -> RotaryCache | None:
    """The cache from position 0 whose mean difference is the least."""
    best: tuple[float, RotaryCache] | None = None
    for part, form, parts in readings(values, _LOOSE, np.mean):
        waves = measured(parts)
        if waves is None or not waves.amplitude > 0:
            continue
        if waves.apart(parts).mean() > _WILD * waves.amplitude:
            continue
        apart, kind = _simplest(parts, waves)
        if apart < (best[0] if best else _NEAR):
            cache = cache_of(kind, part, form, waves.amplitude)
            near_1 = abs(cache.amplitude - 1) < 2 * apart
            best = apart, replace(cache, amplitude=1.0) if near_1 else cache
    return None if best is None else best[1]


def _simplest(parts: Parts, waves: Waves) -> tuple[float, Encoding]:
    """The simplest of the nearest encodings, and its mean difference."""
    head, turns = 2 * parts.pairs, np.maximum(waves.turns, 0)
    count = len(parts.positions)
    some = np.unique(np.linspace(0, count - 1, _SOME).astype(np.intp))
    few = parts.rows(some, parts.positions[some])
    held, places = few.values() / waves.amplitude, few.positions[:, np.newaxis]

    def apart(frequencies: FloatArray) -> float:
        made = few.waves(places * frequencies)
        return float(np.minimum(np.abs(held - made), 1).mean())

    usual = (Encoding(head, base) for base in BASES)
    others = explained(turns, waves.weight, waves.amplitude, apart)
    tried = [(apart(kind.speeds()), kind) for kind in chain(usual, others)]
    least = min(miss for miss, _ in tried)
    return next(one for one in tried if one[0] <= 1.01 * least + 1e-5)
