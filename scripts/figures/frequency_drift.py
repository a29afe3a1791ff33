"""How far tensor2tensor's encoding of a position is from the paper's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from posenc import CONVENTIONS, Convention, distance
from scripts.figures import _style
from scripts.figures._lines import Line, name, plot

CAPTION = """
**tensor2tensor's table starts like the paper's {{ check: 2 * sqrt(sum([sin((frequencies(512)[i] -
exp(-2 * i / 510 * log(10000))) / 2) ** 2 for i in range(256)])) < 0.02 }} and drifts away, at first
in proportion to the position {{ check: 99 < sqrt(sum([sin(50 * (frequencies(512)[i] - exp(-2 * i /
510 * log(10000)))) ** 2 for i in range(256)]) / sum([sin((frequencies(512)[i] - exp(-2 * i / 510 *
log(10000))) / 2) ** 2 for i in range(256)])) < 100.1 }}.** The distance of the two encodings of one
position at $d = 512$; tensor2tensor's exponent has $d - 2$ where the paper's has $d$. Dashed: the
distance of two neighbouring positions.
"""
ALT = """
A line on two logarithmic axes, from {{ 1 : d }} to {{ 10000 : ,d }} positions. It rises straight,
meets a dashed level line at {{ distance(1, 512) : .2f }} near position {{ 360 : d }}
{{ check: 2 * sqrt(sum([sin(350 * (frequencies(512)[i] - exp(-2 * i / 510 * log(10000))) / 2)
** 2 for i in range(256)])) < distance(1, 512) < 2 * sqrt(sum([sin(370 * (frequencies(512)[i] -
exp(-2 * i / 510 * log(10000))) / 2) ** 2 for i in range(256)])) }},
and levels off
above it: it is at
{{ 2 * sqrt(sum([sin(1000 * (frequencies(512)[i] - exp(-2 * i / 510 * log(10000))) / 2) ** 2
for i in range(256)])) : .1f }} at position {{ 1000 : ,d }} and at
{{ 2 * sqrt(sum([sin(10000 * (frequencies(512)[i] - exp(-2 * i / 510 * log(10000))) / 2) ** 2
for i in range(256)])) : .1f }} at {{ 10000 : ,d }}.
"""


@dataclass(frozen=True)
class Data:
    """Distances by position, and the one that a step of one position makes."""

    positions: np.ndarray  # (positions,)
    distances: np.ndarray  # (positions,)
    ends: np.ndarray  # (2,) of the level line
    steps: np.ndarray  # (2,)


def data() -> Data:
    """The numbers of the figure."""
    positions = np.unique(np.rint(10 ** (np.arange(97) / 24)).astype(int))
    paper = Convention(layout="halves").encode(positions, 512)
    other = CONVENTIONS["tensor2tensor"].encode(positions, 512)
    return Data(
        positions=positions,
        distances=np.linalg.norm(paper - other, axis=1),
        ends=positions[[0, -1]],
        steps=np.full(2, distance(1, 512)),
    )


def lines(data: Data) -> list[Line]:
    """The drift and the level line."""
    return [
        Line("paper to tensor2tensor", data.positions, data.distances),
        Line("neighbouring positions", data.ends, data.steps, color=1, dash=1),
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for the distance."""
    return {"position": data.positions, "distance": data.distances}


def static(data: Data) -> Figure:
    """The drift and the level line."""
    figure, ax = _style.canvas(height=3.2)
    plot(ax, lines(data))
    drift, level = lines(data)
    name(ax, drift, 30, 0.12)
    name(ax, level, 1, 4.6)
    _style.logarithmic(ax.xaxis, [1, 10, 100, 1000, 10_000])
    _style.logarithmic(ax.yaxis, [0.01, 0.1, 1, 10])
    ax.set(xlabel="position", ylabel="distance")
    return figure
