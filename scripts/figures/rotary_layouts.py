"""Which two features of a head form a pair, in the two layouts of rotary encodings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from matplotlib.figure import Figure

from posenc import Rotary
from scripts.figures import _style
from scripts.figures._lines import Line, plot

CAPTION = """
**Interleaved pairs neighbours, halves pairs features half a head apart.** Each bracket joins two
features that turn together.
"""
ALT = """
The numbers {{ 0 : d }} to {{ 7 : d }} in a row. Above them {{ len(frequencies(8)) : d }} brackets
stand side by side: each joins two neighbours. Below them {{ len(frequencies(8)) : d }} brackets
cross: each joins a number of the left half with the number
{{ len(frequencies(8)) : d }} places to its right.
"""
HEAD_DIM = 8
LAYOUTS: tuple[Literal["interleaved"], Literal["halves"]] = (
    "interleaved",
    "halves",
)  # above the features, and below
NAMES = [  # x, y, and what stands there
    *((float(j), 0.0, str(j)) for j in range(HEAD_DIM)),
    *((-1.5, 1.2, LAYOUTS[0]), (-1.5, -1.2, LAYOUTS[1])),
]


COLORS = _style.pair_colors(HEAD_DIM // 2)


@dataclass(frozen=True)
class Data:
    """The features of each pair, and the brackets that join them."""

    first: np.ndarray  # (layouts, pairs)
    second: np.ndarray  # (layouts, pairs)
    x: np.ndarray  # (layouts, pairs, 4) the corners of each bracket
    y: np.ndarray


def data() -> Data:
    """A unit vector along one feature turns towards the other feature of its pair."""
    units = np.eye(HEAD_DIM)
    turned = [Rotary(HEAD_DIM, layout=layout).rotate(units, 1) for layout in LAYOUTS]
    pairs = np.array([np.argwhere(np.triu(matrix, 1)) for matrix in turned])
    first, second = pairs[..., 0], pairs[..., 1]
    heights = np.array([[1.2] * 4, [-1.2, -1.9, -2.6, -3.3]])
    feet = 0.45 * np.sign(heights)
    return Data(
        first=first,
        second=second,
        x=np.stack([first, first, second, second], axis=-1).astype(float),
        y=np.stack([feet, heights, heights, feet], axis=-1),
    )


def lines(data: Data) -> list[Line]:
    """One bracket for each pair of each layout."""
    made = []
    for side, layout in enumerate(LAYOUTS):
        for i in range(len(data.first[side])):
            name = f"{layout}, pair {i}"
            made.append(Line(name, data.x[side, i], data.y[side, i], color=COLORS[i]))
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each pair."""
    columns = {"pair": np.arange(HEAD_DIM // 2)}
    for side, layout in enumerate(LAYOUTS):
        columns[f"{layout}, first feature"] = data.first[side]
        columns[f"{layout}, second feature"] = data.second[side]
    return columns


def static(data: Data) -> Figure:
    """Brackets above and below the numbers of the features."""
    figure, ax = _style.canvas(height=2.9)
    plot(ax, lines(data), width=2)
    for x, y, name in NAMES:
        ax.annotate(name, (x, y), ha="center", va="center")
    for line in lines(data):
        place = {"textcoords": "offset points", "color": _style.SERIES[line.color]}
        above = line.y[1] > 0
        middle = ((line.x[1] + line.x[2]) / 2, line.y[1])
        ax.annotate(
            line.label.partition(", ")[2],
            middle if above else (line.x[2], line.y[1]),
            (0, 4) if above else (6, -3),
            ha="center" if above else "left",
            **place,
        )
    ax.set(xlim=(-2.4, 8.2), ylim=(-3.7, 1.8))
    ax.set_axis_off()
    return figure
