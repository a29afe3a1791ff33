"""Two patches of an image, and the pairs of a head that turn by their rows and by their columns."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.rotary import axes
from scripts.figures import _arrows, _style
from scripts.figures._arrows import Data

CAPTION = """
**Half of the pairs turn by the row, half by the column.** A query and a key in two patches; all
{{ 2 * len(frequencies(8)) : d }} arrows start upright.
"""
ALT = """
A grid of four rows and six columns with two marked patches: the query in row {{ 1 : d }}, column
{{ 4 : d }}, and the key in row {{ 3 : d }}, column {{ 1 : d }}. Beside it stand
{{ len(frequencies(8)) : d }} dials. In two of them the arrows have turned by the row, with a wedge
of {{ 2 : d }} radians for the fast pair and {{ 0.2 : .1f }} for the slow one. In the other two they
have turned by the column, with wedges of {{ 3 : d }} and {{ 0.3 : .1f }} radians.
"""
PATCHES = {"q": (1, 4), "k": (3, 1)}  # row and column
ROWS, COLUMNS = 4, 6  # of patches with sides of half a unit
NAMES = ["row, fast", "row, slow", "column, fast", "column, slow"]


def data() -> Data:
    """The numbers of the figure; the two pairs of a coordinate have the speeds 1 and 0.1."""
    rotary = axes.blocks([4, 4], base=100, layout="interleaved")
    turned = rotary.rotate(np.tile([1.0, 0.0], 4), list(PATCHES.values())).reshape(2, 4, 2)
    turned[1] *= 0.75  # a shorter arrow for the key
    return Data(**_arrows.dials(np.array([4.7, 7.3, 10.3, 12.9]), *turned))


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each pair."""
    return {"pair": np.arange(len(NAMES)), "product": data.products}


def static(data: Data) -> Figure:
    """The image at the left, the dials at the right."""
    figure, ax = _style.canvas(height=1.8)
    _arrows.draw(ax, _arrows.lines(data, NAMES))
    ax.hlines(np.linspace(1, -1, ROWS + 1), 0, 3, color=_style.GRID, lw=1.2)
    ax.vlines(np.linspace(0, 3, COLUMNS + 1), -1, 1, color=_style.GRID, lw=1.2)
    for k, (name, (row, column)) in enumerate(PATCHES.items()):
        color = _style.SERIES[k]
        corner = (column / 2, 0.5 - row / 2)
        ax.add_patch(Rectangle(corner, 0.5, 0.5, color=color, alpha=0.35))
        ax.text(corner[0] + 0.25, corner[1] + 0.25, name, ha="center", va="center")
    for x, name in zip(data.columns, NAMES, strict=True):
        _arrows.above(ax, x, name.replace(", ", "\n"))
    ax.set(xlim=(-0.1, 14))
    return figure
