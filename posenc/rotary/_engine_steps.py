"""Frequencies in float32, rounded after each step as programs write the steps.

NumPy's float32 powers, cosines and sines differ from machine to machine in the last bit, so these
are taken in float64 and rounded once: the nearest float32, which is also what the programs'
functions return almost everywhere. Every other step is an operation of IEEE 754.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc.rotary._bands import Llama3, YaRN
from posenc.rotary._given import Given
from posenc.rotary._scalings import Linear, Scaling

Single = npt.NDArray[np.float32]
single = np.float32


def power(base: float, exponents: npt.ArrayLike) -> Single:
    """The float32 nearest to each power, of numbers that are first rounded to float32."""
    exact = np.power(np.float64(single(base)), np.asarray(exponents, np.float32).astype(float))
    return np.asarray(exact, np.float32)


def cosine_sine(angles: Single) -> tuple[Single, Single]:
    """The float32 nearest to each cosine and sine."""
    wide = angles.astype(np.float64)
    return np.cos(wide).astype(np.float32), np.sin(wide).astype(np.float32)


def frequencies(base: float, width: int, scaling: Scaling | None) -> Single:
    """`1 / base ** (2i / width)` and its scaling, step by step; of `Linear`, without it."""
    if isinstance(scaling, Given):
        return np.asarray(scaling.frequencies, np.float32)
    periods = power(base, np.arange(0, width, 2, dtype=np.float32) / single(width))
    rates: Single = single(1) / periods
    if scaling is None or isinstance(scaling, Linear):
        return rates
    if isinstance(scaling, Llama3):
        return _llama3(rates, scaling)
    if isinstance(scaling, YaRN):
        return _yarn(rates, periods, base, scaling)
    rule = "rotary must have no scaling, Linear, Llama3, YaRN or frequencies given as an array"
    raise ValueError(f"{rule}, got {_arguments.shown(scaling)}")


def _llama3(rates: Single, scaling: Llama3) -> Single:
    low, high = single(scaling.low_freq_factor), single(scaling.high_freq_factor)
    original, factor = single(scaling.original_max_position_embeddings), single(scaling.factor)
    lengths = single(2 * math.pi) / rates
    longest = single(scaling.original_max_position_embeddings / scaling.low_freq_factor)
    shortest = single(scaling.original_max_position_embeddings / scaling.high_freq_factor)
    width = single(scaling.high_freq_factor - scaling.low_freq_factor)
    divided = np.where(lengths > longest, rates / factor, rates)
    with np.errstate(divide="ignore", invalid="ignore"):  # equal ends leave nothing between them
        share = (original / lengths - low) / width
        mixed = (single(1) - share) * divided / factor + share * divided
    between = (lengths >= shortest) & (lengths <= longest) & (low != high)
    return np.where(between, mixed, divided)


def _yarn(rates: Single, periods: Single, base: float, scaling: YaRN) -> Single:
    pairs, width = len(rates), 2 * len(rates)
    first, last = (
        width
        * math.log(scaling.original_max_position_embeddings / (beta * 2 * math.pi))
        / (2 * math.log(base))
        for beta in (scaling.beta_fast, scaling.beta_slow)
    )
    if scaling.truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, width - 1)
    last += 0.001 if first == last else 0
    ramp = (np.arange(pairs, dtype=np.float32) - single(first)) / single(last - first)
    kept = single(1) - np.clip(ramp, single(0), single(1))
    divided = single(1) / (single(scaling.factor) * periods)
    mixed: Single = divided * (single(1) - kept) + rates * kept
    return mixed
