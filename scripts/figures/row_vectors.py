"""The encodings of three positions, dimension by dimension."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces

CAPTION = """
The rows of positions $0$, $10$ and $25$ at $d = 128$. Each line is one row of the matrix. Fast
pairs, on the left, tell the three apart; slow pairs, on the right, still stand near sine
{{ encode(0, 128)[-2] : .0f }} and cosine {{ encode(0, 128)[-1] : .0f }} in all three
{{ check: all(max(abs(encode(p, 128)[112:] - encode(0, 128)[112:])) < 0.01 for p in [0, 10,
25]) }}.
"""
ALT = """
Three line plots, one above the other: the encodings of positions {{ 0 : d }}, {{ 10 : d }} and
{{ 25 : d }} over {{ len(encode(0, 128)) : d }} dimensions. The first alternates between
{{ encode(0, 128)[0] : .0f }} and {{ encode(0, 128)[1] : .0f }} throughout. The second starts at
{{ encode(10, 128)[0] : .4f }} and {{ encode(10, 128)[1] : .4f }}, the third at
{{ encode(25, 128)[0] : .4f }} and {{ encode(25, 128)[1] : .4f }}; both settle into the same
alternation towards the right.
"""


@dataclass(frozen=True)
class Data:
    """The rows that are drawn."""

    dimensions: np.ndarray  # (d_model,)
    positions: np.ndarray  # (rows,)
    rows: np.ndarray  # (rows, d_model)
    pairs: np.ndarray  # (d_model,)
    wavelengths: np.ndarray  # (d_model,)


def data() -> Data:
    """The numbers of the figure."""
    positions = np.array([0, 10, 25])
    return Data(
        dimensions=np.arange(128),
        positions=positions,
        rows=posenc.encode(positions, 128),
        pairs=np.arange(128) // 2,
        wavelengths=np.repeat(posenc.wavelengths(128), 2),
    )


def lines(data: Data) -> list[Line]:
    """One line for each position."""
    about = np.stack([data.pairs, data.wavelengths], axis=-1)
    hover = (
        "dimension %{x}, pair %{customdata[0]:d}<br>"
        "wavelength %{customdata[1]:,.4~g} positions<br>value %{y:.4f}"
    )
    names = [f"position {p}" for p in data.positions]
    return [
        Line(name, data.dimensions, row, f"{name}<br>{hover}", color=k, about=about)
        for k, (name, row) in enumerate(zip(names, data.rows, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the dimension, one for each position."""
    return columns("dimension", lines(data))


def static(data: Data) -> Figure:
    """One panel for each position, under one another."""
    figure, axes = _style.canvas(height=3.9, rows=len(data.rows), sharex=True)
    for ax, line in zip(axes, lines(data), strict=True):
        plot(ax, [line], width=1.1)
        ax.set_title(line.label, loc="left", pad=3)
        ax.set_yticks([-1, 0, 1])
        ax.margins(x=0.01)
    axes[-1].set_xlabel("dimension")
    figure.supylabel("value")
    return figure


def interactive(data: Data) -> go.Figure:
    """All rows in one panel; the legend hides and shows them."""
    figure = traces(go.Figure(), lines(data), width=1.5, dots=True)
    return _style.layout(figure, x="dimension", y="value")
