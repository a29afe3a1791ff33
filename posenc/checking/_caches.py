"""Verdicts on caches: with two parts, with very many rows, and with rows of unknown positions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from posenc.checking._inputs import of_cache
from posenc.checking._judge import judged
from posenc.checking._samples import Cache, Rows
from posenc.checking._verdict import Verdict
from posenc.checking.recipes import Recipe
from posenc.rotary._bands import LongRoPE
from posenc.rotary._rotary import Rotary

_WHOLE, _STEP = 16_384, 1024  # rows: of a longer cache, these parts are compared
_FLAT = 2.0**-7  # of the largest cosine: rounded to half precision, equal ones stay equal


def cached(held: Any, right: Recipe, positions: Any, dtype: str | None, name: str = "") -> Verdict:
    """The verdict on frequencies, or on a cache; errors are those of `check`."""
    what = f"function[{name!r}]" if name else "function"
    sample, form = of_cache(held, right, positions, what)
    if not isinstance(sample, Cache):
        return judged(sample, form, right, dtype, name)
    if positions is not None:
        return _of_rows(sample, form, right, dtype, name)
    first = _short_rows(sample, right)
    if first is not None:
        return _of_two(sample, form, right, dtype, name, first)
    verdict = _of_rows(sample, form, right, dtype, name)
    known = verdict.slips and ("start",) not in verdict.slips
    if verdict or known or verdict.error == np.inf:
        return verdict
    hint = f"rows were read as positions 0 to {len(sample.values) - 1:,}: if not, give positions="
    return replace(verdict, facts=(*verdict.facts, hint))


def _of_rows(sample: Cache, form: str, right: Recipe, dtype: str | None, name: str) -> Verdict:
    """The verdict on all rows, or on some of very many."""
    count = len(sample.values)
    if count <= _WHOLE:
        return judged(sample, form, right, dtype, name)
    rows = _some(sample)
    verdict = judged(sample.at(rows), form, right, dtype, name)
    words = f"compared at {len(rows):,} of {count:,} rows: the first {4 * _STEP:,}, the last"
    words += f" {_STEP:,}, those beside multiples of {_STEP:,}, and others at even distances"
    return replace(verdict, facts=(*verdict.facts, words))


def _some(sample: Cache) -> Rows:
    """Rows with neighbours, rows where tables end, others in between, and one that is no number."""
    count = len(sample.values)
    ends = np.arange(_STEP, count - 1, _STEP)
    odd = np.flatnonzero(~np.isfinite(sample.values).all(axis=1))[:1]
    even = np.linspace(0, count - 1, 4 * _STEP).astype(int)
    first, last = np.arange(4 * _STEP), np.arange(count - _STEP, count)
    return np.unique(np.concatenate([first, last, ends - 1, ends, ends + 1, even, odd]))


def _short_rows(sample: Cache, right: Recipe) -> int | None:
    """How many rows of short texts come first, if rows of long ones begin at 0 after them."""
    scaling = right.source.scaling if isinstance(right.source, Rotary) else None
    if not isinstance(scaling, LongRoPE):
        return None
    first = int(scaling.original_max_position_embeddings)
    if not 0 < first < len(sample.values):
        return None
    cosine, sine = np.split(sample.values[first], 2)
    flat = np.ptp(cosine) <= _FLAT * np.abs(cosine).max() and not sine.any()
    return first if flat else None


def _of_two(
    sample: Cache, form: str, right: Recipe, dtype: str | None, name: str, first: int
) -> Verdict:
    """The verdict on both parts: that on a wrong one, or on the one with the larger difference."""
    found = []
    for rows, length in ((slice(None, first), first), (slice(first, None), first + 1)):
        values = sample.values[rows]
        part = Cache(values, np.arange(float(len(values)))[:, np.newaxis])
        own = Recipe.of(right.source, length=length)
        found.append(_of_rows(part, form, own, dtype, name))
    names = "short_factor", "long_factor"
    worst = next((i for i, one in enumerate(found) if not one), None)
    whole = f"two parts: {first:,} rows with short_factor, then rows with long_factor from 0 on"
    if worst is None:
        worst = int(found[1].error > found[0].error)
        return replace(found[worst], facts=(*found[worst].facts, f"both of {whole}"))
    facts = (*found[worst].facts, f"this is the part with {names[worst]} of {whole}")
    return replace(found[worst], facts=facts)
