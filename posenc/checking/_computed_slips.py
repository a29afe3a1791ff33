"""Slips of frequencies that are rounded to half precision at the end, or at each step."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from posenc._formats import FORMATS, rounded
from posenc._phase import FloatArray
from posenc.checking._frequency_slips import with_frequencies
from posenc.checking._step_slips import LOW, AnyRecipe, Change, rounding
from posenc.checking.recipes import Recipe
from posenc.rotary._given import Given
from posenc.rotary._rotary import Rotary

Round = Callable[[Any], Any]
_ALIKE = 1e-9  # relative difference of frequencies that are the same
# n has the numbers 2i. `r` rounds each step, and `k` constants, which some programs keep exact.
_FORMULAS: dict[str, Callable[[FloatArray, int, float, Round, Round], FloatArray]] = {
    "1 / base ** (2i/d)": lambda n, d, b, r, k: r(1 / r(k(b) ** r(n / d))),
    "base ** (-2i/d)": lambda n, d, b, r, k: r(k(b) ** -r(n / d)),
    "exp(-ln base * (2i/d))": lambda n, d, b, r, k: r(np.exp(-r(k(math.log(b)) * r(n / d)))),
    "exp(-ln base * 2i / d)": lambda n, d, b, r, k: r(np.exp(-r(r(k(math.log(b)) * n) / d))),
    "exp(2i * (-ln base / d))": lambda n, d, b, r, k: r(np.exp(-r(n * k(math.log(b) / d)))),
    "only the exponent of base ** (-2i/d)": lambda n, d, b, r, k: k(b) ** -r(n / d),
}


def low(right: AnyRecipe) -> Change:
    """Frequencies that are rounded once, then those that each formula makes."""
    yield from rounding("frequency")(right)
    if isinstance(right, Recipe):
        yield from _computed(right)


@np.errstate(all="ignore")
def _computed(right: Recipe) -> Change:
    """Every formula in each format, with another result than those before it."""
    source, own = right.source, right.rotary.frequencies()
    if not isinstance(source, Rotary) or isinstance(source.scaling, Given):
        return
    width = 2 * len(own)
    scaled = own / source.base ** (-np.arange(0.0, width, 2) / width)
    done = np.array([rounded(own, FORMATS[name]) for name in LOW])
    for words, made in _rates(width, source.base):
        rates = scaled * made
        alike = (np.abs(done - rates) <= _ALIKE * np.abs(done)) & np.isfinite(done)
        if np.isfinite(rates).all() and not alike.all(axis=1).any():
            done = np.concatenate([done, rates[np.newaxis]])
            yield words, with_frequencies(right, rates.tolist())


@lru_cache  # a search asks for the same ones after each other slip
def _rates(width: int, base: float) -> list[tuple[str, FloatArray]]:
    """What each formula makes in each format without a scaling, and words about it."""
    found = []
    for name in LOW:

        def step(values: Any, name: str = name) -> FloatArray:
            return rounded(np.asarray(values, float), FORMATS[name])

        for formula, made in _FORMULAS.items():
            for constants in (step, float):
                also = ", with its constants" if constants is step else ""
                words = f"frequencies are computed in {name}: {formula}{also}"
                numbers = step(np.arange(0.0, width, 2))
                found.append((words, made(numbers, width, base, step, constants)))
    return found
