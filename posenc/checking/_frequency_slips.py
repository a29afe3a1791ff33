"""Slips of the frequencies: another base or exponent, and pairs at the wrong coordinate."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from itertools import permutations
from typing import Any

from posenc.checking.recipes import Recipe, through
from posenc.rotary._exact import EXACT
from posenc.rotary._given import Given
from posenc.rotary._rotary import Rotary

Change = Iterator[tuple[str, Recipe]]
BASES: tuple[int, ...] = (
    10_000,
    100_000,
    150_000,
    160_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
)
BASES += (8_000_000, 10_000_000, 100_000_000, 100, 256, 1_000, 2_000, 8_000)


def number(value: float) -> str:
    """A number as text: 500,000 or 0.0625."""
    whole = float(value).is_integer() and abs(value) < 1e15
    return f"{int(value):,}" if whole else f"{value:,.6g}"


def with_source(right: Recipe, **changes: Any) -> Recipe | None:
    """`right` with another option of its encoding in one coordinate; None if it refuses that."""
    if not isinstance(right.source, Rotary):
        return None
    try:
        return through(right, replace(right.source, **changes), right.length)
    except (ValueError, OverflowError):
        return None


def with_base(right: Recipe, base: float) -> Recipe | None:
    """`right` with another base; None if it has none."""
    if isinstance(right.source, Rotary):
        own = isinstance(right.source.scaling, Given)
        return None if own else with_source(right, base=base)
    if right.base is None or right.base == 1:
        return None
    power = math.log(base) / math.log(right.base)
    return with_frequencies(right, [_power(one, power) for one in right.rotary._exact])


def with_frequencies(right: Recipe, exact: Sequence[float | Decimal]) -> Recipe:
    """`right` with other frequencies for its pairs."""
    return replace(right, rotary=replace(right.rotary, _exact=exact))


def base(right: Recipe) -> Change:
    for one in BASES:
        wrong = with_base(right, one)
        if wrong is not None and right.base is not None and one != right.base:
            yield f"the base is {number(one)} instead of {number(right.base)}", wrong


def exponent(right: Recipe) -> Change:
    if right.base is None:
        return
    width = 2 * len(right.rotary.axes)
    wrongs = {"i/d instead of 2i/d": right.base**0.5, "4i/d instead of 2i/d": right.base**2}
    if isinstance(right.source, Rotary) and width > 2:
        wrongs["2i/(d - 2) instead of 2i/d"] = right.base ** (width / (width - 2))
    for words, value in wrongs.items():
        wrong = with_base(right, value)
        if wrong is not None:
            yield f"the exponent is {words}", wrong


def exponent_width(right: Recipe) -> Change:
    source = right.source
    if not isinstance(source, Rotary) or source.rotary_dim in (None, source.head_dim):
        return
    width, head = source.rotary_dim, source.head_dim
    assert width is not None
    wrong = with_base(right, source.base ** (width / head))
    if wrong is not None:
        yield f"the exponent divides by head_dim = {head} instead of rotary_dim = {width}", wrong


def exponent_start(right: Recipe) -> Change:
    if isinstance(right.source, Rotary) and right.source.scaling is None:
        exact = right.source._decimals(right.length)
        if len(exact) > 1:
            with localcontext(EXACT):
                later = [one * exact[1] for one in exact]
            yield "exponents start at i = 1 instead of i = 0", with_frequencies(right, later)


def exponent_whole(right: Recipe) -> Change:
    if len(set(right.rotary._exact)) > 1:
        same = [right.rotary._exact[0]] * len(right.rotary._exact)
        yield (
            "the exponent is rounded down to 0: all pairs turn as the first",
            with_frequencies(right, same),
        )


def order(right: Recipe) -> Change:
    backwards = list(right.rotary._exact)[::-1]
    if backwards != list(right.rotary._exact):
        yield (
            "the frequencies rise instead of fall: pairs are in reverse",
            with_frequencies(right, backwards),
        )


def cycles(right: Recipe) -> Change:
    for words, factor in (("multiplied", 2 * math.pi), ("divided", 1 / (2 * math.pi))):
        exact = [float(one) * factor for one in right.rotary._exact]
        yield f"angles are {words} by 2π", with_frequencies(right, exact)


def whole_head(right: Recipe) -> Change:
    head, turning = right.rotary.head_dim, 2 * len(right.rotary.axes)
    if turning == head:
        return
    wrong = with_source(right, rotary_dim=head)
    if wrong is not None:
        yield f"all {head} features turn instead of the first {turning}", wrong
    if right.rotary.layout == "halves":
        rest = (head - turning) // 2
        exact = [*right.rotary._exact, *[Decimal(0)] * rest]
        axes = [*right.rotary.axes, *[0] * rest]
        wide = replace(right.rotary, _exact=exact, axes=axes)
        words = f"feature i is paired with i + {head // 2} instead of i + {turning // 2}"
        yield words, replace(right, rotary=wide)


def coordinates(right: Recipe) -> Change:
    """Pairs at the wrong coordinate: an order, all of one, blocks for turns or the reverse."""
    axes = list(right.rotary.axes)
    count = max(axes) + 1
    if count == 1:
        return
    lists = {}
    for change in list(permutations(range(count)))[1:] if count < 5 else []:
        words = f"coordinates are taken in the order {', '.join(map(str, change))}"
        lists[words] = [change[axis] for axis in axes]
    for axis in range(count):
        lists[f"all pairs turn by coordinate {axis}"] = [axis] * len(axes)
    counts = Counter(axes)
    turns = [divmod(j, count) for j in range(len(axes))]
    lists["coordinates stand in blocks instead of in turn"] = sorted(axes)
    lists["coordinates take turns instead of standing in blocks"] = [
        axis if turn < counts[axis] else 0 for turn, axis in turns
    ]
    lists["coordinates take turns to the last pair"] = [axis for _, axis in turns]
    done = [axes]
    for words, changed in lists.items():
        if changed not in done:
            done.append(changed)
            yield words, replace(right, rotary=replace(right.rotary, axes=changed))


def _power(value: float | Decimal, power: float) -> Decimal:
    with localcontext(EXACT):
        return Decimal(value) ** Decimal(power) if value > 0 else Decimal(value)
