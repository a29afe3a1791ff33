"""Scores of trained heads between rows of the encoding, beside those of the shift matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces
from scripts.numbers.quantities import built_score, trained_scores

CAPTION = """
How a query scores the rows $0$ to $31$ places before it, averaged over the queries. From each
query's scores we subtracted their mean over the keys that it sees; the softmax ignores it. Solid:
the mean of the six trained heads of the models with sinusoids, two heads for each of three seeds.
All six lie between the dotted lines. Dashed: the head built from $M_3$, times the mean of the gains
that fit the trained heads best. Both are highest three places back {{ check:
argmax([sum(trained_scores("sinusoidal", k)) for k in range(32)]) == 3 and argmax([built_score(k)
for k in range(32)]) == 3 }}.
"""
ALT = """
Two lines over the offsets {{ 0 : d }} to {{ 31 : d }}, the first between two dotted ones that
enclose all six trained heads. Both rise from near zero to a peak at {{ 3 : d }}: the mean of the
trained heads to {{ sum(trained_scores("sinusoidal", 3)) / 6 : .1f }}, the head built by hand to
{{ built_score(3) : .1f }}. Both are below the mean, zero, from {{ 7 : d }} on {{ check:
all(sum(trained_scores("sinusoidal", k)) < 0 for k in range(7, 32)) and all(built_score(k) < 0 for k
in range(7, 32)) }}. There the trained line swings more widely around the other.
"""
OFFSETS = range(32)


@dataclass(frozen=True)
class Data:
    """Scores by the places from the query back to the key."""

    offsets: np.ndarray  # (offsets,)
    trained: np.ndarray  # (offsets,) the mean of six heads
    lowest: np.ndarray  # (offsets,)
    highest: np.ndarray  # (offsets,)
    built: np.ndarray  # (offsets,)


def data() -> Data:
    """The numbers of the figure."""
    heads = np.array([trained_scores("sinusoidal", offset) for offset in OFFSETS])
    return Data(
        offsets=np.array(OFFSETS),
        trained=heads.mean(axis=1),
        lowest=heads.min(axis=1),
        highest=heads.max(axis=1),
        built=np.array([built_score(offset) for offset in OFFSETS]),
    )


def lines(data: Data) -> list[Line]:
    """The trained heads with their range, and the head built by hand."""
    hover = "%{x} places back<br>score %{y:.2f}"
    shown = [
        ("trained, mean of six heads", data.trained, 0, 0),
        ("lowest of the six", data.lowest, 0, 2),
        ("highest of the six", data.highest, 0, 2),
        ("built by hand", data.built, 1, 1),
    ]
    return [
        Line(name, data.offsets, scores, f"{name}<br>{hover}", color=color, dash=dash)
        for name, scores, color, dash in shown
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each line."""
    return columns("places back", lines(data))


def static(data: Data) -> Figure:
    """All lines in one panel, with a legend above."""
    figure, ax = _style.canvas(height=3.1)
    plot(ax, lines(data), width=1.3)
    ax.set(xlabel="places from the query back to the key", ylabel="score")
    ax.set(xlim=(0, 31), xticks=[0, 3, 10, 20, 31])
    _style.legend_above(figure, ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with offset and score in the hover text."""
    figure = traces(go.Figure(), lines(data), width=1.5)
    return _style.layout(figure, x="places from the query back to the key", y="score")
