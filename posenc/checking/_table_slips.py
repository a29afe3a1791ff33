"""Slips of sinusoidal tables: another order, exponent, base or size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

from posenc.checking._frequency_slips import BASES, number
from posenc.checking.recipes import TableRecipe
from posenc.conventions import Layout, Order

Change = Iterator[tuple[str, TableRecipe]]


def _changed(right: TableRecipe, **options: Any) -> TableRecipe:
    return replace(right, convention=replace(right.convention, **options))


def layout(right: TableRecipe) -> Change:
    own = right.convention.layout
    for other in {*get_args(Layout)} - {own}:
        words = f"the columns are in the {other} layout instead of {own}"
        yield words, _changed(right, layout=other)


def exchanged(right: TableRecipe) -> Change:
    own = right.convention.order
    for other in {*get_args(Order)} - {own}:
        words = "sine and cosine are exchanged"
        yield f"{words}: {other} instead of {own}", _changed(right, order=other)


def base(right: TableRecipe) -> Change:
    own = right.convention.base
    for one in BASES:
        if one != own:
            yield f"the base is {number(one)} instead of {number(own)}", _changed(right, base=one)


def exponent(right: TableRecipe) -> Change:
    own = right.convention
    yield "the exponent is i/d instead of 2i/d", _changed(right, base=own.base**0.5)
    yield "the exponent is 4i/d instead of 2i/d", _changed(right, base=own.base**2)
    for shift, rule in ((0, "i / (d/2)"), (1, "i / (d/2 - 1)")):
        if own.freq_shift == 1 - shift and own.spread is None:
            other = "i / (d/2 - 1)" if shift == 0 else "i / (d/2)"
            words = f"the exponent is {rule} instead of {other}"
            yield words, _changed(right, freq_shift=shift)


def sign(right: TableRecipe) -> Change:
    scale = -right.convention.angle_scale
    yield "the sign of the sines is reversed", _changed(right, angle_scale=scale)


def cycles(right: TableRecipe) -> Change:
    for words, factor in (("multiplied", 2 * math.pi), ("divided", 1 / (2 * math.pi))):
        scale = right.convention.angle_scale * factor
        yield f"angles are {words} by 2π", _changed(right, angle_scale=scale)


def amplitude(right: TableRecipe) -> Change:
    own = right.convention
    if (own.amplitude, own.amplitude_power) != (1, 0):
        words = "the amplitude of the convention is missing: values reach 1"
        yield words, _changed(right, amplitude=1, amplitude_power=0)
    for power, words in ((0.5, "multiplied"), (-0.5, "divided")):
        changed = _changed(right, amplitude_power=own.amplitude_power + power)
        yield f"values are {words} by the root of d_model", changed
