"""How similar every position is to three chosen ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
The dot product of every row with the rows of positions $0$, $25$ and $49$ at $d = 128$, as a
share of its largest value. It is one curve, moved along: highest where the two positions meet,
the same to the left and to the right.
"""
ALT = """
Three curves over {{ len(positional_encoding(50, 128)) : d }} positions at width
{{ len(encode(0, 128)) : d }}: the similarity to positions {{ 0 : d }}, {{ 25 : d }} and
{{ 49 : d }}. Each has a peak of {{ similarity(0, 128) / 64 : .0f }} at its own position and falls
away to both sides in the same way, to {{ similarity(10, 128) / 64 : .2f }} at
{{ 10 : d }} positions off and {{ similarity(25, 128) / 64 : .2f }} at {{ 25 : d }}.
"""


@dataclass(frozen=True)
class Data:
    """One line for each position that the others are compared with."""

    positions: np.ndarray  # (length,)
    references: np.ndarray  # (references,)
    shares: np.ndarray  # (references, length) dot product over that of a row with itself


def data() -> Data:
    """The numbers of the figure."""
    positions, references = np.arange(50), np.array([0, 25, 49])
    return Data(
        positions=positions,
        references=references,
        shares=np.array([posenc.similarity(positions - q, 128) / 64 for q in references]),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each that it is compared with."""
    lines = zip(data.references, data.shares, strict=True)
    return {"position": data.positions, **{f"to position {q}": line for q, line in lines}}


def static(data: Data) -> Figure:
    """Three lines in one panel."""
    figure, ax = _style.canvas(height=3.1)
    for k, (q, share) in enumerate(zip(data.references, data.shares, strict=True)):
        color, dash, name = _style.SERIES[k], _style.DASHES[k], f"to position {q}"
        ax.plot(data.positions, share, color=color, ls=dash, label=name)
        side = ("left", "center", "right")[k]
        ax.annotate(name, (q, share[q]), (0, 5), textcoords="offset points", ha=side, color=color)
    ax.set_xticks([0, 10, 25, 40, 49])
    ax.set_yticks([0.4, 0.6, 0.8, 1.0])
    ax.margins(x=0.01)
    ax.set_xlabel("position")
    ax.set_title("share of the largest dot product", loc="left", pad=14)
    _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with both positions in the hover text."""
    figure = go.Figure()
    for k, (q, share) in enumerate(zip(data.references, data.shares, strict=True)):
        figure.add_scatter(
            x=data.positions,
            y=share,
            mode="lines+markers",
            name=f"to position {q}",
            line={"color": _style.PLOTLY_SERIES[k], "dash": _style.PLOTLY_DASHES[k]},
            marker={"size": 4},
            hovertemplate=(
                f"positions %{{x}} and {q}<br>share of the largest %{{y:.4f}}<extra></extra>"
            ),
        )
    return _style.layout(figure, x="position", y="share of the largest")
