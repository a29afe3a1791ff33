"""One attention head as a drawing: where the encoding enters, and where it goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style

CAPTION = """
One attention head at position $p$, from the bottom up. Thick lines carry the encoding. It enters
once, in the sum, and reaches the head by three ways: the query, which $W_Q$ makes of this sum, and
the keys and the values, which $W_K$ and $W_V$ make of the sums at all positions. A fourth way, the
*residual path*, leads past the head: the sum is added to what the head returns, after another
matrix has made that as wide as the sum.
"""
ALT = """
A drawing of boxes joined by arrows, from the bottom to the top. At the bottom stand two boxes: the
word, and the encoding of its position. Both lead into the sum. From the sum {{ 4 : d }} arrows go
up. Two lead through the query and the keys into the scores and weights, and from there into the
weighted mean of the values. One leads through the values into the same mean. The last one, the
residual path, goes round all of these to the box where the sum and the mean are added. From there
an arrow leads to the next layer.
"""
BOXES = {  # left, right, bottom, top
    "word": (0.9, 3.1, -0.4, 0.4),
    "encoding PE(p)": (4.3, 7.1, -0.4, 0.4),
    "sum": (1.6, 6.4, 1.1, 1.9),
    "query": (0, 1.9, 2.8, 3.6),
    "keys": (2.2, 4.1, 2.8, 3.6),
    "values": (4.4, 6.3, 2.8, 3.6),
    "scores and weights": (0, 4.1, 4.4, 5.2),
    "weighted mean of the values": (1.1, 6.3, 6, 6.8),
    "added": (4.4, 7.6, 7.6, 8.4),
}
ARROWS = {  # from the first to the last of these points
    "word to sum": ((2, 0.4), (2, 1.1)),
    "encoding to sum": ((5.7, 0.4), (5.7, 1.1)),
    "sum to query": ((1.75, 1.9), (1.75, 2.3), (0.95, 2.3), (0.95, 2.8)),
    "sum to keys": ((3.15, 1.9), (3.15, 2.8)),
    "sum to values": ((5.35, 1.9), (5.35, 2.8)),
    "query to scores": ((0.95, 3.6), (0.95, 4.4)),
    "keys to scores": ((3.15, 3.6), (3.15, 4.4)),
    "scores to mean": ((2.6, 5.2), (2.6, 6)),
    "values to mean": ((5.35, 3.6), (5.35, 6)),
    "mean to added": ((5.35, 6.8), (5.35, 7.6)),
    "residual path": ((6.2, 1.9), (6.2, 2.3), (7, 2.3), (7, 7.6)),
    "added to next layer": ((6, 8.4), (6, 9.2)),
}
PLAIN = "word to sum"  # the one arrow that carries no encoding
NOTES = {"residual path": (7.15, 4.8), "to the next layer": (6.2, 8.95)}


@dataclass(frozen=True)
class Data:
    """Edges of the boxes and points of the arrows, from first to last."""

    left: np.ndarray  # (boxes,)
    right: np.ndarray
    bottom: np.ndarray
    top: np.ndarray
    outline_x: np.ndarray  # (boxes, 5) once around
    outline_y: np.ndarray
    arrow_x: np.ndarray  # (arrows, 4) the last point repeated where there are fewer
    arrow_y: np.ndarray


def data() -> Data:
    """The places of the drawing."""
    left, right, bottom, top = np.array(list(BOXES.values()), dtype=float).T
    points = np.array([p + p[-1:] * (4 - len(p)) for p in ARROWS.values()], dtype=float)
    return Data(
        left=left,
        right=right,
        bottom=bottom,
        top=top,
        outline_x=np.stack([left, right, right, left, left], axis=1),
        outline_y=np.stack([bottom, bottom, top, top, bottom], axis=1),
        arrow_x=points[:, :, 0],
        arrow_y=points[:, :, 1],
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each box."""
    return {"left": data.left, "right": data.right, "bottom": data.bottom, "top": data.top}


def static(data: Data) -> Figure:
    """Boxes, their names in them, and arrows that end in a head."""
    figure, ax = _style.canvas(height=5.6)
    for name, x, y in zip(ARROWS, data.arrow_x, data.arrow_y, strict=True):
        color, width = (_style.INK, 1.2) if name == PLAIN else (_style.SERIES[0], 2.4)
        ax.plot(x, y, "-^", color=color, lw=width, ms=7, markevery=[-1], label=name)
    for name, x, y, label in zip(BOXES, data.outline_x, data.outline_y, BOXES, strict=True):
        color = _style.SERIES[0] if name.startswith("encoding") else _style.INK
        ax.plot(x, y, "-", color=color, lw=1.2, label=label)
        ax.annotate(name, (x[:2].mean(), y[1:3].mean()), ha="center", va="center")
    for note, place in NOTES.items():
        ax.annotate(note, place, va="center", rotation=90 if note == "residual path" else 0)
    ax.set_axis_off()
    return figure


def interactive(data: Data) -> go.Figure:
    """The same boxes and arrows."""
    figure = go.Figure()
    for name, x, y in zip(ARROWS, data.arrow_x, data.arrow_y, strict=True):
        plain = name == PLAIN
        color = "var(--fig-grid)" if plain else _style.PLOTLY_SERIES[0]
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines+markers",
            name=name,
            line={"color": color, "width": 1.5 if plain else 3},
            marker={"symbol": "triangle-up", "size": [0, 0, 0, 12], "color": color, "opacity": 1},
            hovertemplate=f"{name}<extra></extra>",
        )
    for name, x, y in zip(BOXES, data.outline_x, data.outline_y, strict=True):
        encoding = name.startswith("encoding")
        color = _style.PLOTLY_SERIES[0] if encoding else "var(--fig-grid)"
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            name=name,
            line={"color": color, "width": 1.5},
            hovertemplate=f"{name}<extra></extra>",
        )
        figure.add_annotation(x=x[:2].mean(), y=y[1:3].mean(), text=name, showarrow=False)
    for note, (x, y) in NOTES.items():
        angle = -90 if note == "residual path" else 0
        figure.add_annotation(x=x, y=y, text=note, showarrow=False, xanchor="left", textangle=angle)
    _style.layout(figure, x="", y="", showlegend=False, margin={"l": 8, "r": 8, "t": 8, "b": 8})
    bare = {"visible": False}
    return figure.update_layout(xaxis=bare, yaxis=bare)
