"""A picture between words, and the three numbers of each of its tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from posenc.rotary import positions
from scripts.figures import _lines, _style
from scripts.figures._lines import Line

CAPTION = """
**In a picture time stands still, while rows and columns count on from the word before.** Above, the
tokens with time, row and column; below, the three numbers from token to token.
"""
ALT = """
Above, {{ 2 : d }} boxes for words, a drawn landscape cut into {{ 2 : d }} rows and
{{ 3 : d }} columns, and {{ 2 : d }} more words. The words before have {{ 0 : d }} and {{ 1 : d }}
three times. In the picture the first number is {{ 2 : d }} everywhere, the second {{ 2 : d }} in
the upper row and {{ 3 : d }} in the lower, the third {{ 2 : d }}, {{ 3 : d }} and {{ 4 : d }} from
left to right. The words after have {{ 5 : d }} and {{ 6 : d }}. Below, three lines over
{{ 2 + 2 * 3 + 2 : d }} tokens: time is flat in the picture, the row makes one step, the column
rises twice.
"""
NAMES = ("time", "row", "column")
WORDS = ("see", "this", "then", "go")  # half of them before the picture
ROWS, COLUMNS = 2, 3  # of tokens


@dataclass(frozen=True)
class Data:
    """The numbers of the tokens, and the corners of their boxes."""

    tokens: np.ndarray  # (tokens,)
    ids: np.ndarray  # (3, tokens) time, row and column
    corners: np.ndarray  # (tokens, 2)


def data() -> Data:
    """The numbers of the figure; patches are merged two by two."""
    picture = positions.Patches(1, 2 * ROWS, 2 * COLUMNS)
    ids = positions.mrope([[2, picture, 2]])[:, 0]
    grid = [(2.5 + x, 1.0 - y) for y in range(ROWS) for x in range(COLUMNS)]
    corners = [(0.0, 0.5), (1.0, 0.5), *grid, (6.0, 0.5), (7.0, 0.5)]
    return Data(tokens=np.arange(ids.shape[1]), ids=ids, corners=np.array(corners))


def lines(data: Data) -> list[Line]:
    """A line for each coordinate."""
    colors = (_style.PAPER_BASE, _style.SINE, _style.COSINE)
    return [
        Line(name, data.tokens, own, color=color, dash=dash)
        for dash, (name, own, color) in enumerate(zip(NAMES, data.ids, colors, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each token."""
    return _lines.columns("token", lines(data))


def static(data: Data) -> Figure:
    """The boxes above, the lines below."""
    figure, (boxes, ax) = _style.canvas(height=4.4, rows=2, height_ratios=[1.1, 1])
    _landscape(boxes)
    outlines = Path.make_compound_path(
        *(Path.unit_rectangle().transformed(Affine2D().translate(x, y)) for x, y in data.corners)
    )
    boxes.add_patch(PathPatch(outlines, fill=False, edgecolor=_style.INK, linewidth=0.7))
    drawn = lines(data)
    for token, (x, y) in enumerate(data.corners):
        for line, height in zip(drawn, (0.78, 0.5, 0.22), strict=True):
            ink = _style.SERIES[line.color]
            boxes.text(x + 0.5, y + height, f"{line.y[token]}", color=ink, ha="center", va="center")
    for word, x in zip(WORDS, (0.5, 1.5, 6.5, 7.5), strict=True):
        boxes.text(x, 0.25, word, ha="center", va="center")
    boxes.set(xlim=(-0.1, 8.1), ylim=(-0.1, 2.1), aspect="equal")
    boxes.set_axis_off()
    _lines.plot(ax, drawn)
    ax.legend(frameon=False)
    ax.set(xlabel="token", ylabel="position", xticks=data.tokens, yticks=[0, 2, 4, 6])
    return figure


def _landscape(ax: Axes) -> None:
    """A sun, two hills and a house, where the picture is."""
    hills = [(2.5, 0), (2.5, 0.7), (3.3, 1.35), (4.3, 0.6), (5, 1), (5.5, 0.8), (5.5, 0)]
    house = [(4.6, 0.12), (4.6, 0.55), (4.95, 0.9), (5.3, 0.55), (5.3, 0.12)]
    ax.add_patch(Polygon(hills, color=_style.GRID, linewidth=0))
    ax.add_patch(Polygon(house, color=_style.SERIES[_style.BEFORE], alpha=0.3, linewidth=0))
    ax.add_patch(Circle((5.25, 1.75), 0.16, color=_style.SERIES[_style.NEW], alpha=0.4))
