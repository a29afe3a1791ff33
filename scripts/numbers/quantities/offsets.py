"""Searches over many offsets."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

import posenc


@cache
def closest_offset(d_model: int, farthest: int) -> int:
    """The offset from 1 to `farthest` at which two encodings are closest to each other.

    Position r and position -q are r + q apart, so that one matrix product of a few rows
    gives the dot products of all offsets; those close to the largest are measured again.
    """
    near, far = np.arange(1, 1001), np.arange(0, farthest, 1000)
    dots = posenc.encode(-far, d_model) @ posenc.encode(near, d_model).T  # (far, near)
    products = dots.ravel()[:farthest]  # of the offsets from 1 on
    likely = np.flatnonzero(products > products.max() - 1e-6) + 1
    return int(likely[np.argmin(posenc.distance(likely, d_model))])


@cache
def first_negative_similarity(d_model: int) -> int:
    """The smallest offset at which the similarity of two positions is below zero."""
    return next(k for k in itertools.count() if posenc.similarity(k, d_model) < 0)


def law_error(d_model: int, first: float, last: float) -> float:
    """Largest error of 1 - (gamma + ln k) / ln 10000 for K(k) / K(0), over first <= k <= last."""
    offsets = np.arange(np.ceil(first), np.floor(last) + 1)
    share = posenc.similarity(offsets, d_model) / posenc.similarity(0, d_model)
    law = 1 - (np.euler_gamma + np.log(offsets)) / np.log(10_000)
    return float(np.abs(share - law).max())


def integral_zero(base: float) -> float:
    """The offset k at which the integral of cos(k w) / w, from w = 1 / base to 1, reaches zero.

    The integral falls as long as k is below `base`, apart from ripples. The search halves an
    interval.
    """
    positive, negative = 1.0, float(base)
    while negative - positive > 1e-13 * base:
        middle = (positive + negative) / 2
        if _integral(middle, base) > 0:
            positive = middle
        else:
            negative = middle
    return negative


def _integral(offset: float, base: float) -> float:
    """Gauss-Legendre quadrature over ln w, in steps in which the angle moves by less than 1."""
    nodes, weights = np.polynomial.legendre.leggauss(10)
    edges = np.linspace(-np.log(base), 0, int(offset * np.log(base)) + 10)
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    values = np.cos(offset * np.exp(middle + half * nodes))  # (steps, nodes)
    return float((half * weights * values).sum())
