"""Slips of the turn: which features are a pair, which way it turns, and how large it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from posenc.checking.recipes import Recipe
from posenc.rotary._turn import Layout

Change = Iterator[tuple[str, Recipe]]


def _other(right: Recipe) -> Layout:
    one, two = get_args(Layout)
    other: Layout = two if right.rotary.layout == one else one
    return other


def layout(right: Recipe) -> Change:
    other, own = _other(right), right.rotary.layout
    words = f"the layout is {other} instead of {own}"
    source = replace(right.source, layout=other)
    yield words, replace(right, rotary=replace(right.rotary, layout=other), source=source)


def columns(right: Recipe) -> Change:
    other, own = _other(right), right.rotary.layout
    words = f"cosines and sines are repeated for the {other} layout, the turn is that of {own}"
    yield words, replace(right, columns=other)


def answer(right: Recipe) -> Change:
    other, own = _other(right), right.rotary.layout
    words = f"pairs are taken in {own} and returned in {other}"
    yield words, replace(right, answer=other)


def sign(right: Recipe) -> Change:
    yield "the sign is reversed: pairs turn backwards", replace(right, mixing=(1, 1, -1, 1))


def minus(right: Recipe) -> Change:
    words = "the minus sign is missing: x1 becomes x1 cos + x2 sin"
    yield words, replace(right, mixing=(1, 1, 1, 1))
    words = "both sines have a minus sign: x2 becomes x2 cos - x1 sin"
    yield words, replace(right, mixing=(1, -1, -1, 1))


def exchanged(right: Recipe) -> Change:
    yield "sine and cosine are exchanged", replace(right, exchanged=True)


def in_place(right: Recipe) -> Change:
    words = "x1 is overwritten before x2 is computed from it"
    yield words, replace(right, in_place=True)


def one_of_two(right: Recipe) -> Change:
    words = "only one product of each feature counts: x1 cos and x2 cos, without the sines"
    yield words, replace(right, mixing=(1, 0, 0, 1))


def twice(right: Recipe) -> Change:
    attention = right.rotary.attention
    wrong = replace(right, steps=replace(right.steps, double=True))
    if attention == 1:
        yield "the turn is applied twice", wrong
        return
    squared = replace(wrong, rotary=replace(right.rotary, attention=attention**2))
    yield "the turn is applied twice, and so is the attention factor", squared
    yield "pairs turn by twice the angle", wrong


def nothing(right: Recipe) -> Change:
    still = replace(right.rotary, _exact=[0.0] * len(right.rotary.axes), attention=1.0)
    yield "nothing turns: the answer is the input", replace(right, rotary=still)


def part(right: Recipe) -> Change:
    rest = right.rotary.head_dim - 2 * len(right.rotary.axes)
    if rest:
        turning = right.rotary.head_dim - rest
        words = f"the last {turning} features of the head turn instead of the first {turning}"
        yield words, replace(right, first=rest)


def attention(right: Recipe) -> Change:
    factor = right.rotary.attention
    if factor == 1:
        return
    own = f"instead of {factor:.5g}"
    wrongs = {
        f"the attention factor {factor:.5g} is missing": 1.0,
        f"the attention factor is applied twice: {factor**2:.5g} {own}": factor**2,
        f"the attention factor divides: {1 / factor:.5g} {own}": 1 / factor,
        f"the attention factor is its root: {factor**0.5:.5g} {own}": factor**0.5,
    }
    for words, value in wrongs.items():
        yield words, replace(right, rotary=replace(right.rotary, attention=value))
