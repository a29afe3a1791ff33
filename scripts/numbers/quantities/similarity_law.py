"""The law of similarity at base 10,000 or another, its closed form, and how far they are off."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

import posenc
from posenc.encoding import FloatArray

_TERMS = 80  # of the continued fraction, which then is exact to float64 from 4 on
_BASE = 10_000.0


def closed_form(offset: float | FloatArray, d_model: int, *, base: float = _BASE) -> FloatArray:
    """K(k) / K(0) by the cosine integral and what a sum has beside its integral at both ends.

    It holds below theta = 2 pi, where the two fastest pairs are a whole turn apart.
    """
    k, log_base = np.asarray(offset, dtype=float), np.log(base)
    theta = 2 * k * log_base / d_model
    mean = (_cosine_integral(k) - _cosine_integral(k / base)) / log_base
    ends = np.cos(k) - np.cos(k / base) + np.sin(k) * (1 / np.tan(theta / 2) - 2 / theta)
    share: FloatArray = mean + ends / d_model
    return share


def law_error(d_model: int, first: float, last: float, *, closed: bool = False) -> float:
    """Largest error for K(k) / K(0) over first <= k <= last, by the law or by its closed form."""
    offsets = np.arange(np.ceil(first), np.floor(last) + 1)
    found = closed_form(offsets, d_model) if closed else _law(offsets)
    return float(np.abs(_share(offsets, d_model) - found).max())


@cache
def first_rise(d_model: int, *, base: float = _BASE, closed: bool = False) -> int:
    """The smallest offset k >= 1 with K(k + 1) > K(k), of the exact K or of the closed form."""
    for k in itertools.count(1):
        pair = np.array([k, k + 1.0])
        near = (closed_form if closed else posenc.similarity)(pair, d_model, base=base)
        if np.diff(near)[0] > 0:
            return k
    raise AssertionError


def scatter(d_model: int, first: int, last: int, *, predicted: bool = False) -> float:
    """Root mean square of K(k) / K(0) minus the law over first <= k <= last.

    The prediction adds up the ripples: the m-th begins at k = m pi d / ln 10000, and has the mean
    square 1 / (m d ln 10000).
    """
    offsets = np.arange(float(first), last + 1)
    if not predicted:
        return float(np.sqrt(np.mean((_share(offsets, d_model) - _law(offsets)) ** 2)))
    begun = offsets * np.log(_BASE) / (np.pi * d_model)
    ripples = np.arange(1, int(begun[-1]) + 1)
    squares = ((begun[:, None] >= ripples) / ripples).sum(axis=1)  # (offsets,)
    return float(np.sqrt(squares.mean() / (d_model * np.log(_BASE))))


def _share(offsets: FloatArray, d_model: int) -> FloatArray:
    share: FloatArray = np.asarray(posenc.similarity(offsets, d_model)) / (d_model / 2)
    return share


def _law(offsets: FloatArray) -> FloatArray:
    law: FloatArray = 1 - (np.euler_gamma + np.log(offsets)) / np.log(_BASE)
    return law


def _cosine_integral(argument: float | FloatArray) -> FloatArray:
    """Ci: up to 4 by its power series, beyond by a continued fraction of -E1(i x)."""
    x = np.asarray(argument, dtype=float)
    near, far = np.minimum(x, 4), 1j * np.maximum(x, 4)
    series, power = np.euler_gamma + np.log(near), np.ones_like(near)
    for m in range(2, 50, 2):
        power = -power * near**2 / (m * (m - 1))
        series = series + power / m
    below = far + 2 * _TERMS + 1
    for m in range(_TERMS, 0, -1):
        below = far + 2 * m - 1 - m**2 / below
    integral: FloatArray = np.where(x <= 4, series, -(np.exp(-far) / below).real)
    return integral
