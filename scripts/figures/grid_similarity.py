"""How alike one patch of an image is to every other, in a two-dimensional encoding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _colors, _style

CAPTION = """
**The map is a cross: each row is brightest in the patch's column, each column in the patch's row
{{ check: all(similarity(0, 64) + similarity(k, 64) > similarity(k, 64) + similarity(j, 64) for k in
range(10) for j in range(1, 10)) }}.** Colour is the dot product with the patch in row $4$, column
$9$, as a share of the largest, at $d = 128$. One half encodes the row, the other the column.
"""
ALT = """
A heatmap with a bright cross. Its centre, row {{ 4 : d }} and column {{ 9 : d }}, has the value
{{ 1 : d }}. One patch to the right it is
{{ (similarity(0, 64) + similarity(1, 64)) / similarity(0, 128) : .2f }}; one to the right and one
down {{ 2 * similarity(1, 64) / similarity(0, 128) : .2f }}; nine to the left
{{ (similarity(0, 64) + similarity(9, 64)) / similarity(0, 128) : .2f }}; in the corner
furthest away, at row {{ 13 : d }} and column {{ 0 : d }},
{{ 2 * similarity(9, 64) / similarity(0, 128) : .2f }}.
"""
SIZE, ROW, COLUMN = 14, 4, 9
SCALE = _colors.Scale(0.6, 1, ticks=(0.6, 0.7, 0.8, 0.9, 1), title="share")


@dataclass(frozen=True)
class Data:
    """Shares of the full dot product."""

    rows: np.ndarray  # (rows,)
    columns: np.ndarray  # (columns,)
    shares: np.ndarray  # (rows, columns)


def data() -> Data:
    """The numbers of the figure, from the vectors and not from the kernel."""
    axis = np.arange(SIZE)
    half = posenc.encode(axis, 64)
    rows, columns = np.broadcast_arrays(half[:, np.newaxis], half[np.newaxis])
    vectors = np.concatenate([rows, columns], axis=-1)  # (rows, columns, 128)
    return Data(rows=axis, columns=axis, shares=vectors @ vectors[ROW, COLUMN] / 64)


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each row of patches."""
    shares = {f"column {j}": data.shares[:, j] for j in data.columns}
    return {"row": data.rows, **shares}


def static(data: Data) -> Figure:
    """The map, row 0 at the top."""
    figure, ax = _style.canvas(height=3.7)
    image = _colors.image(ax, data.shares, SCALE, aspect="equal")
    ax.set(xlabel="column", ylabel="row", xticks=[0, 3, 6, 9, 12], yticks=[0, 4, 8, 12])
    _colors.bar(figure, image, SCALE, ax=ax, pad=0.03)
    return figure
