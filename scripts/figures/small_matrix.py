"""The encoding matrix of 10 positions by 6 dimensions, with its values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _colors, _matrix, _style
from scripts.figures._matrix import table

__all__ = ["ALT", "CAPTION", "Data", "data", "static", "table"]

CAPTION = """
**Pair $0$ runs through its whole range, pair $2$ hardly leaves its first values
{{ check: min(positional_encoding(10, 6)[:, 0]) < -0.9 < 0.9 < max(positional_encoding(10, 6)[:, 0])
and max(positional_encoding(10, 6)[:, 4]) < 0.03 }}.** The whole matrix of $10$ positions at $d =
6$, small enough to check by hand. Two neighbouring columns form a pair: a sine and a cosine of one
angle.
"""
ALT = """
A table of coloured cells, {{ len(positional_encoding(10, 6)) : d }} positions by
{{ len(encode(0, 6)) : d }} dimensions, each with its value. The columns are headed sin and cos in
turn and are grouped into {{ len(frequencies(6)) : d }} pairs. Row {{ 0 : d }} alternates between
{{ encode(0, 6)[0] : .0f }} and {{ encode(0, 6)[1] : .0f }}. Row {{ 9 : d }} reads
{{ encode(9, 6)[0] : .2f }}, {{ encode(9, 6)[1] : .2f }}, {{ encode(9, 6)[2] : .2f }},
{{ encode(9, 6)[3] : .2f }}, {{ encode(9, 6)[4] : .2f }}, {{ encode(9, 6)[5] : .2f }}.
"""


@dataclass(frozen=True)
class Data(_matrix.Data):
    """A matrix with the cells on which the letters of the page are hard to read."""

    strong: np.ndarray  # (length, d_model) bool


def data() -> Data:
    """The numbers of the figure."""
    matrix = _matrix.data(10, 6)
    return Data(**vars(matrix), strong=_colors.strong(matrix.values))


def static(data: Data) -> Figure:
    """The cells with their values; lines part the pairs."""
    figure, ax = _style.canvas(height=3.9)
    _colors.image(ax, data.values, _matrix.SCALE)
    for p, row in enumerate(data.values):
        for j, value in enumerate(row):
            ink = _colors.letters(value, strong=data.strong[p, j])
            ax.text(j, p, f"{value:.2f}".replace("-", "−"), color=ink, ha="center", va="center")
    ax.vlines([1.5, 3.5], -0.5, 9.5, color=_style.GRID, linewidth=3)
    names = zip(data.dimensions, ("sin", "cos") * 3, strict=True)
    ax.set_xticks(data.dimensions, [f"{j} ({name})" for j, name in names])
    ax.set_yticks(data.positions)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    top = ax.secondary_xaxis("top")
    top.set_xticks([0.5, 2.5, 4.5], ["pair 0", "pair 1", "pair 2"])
    top.tick_params(length=0)
    top.spines[:].set_visible(False)
    ax.set(xlabel="dimension", ylabel="position")
    return figure
