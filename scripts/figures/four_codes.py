"""Positions 0 to 15 in four codes: index, scaled index, one-hot and bits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _colors, _style
from scripts.figures._lines import Line, plot

CAPTION = """
**Four codes of the positions $0$ to $15$, and how each fails.** Each lower panel
has a line for each entry of the code, and a coloured cell is a $1$. The lowest digit is on top.
"""
ALT = """
Four panels over positions {{ 0 : d }} to {{ 15 : d }}. The index climbs in equal steps. The scaled
index climbs from {{ 0 : d }} to {{ 1 : d }} in a text of {{ 16 : d }} words, and in grey more than
twice as steeply in a text of {{ 8 : d }} words. One-hot is a square with one coloured cell in each
column, along its diagonal. The binary counter has four lines of cells; the first changes at every
position, the last only once, at position {{ 8 : d }}.
"""
TITLES = (
    "index: grows without end",
    "scaled index: depends on the length of the text",
    "one-hot: as many numbers as positions",
    "binary: few numbers, but jumps",
)
ONES = _colors.Scale(-1, 1)  # a zero has no colour


@dataclass(frozen=True)
class Data:
    """The codes of the positions."""

    positions: np.ndarray  # (16,) the index itself
    scaled: np.ndarray  # (16,) in a text of 16 words
    scaled_short: np.ndarray  # (8,) in a text of 8 words
    one_hot: np.ndarray  # (16, 16) entry by position
    bits: np.ndarray  # (4, 16) the lowest first


def data() -> Data:
    """The numbers of the figure."""
    positions = np.arange(16)
    return Data(
        positions=positions,
        scaled=positions / 15,
        scaled_short=positions[:8] / 7,
        one_hot=np.eye(16),
        bits=positions >> np.arange(4)[:, None] & 1,
    )


def lines(data: Data) -> tuple[list[Line], list[Line]]:
    """Stairs of the index, and of the scaled index in two texts."""
    p = data.positions
    short = Line("in 8 words", p[:8], data.scaled_short, color=_style.BEFORE, step="mid")
    return (
        [Line("index", p, p, step="mid")],
        [short, Line("in 16 words", p, data.scaled, step="mid")],
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each position."""
    bits = {f"bit {b}": row for b, row in enumerate(data.bits)}
    return {"position": data.positions, "scaled index": data.scaled, **bits}


def static(data: Data) -> Figure:
    """One panel for each code, one below the other."""
    heights = [1, 1, 1.6, 0.9]
    figure, axes = _style.canvas(height=5.2, rows=4, sharex=True, height_ratios=heights)
    index, scaled = lines(data)
    plot(axes[0], index, width=2)
    plot(axes[1], scaled, width=2)
    for line in scaled:
        place = {"textcoords": "offset points", "ha": "right", "color": _style.SERIES[line.color]}
        axes[1].annotate(line.label, (line.x[-1], line.y[-1]), (0, 4), **place)
    _colors.image(axes[2], data.one_hot, ONES)
    _colors.image(axes[3], data.bits, ONES)
    for ax, title in zip(axes, TITLES, strict=True):
        ax.set_title(title, loc="left")
    axes[0].set(yticks=[0, 5, 10, 15])
    axes[1].set(yticks=[0, 1], ylim=(-0.05, 1.4))
    axes[2].set(yticks=[0, 15])
    axes[3].set(yticks=[0, 3], xlabel="position", xticks=[0, 4, 8, 12, 15])
    return figure
