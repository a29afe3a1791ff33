"""Rules by which libraries deal pairs out to coordinates: candidates for a cache of points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import Literal, NamedTuple

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._answer import Match, code
from posenc.identification._cache import AxialCache, Form
from posenc.identification._readings import Reading
from posenc.identification._scaled import BASES, near_bases
from posenc.identification._simplest import layout_of, snapped
from posenc.identification._speeds import Encoding
from posenc.identification._words import Finding
from posenc.rotary import axes
from posenc.rotary._turn import Layout
from posenc.rotary.axes import AxialRotary

Points = Literal["whole", "centres", "ends"]  # how positions count the points of an axis
IN_ORDER = ((16, 24, 24),)  # time, height and width in Qwen2-VL
IN_TURN = ((24, 20, 20), (11, 11, 10))  # in Qwen3-VL and Qwen3.5, pair by pair
FASTEST = (224.0, 256.0, 10.0)  # usual `max_freq` of axes.pixels
USUAL = (10_000.0, 100.0, 256.0, *BASES[1:])


class Rule(NamedTuple):
    """An encoding and the call that makes it."""

    call: str
    rotary: AxialRotary
    points: Points = "whole"

    def match(
        self,
        values: FloatArray,
        reading: Reading,
        points: FloatArray,
        findings: tuple[Finding, ...],
    ) -> Match:
        """Compare `values`, read as `reading` says, with the cache of `points`."""
        part, form, parts = reading
        size = parts.size()
        cache = AxialCache(
            rotary=self.rotary,
            made_by=self.call,
            coordinates=tuple(map(tuple, points.tolist())),
            part=part,
            form=form,
            amplitude=snapped(size / self.rotary.attention),
        )
        error = float(np.abs(cache.table() - values).max()) / size
        return Match(convention=cache, error=error, findings=findings)


class Slope(NamedTuple):
    """Two fast pairs i < j of one coordinate, and how they turn."""

    i: int
    j: int
    steps: int  # from i to j, counting only pairs of this coordinate
    ratio: float  # how much faster i turns
    rise: float  # how much faster the last pair turns than i


def rules(labels: Sequence[int], slope: Slope | None, form: Form) -> Iterator[Rule]:
    """Encodings whose pairs take the coordinates `labels`, -1 where a pair does not turn."""
    layout: Layout = "halves" if form == "halves" else "interleaved"
    of_text = layout_of(form)
    pairs = len(labels)
    whole = _filled(labels)
    counts = [whole.count(axis) for axis in range(max(whole) + 1)]
    texts = [  # exponents over the head
        Encoding(2 * pairs, base) for base in _bases(slope, lambda s: pairs / (s.j - s.i))
    ]
    if whole == sorted(whole):
        yield from _in_order(whole, counts, slope, form)
        for kind in texts:
            yield sections(kind, counts, of_text, in_turn=False)
    for parts in IN_TURN:
        shared = [part * pairs // sum(parts) for part in parts]
        if sum(shared) == pairs:
            dealt = [sections(kind, shared, of_text) for kind in texts]
            yield from (rule for rule in dealt if _fits(labels, rule.rotary.axes))
    if pairs % 2 == 0 and _fits(labels, [0, 1] * (pairs // 2)):
        for base in _bases(slope, lambda s: pairs / (2 * s.steps)):
            call = f"axes.alternate({2 * pairs}{_options(base, 10_000, layout)})"
            yield Rule(call, axes.alternate(2 * pairs, base=base, layout=layout))


def sections(
    kind: Encoding, counts: Sequence[int], layout: Layout, *, in_turn: bool = True
) -> Rule:
    """The pairs of a text's encoding, dealt out to time, height and width."""
    text = kind.rotary(layout)
    call = code(text).replace("'", '"')
    options = ", interleaved=True" if in_turn else ""
    rotary = axes.sections(text, counts, interleaved=in_turn)
    return Rule(f"axes.sections({call}, {list(counts)}{options})", rotary)


def _in_order(
    whole: list[int], counts: list[int], slope: Slope | None, form: Form
) -> Iterator[Rule]:
    """Successive pairs for each coordinate, with all wavelengths."""
    layout: Layout = "halves" if form == "halves" else "interleaved"
    head, dims = 2 * len(whole), [2 * count for count in counts]
    bases = _bases(slope, lambda s: whole.count(whole[s.i]) / s.steps)
    for base in bases:
        call = f"axes.blocks({dims}{_options(base, 10_000, layout)})"
        yield Rule(call, axes.blocks(dims, base=base, layout=layout))
    if counts[1:] != counts[:1]:  # the others have two coordinates with as many pairs
        return
    for base in bases if form != "interleaved" else []:
        call = f"axes.pixtral({head}{_options(base, 10_000)})"
        yield Rule(call, axes.pixtral(head, base=base))
        call = f"axes.dinov3({head}{_options(base, 100)})"
        yield Rule(call, axes.dinov3(head, base=base), "centres")
    measured = [float(f"{2 * slope.rise:.3g}")] if slope is not None else []
    for most in (*measured, *FASTEST):
        rotary = axes.pixels(head, max_freq=most, layout=layout)
        yield Rule(f"axes.pixels({head}, max_freq={most:g}{_option(layout)})", rotary, "ends")


def _options(base: float, usual: float, layout: Layout | None = None) -> str:
    told = f", base={base:.12g}" if base != usual else ""
    return told + _option(layout)


def _option(layout: Layout | None) -> str:
    return ', layout="halves"' if layout == "halves" else ""


def _bases(slope: Slope | None, power: Callable[[Slope], float]) -> list[float]:
    """Bases that explain the slope, rounded, or the usual ones if there is no slope."""
    if slope is None:
        return list(USUAL)
    found = near_bases(log(slope.ratio) * power(slope))
    close = [base for base in USUAL if abs(found[-1] / base - 1) < 0.01]
    return [base for base in dict.fromkeys([*close, *found]) if base > 1]


def _filled(labels: Sequence[int]) -> list[int]:
    """`labels`, where a pair that does not turn gets the label of the pair before it.

    Pairs that do not turn, before any that does, form a coordinate with a single value.
    """
    still = int(labels[0] < 0)
    whole: list[int] = []
    for label in labels:
        whole.append(label + still if label >= 0 else whole[-1] if whole else 0)
    return whole


def _fits(labels: Sequence[int], axes_: Sequence[int]) -> bool:
    """Whether each pair that turns has the coordinate of `axes_`, or the one before it."""
    less = {axis - label for label, axis in zip(labels, axes_, strict=True) if label >= 0}
    return len(less) == 1
