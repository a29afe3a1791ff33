"""How far each position is from position 16, in three codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces

CAPTION = """
How far position $16$ is from each position $0$ to $31$, in three codes. One-hot: everything is
equally far. Binary counter: the neighbour on the left is the farthest point of all
{{ check: all(bit_changes(16, q) < bit_changes(16, 15) for q in range(32) if abs(q - 15) > 0)
}},
the one on the
right among the nearest
{{ check: bit_changes(16, 17) == min(bit_changes(16, q) for q in range(32) if abs(q - 16) > 0)
}}.
Encoding, at $d = 10$ and $n = 32$: a valley, the same on both
sides, with the two neighbours nearest to its bottom
{{ check: all(distance(k, 10, base=32) > distance(1, 10, base=32) for k in range(2, 17)) }}.
"""
ALT = """
Three lines over positions {{ 0 : d }} to {{ 31 : d }}: the distance from position {{ 16 : d }}.
One-hot is flat at {{ sqrt(2) : .2f }}. The binary counter jumps:
{{ sqrt(bit_changes(15, 16)) : .2f }} at position {{ 15 : d }},
{{ sqrt(bit_changes(17, 16)) : .2f }} at position {{ 17 : d }}. The encoding rises on both
sides, to {{ distance(1, 10, base=32) : .2f }} at the neighbours and
{{ distance(4, 10, base=32) : .2f }} four positions away
{{ check: all(distance(k, 10, base=32) < distance(k + 1, 10, base=32) for k in range(4)) }},
and then in ripples
{{ check: distance(5, 10, base=32) < distance(4, 10, base=32) < distance(8, 10, base=32) }}.
All are zero at position {{ 16 : d }}.
"""
CODES = ("encoding", "binary", "one-hot")


@dataclass(frozen=True)
class Data:
    """Distances from position 16 to each position."""

    positions: np.ndarray  # (length,)
    distances: np.ndarray  # (codes, length): encoding, binary, one-hot


def data() -> Data:
    """The numbers of the figure."""
    positions, bits = np.arange(32), np.arange(5)
    encoding = posenc.distance(positions - 16, 10, base=32)
    codes = (positions[:, None] >> bits & 1, np.eye(32))
    others = [np.linalg.norm(code - code[16], axis=1) for code in codes]
    return Data(positions=positions, distances=np.array([encoding, *others]))


def lines(data: Data) -> list[Line]:
    """One line for each code, with dots at the positions."""
    hover = "from position 16 to %{x}: %{y:.4f}"
    return [
        Line(code, data.positions, distance, f"{code}<br>{hover}", color=k, dash=k, mark="o")
        for k, (code, distance) in enumerate(zip(CODES, data.distances, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each code."""
    return columns("position", lines(data))


def static(data: Data) -> Figure:
    """Lines with dots at the positions, named at their right end."""
    figure, ax = _style.canvas(height=3.1)
    drawn = lines(data)
    plot(ax, drawn, size=3)
    for line in drawn:
        end, color = (line.x[-1], line.y[-1]), _style.SERIES[line.color]
        place = {"textcoords": "offset points", "va": "center"}
        ax.annotate(line.label, end, (7, 0), color=color, **place)
    ax.set(xlabel="position", ylabel="distance from position 16")
    ax.set(xticks=[0, 8, 16, 24, 31], yticks=[0, 1, 2, 3])
    ax.set(xlim=(-0.7, 36.5), ylim=(0, None))  # room for the names
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with code and position in the hover text."""
    figure = traces(go.Figure(), lines(data), size=5)
    return _style.layout(figure, x="position", y="distance from position 16")
