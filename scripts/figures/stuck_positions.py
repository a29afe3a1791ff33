"""The fastest sine around position 256, exact and as bfloat16 computes it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
The first column of the encoding, $\\sin p$, around position $256$. Circles are exact, squares are
what bfloat16 computes. Up to $256$ the squares sit in the circles. From there on the format holds
only every second integer, so an odd position gets the value of a neighbour.
"""
ALT = """
A sine wave of circles from position {{ 244 : d }} to {{ 272 : d }}, joined by a line, and squares.
The squares lie in the circles up to position {{ 256 : d }}. Then position {{ 257 : d }} gets
{{ encode_low(257, 64, precision="bfloat16")[0] : .2f }} instead of {{ encode(257, 64)[0] : .2f }},
the value of position {{ 256 : d }}, and every odd position after it gets that of a neighbour.
"""


@dataclass(frozen=True)
class Data:
    """The column, twice."""

    positions: np.ndarray  # (positions,)
    exact: np.ndarray  # (positions,)
    bfloat16: np.ndarray  # (positions,)


def data() -> Data:
    """The numbers of the figure."""
    positions = np.arange(244, 273)
    return Data(
        positions=positions,
        exact=posenc.encode(positions, 64)[:, 0],
        bfloat16=posenc.encode_low(positions, 64, precision="bfloat16")[:, 0],
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One row a position."""
    return {"position": data.positions, "exact": data.exact, "bfloat16": data.bfloat16}


def static(data: Data) -> Figure:
    """Circles on a line, squares on top."""
    figure, ax = _style.canvas(height=2.9)
    first, second = _style.SERIES[0], _style.SERIES[1]
    ax.plot(data.positions, data.exact, "o-", color=first, ms=7, mfc="none", lw=0.8, label="exact")
    ax.plot(data.positions, data.bfloat16, "s", color=second, ms=3.2, label="bfloat16")
    ax.set_xticks([244, 248, 252, 256, 260, 264, 268, 272])
    ax.set_yticks([-1, 0, 1])
    ax.set_ylim(-1.15, 1.75)
    ax.set_xlabel("position")
    ax.set_ylabel("first column")
    ax.legend(loc="upper left", ncols=2, borderpad=0)
    _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same marks, with position and value in the hover text."""
    figure = go.Figure()
    first, second = _style.PLOTLY_SERIES[0], _style.PLOTLY_SERIES[1]
    figure.add_scatter(
        x=data.positions,
        y=data.exact,
        mode="lines+markers",
        name="exact",
        line={"color": first, "width": 1},
        marker={"color": first, "size": 11, "symbol": "circle-open", "line": {"width": 2}},
        hovertemplate="exact<br>position %{x}<br>value %{y:.4f}<extra></extra>",
    )
    figure.add_scatter(
        x=data.positions,
        y=data.bfloat16,
        mode="markers",
        name="bfloat16",
        marker={"color": second, "size": 6, "symbol": "square"},
        hovertemplate="bfloat16<br>position %{x}<br>value %{y:.4f}<extra></extra>",
    )
    return _style.layout(figure, x="position", y="first column")
