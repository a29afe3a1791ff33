"""How far tensor2tensor's encoding of a position is from the paper's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from posenc import CONVENTIONS, Convention, distance
from scripts.figures import _style

CAPTION = """
The distance between the two encodings of one position at $d = 512$: the paper's, in halves, and
tensor2tensor's, whose exponent has $d - 2$ where the paper's has $d$. The dashed line is the
distance of two neighbouring positions. Near the start the two tables are all but the same; they
drift apart in proportion to the position.
"""
ALT = """
A line on two logarithmic axes, from {{ 1 : d }} to {{ 10000 : ,d }} positions. It rises straight,
meets a dashed level line at {{ distance(1, 512) : .2f }} near position {{ 360 : d }}, and bends to
the right above it.
"""
_LABELS = ("paper to tensor2tensor", "neighbouring positions")


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
    paper = Convention(arrangement="halves").encode(positions, 512)
    other = CONVENTIONS["tensor2tensor"].encode(positions, 512)
    return Data(
        positions=positions,
        distances=np.linalg.norm(paper - other, axis=1),
        ends=positions[[0, -1]],
        steps=np.full(2, distance(1, 512)),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for the distance."""
    return {"position": data.positions, "distance": data.distances}


def static(data: Data) -> Figure:
    """The drift and the level line."""
    figure, ax = _style.canvas(height=3.2)
    ax.loglog(data.positions, data.distances, "-", color=_style.SERIES[0], label=_LABELS[0])
    ax.loglog(
        data.ends, data.steps, color=_style.SERIES[1], linestyle=_style.DASHES[1], label=_LABELS[1]
    )
    ax.minorticks_off()
    ax.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1,000", "10,000"])
    ax.set_yticks([0.01, 0.1, 1, 10], ["0.01", "0.1", "1", "10"])
    ax.set_xlabel("position")
    ax.set_ylabel("distance")
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0.98))
    _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with position and distance in the hover text."""
    figure = go.Figure()
    figure.add_scatter(
        x=data.positions,
        y=data.distances,
        mode="lines",
        name=_LABELS[0],
        line={"color": _style.PLOTLY_SERIES[0], "dash": _style.PLOTLY_DASHES[0]},
        hovertemplate="position %{x:,}<br>distance %{y:.4f}<extra></extra>",
    )
    figure.add_scatter(
        x=data.ends,
        y=data.steps,
        mode="lines",
        name=_LABELS[1],
        line={"color": _style.PLOTLY_SERIES[1], "dash": _style.PLOTLY_DASHES[1]},
        hovertemplate="neighbouring positions<br>distance %{y:.4f}<extra></extra>",
    )
    figure = _style.layout(figure, x="position", y="distance")
    figure.update_xaxes(type="log", exponentformat="power", dtick=1)
    figure.update_yaxes(type="log", dtick=1)
    return figure
