"""Two patches of an image, and the pairs of a head that turn by their rows and by their columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from posenc.rotary import axes
from scripts.figures import _arrows, _style
from scripts.figures._lines import Line

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
QUERY, KEY = (1, 4), (3, 1)  # row and column
ROWS, COLUMNS, SIDE = 4, 6, 0.5
NAMES = ["row, fast", "row, slow", "column, fast", "column, slow"]


@dataclass(frozen=True)
class Data(_arrows.Data):
    """The dials of the pairs, and the image."""

    grid_x: np.ndarray  # the lines between the patches, as one path
    grid_y: np.ndarray
    patches_x: np.ndarray  # (2, 5) the outlines of query and key
    patches_y: np.ndarray


def data() -> Data:
    """The numbers of the figure; the two pairs of a coordinate have the speeds 1 and 0.1."""
    rotary = axes.blocks([4, 4], base=100, layout="interleaved")
    turned = rotary.rotate(np.tile([1.0, 0.0], 4), [QUERY, KEY]).reshape(2, 4, 2)
    turned[1] *= 0.75  # a shorter arrow for the key
    across, down = _snake(COLUMNS, ROWS), _snake(ROWS, COLUMNS)
    around = np.array([0, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 0])
    rows, columns = np.array([QUERY, KEY]).T[:, :, None]
    return Data(
        **_arrows.dials(np.array([4.7, 7.3, 10.3, 12.9]), *turned),
        grid_x=SIDE * np.concatenate([across[0], down[1][::-1]]),
        grid_y=1 - SIDE * np.concatenate([across[1], down[0][::-1]]),
        patches_x=SIDE * (columns + around[0]),
        patches_y=1 - SIDE * (rows + around[1]),
    )


def _snake(width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """A path along `height` + 1 lines of length `width`, to and fro."""
    lines = np.arange(height + 1)
    ends = np.where(lines[:, None] % 2, [width, 0], [0, width])
    return ends.ravel(), np.repeat(lines, 2)


def lines(data: Data) -> list[Line]:
    """The dials, then the image with its two patches."""
    made = _arrows.lines(data, NAMES)
    made.append(Line("image", data.grid_x, data.grid_y, color=_style.FACE))
    for k, (name, (row, column)) in enumerate({"query": QUERY, "key": KEY}.items()):
        said = f"{name} at row {row}, column {column}"
        made.append(Line(f"patch, {name}", data.patches_x[k], data.patches_y[k], said, color=k))
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each pair: the cosine of its wedge."""
    return {"pair": np.arange(len(NAMES)), "product": data.products}


def static(data: Data) -> Figure:
    """The image at the left, the dials at the right."""
    figure, ax = _style.canvas(height=1.8)
    drawn = lines(data)
    _arrows.draw(ax, drawn)
    for line in drawn[-2:]:
        color = _style.SERIES[line.color]
        ax.fill(line.x, line.y, fc=color, ec="none", alpha=0.3)
        ax.text(line.x[:2].mean(), line.y[1:3].mean(), line.label[7], ha="center", va="center")
    for x, name in zip(data.columns, NAMES, strict=True):
        ax.text(x, 1.25, name.replace(", ", "\n"), ha="center", va="bottom", linespacing=1.4)
    ax.set(xlim=(-0.1, 14))
    return figure


def interactive(data: Data) -> go.Figure:
    """The same, with names at the arrows and patches."""
    figure = _arrows.draw_plotly(lines(data))
    for x, name in zip(data.columns, NAMES, strict=True):
        _arrows.note(figure, x, 1.7, name.replace(", ", "\n"))
    return figure
