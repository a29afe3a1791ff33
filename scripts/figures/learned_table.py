"""How alike position 50 is to its neighbours: sinusoids, and a learned table at its start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.numbers.quantities import fresh_cosines

CAPTION = """
How alike the row of position $50$ is to the rows of positions $0$ to $100$, at $d = 768$: the
cosine of the angle between them. The sinusoids know their neighbours. A learned table is drawn at
random before training, as BERT's is, and does not: row $51$ is as strange to row $50$ as row
$99$.
"""
ALT = """
Two lines over the positions {{ 0 : d }} to {{ 100 : d }}. That of the sinusoids is a smooth peak
of height {{ 1 : d }} at position {{ 50 : d }}; it stands at
{{ similarity(1, 768) / similarity(0, 768) : .2f }} one position away and at
{{ similarity(50, 768) / similarity(0, 768) : .2f }} at both ends. That of the random table is a
single spike of height {{ 1 : d }} at position {{ 50 : d }}; everywhere else it is noise between
{{ min(fresh_cosines(50, 101, 768)) : .2f }} and {{ max(max(fresh_cosines(50, 101, 768)[:50]),
max(fresh_cosines(50, 101, 768)[51:])) : .2f }}.
"""
NAMES = ("sinusoids", "learned, before training")


@dataclass(frozen=True)
class Data:
    """Cosines of the angles between rows."""

    positions: np.ndarray  # (positions,)
    sinusoids: np.ndarray  # (positions,)
    learned: np.ndarray  # (positions,)


def data() -> Data:
    """The numbers of the figure."""
    positions = np.arange(101)
    return Data(
        positions=positions,
        sinusoids=posenc.encode(positions, 768) @ posenc.encode(50, 768) / 384,
        learned=fresh_cosines(50, 101, 768),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One row a position."""
    return {"position": data.positions, **dict(zip(NAMES, _lines(data), strict=True))}


def _lines(data: Data) -> tuple[np.ndarray, np.ndarray]:
    return data.sinusoids, data.learned


def static(data: Data) -> Figure:
    """Both in one panel."""
    figure, ax = _style.canvas(height=2.7)
    for k, (name, line) in enumerate(zip(NAMES, _lines(data), strict=True)):
        ax.plot(data.positions, line, "-", color=_style.SERIES[k], lw=1.3, label=name)
    ax.set_xticks([0, 25, 50, 75, 100])
    ax.set_yticks([0, 0.5, 1])
    ax.set_ylim(-0.15, 1.35)
    ax.margins(x=0.01)
    ax.set_xlabel("position")
    ax.set_ylabel("cosine similarity")
    ax.legend(loc="upper left", ncols=2, borderpad=0)
    _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with position and similarity in the hover text."""
    figure = go.Figure()
    for k, (name, line) in enumerate(zip(NAMES, _lines(data), strict=True)):
        figure.add_scatter(
            x=data.positions,
            y=line,
            mode="lines+markers",
            name=name,
            line={"color": _style.PLOTLY_SERIES[k], "width": 1.5},
            marker={"size": 4},
            hovertemplate=(
                f"{name}<br>positions 50 and %{{x}}<br>cosine similarity %{{y:.3f}}<extra></extra>"
            ),
        )
    return _style.layout(figure, x="position", y="cosine similarity")
