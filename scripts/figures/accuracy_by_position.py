"""Share of right answers at each position, within the trained length and beyond."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces
from scripts.numbers.quantities import accuracy_at

CAPTION = """
The share of right answers at each position of texts of $128$ letters, for models that were trained
on texts of $32$ (mean of three seeds). Up to position $31$ all four lines are above
{{ 0.99 : .2f }}
{{ check: all(accuracy_at(name, p) > 0.99 for name in ["sinusoidal", "learned", "rope", "t5"] for p
in range(3, 32)) }}.
At the dotted line the sinusoids and the learned table fall at once
{{ check: accuracy_at("sinusoidal", 32) < 0.5 and accuracy_at("learned", 32) < 0.1 }}.
The sinusoids recover in part
{{ check: accuracy_at("sinusoidal", 45) > 2 * accuracy_at("sinusoidal", 32) }},
the table does not. RoPE and T5's buckets go on, and fail late:
RoPE in steps, T5 little by little.
"""
ALT = """
Four lines over the positions {{ 3 : d }} to {{ 127 : d }}, with a dotted line upright at position
{{ 32 : d }}, where the trained length ends. To its left all four stand at {{ 1 : d }} or just
below. The learned table falls to {{ accuracy_at("learned", 32) : .2f }} at position {{ 32 : d }}
and stays near zero.
The sinusoids fall to {{ accuracy_at("sinusoidal", 33) : .2f }} at position {{ 33 : d }}, return to
{{ accuracy_at("sinusoidal", 45) : .2f }} at {{ 45 : d }}, and are at
{{ accuracy_at("sinusoidal", 64) : .2f }} at {{ 64 : d }}. RoPE is still at
{{ accuracy_at("rope", 64) : .2f }} at position {{ 64 : d }} and falls to
{{ accuracy_at("rope", 127) : .2f }} at {{ 127 : d }}; T5's buckets reach
{{ accuracy_at("t5", 127) : .2f }} there.
"""
NAMES = {
    "sinusoidal": "sinusoids",
    "learned": "learned table",
    "rope": "RoPE",
    "t5": "T5 buckets",
}
TRAINED = "end of the trained length"


@dataclass(frozen=True)
class Data:
    """One line for each encoding, and the end of the trained length."""

    positions: np.ndarray  # (positions,) the first three have no answer
    shares: np.ndarray  # (encodings, positions)
    trained: np.ndarray  # (2,) the same position twice
    ends: np.ndarray  # (2,) lowest and highest share


def data() -> Data:
    """The numbers of the figure."""
    positions = range(3, 128)
    return Data(
        positions=np.array(positions),
        shares=np.array([[accuracy_at(name, p) for p in positions] for name in NAMES]),
        trained=np.array([32, 32]),
        ends=np.array([0, 1]),
    )


def lines(data: Data) -> list[Line]:
    """One line for each encoding."""
    hover = "position %{x}<br>share of right answers %{y:.3f}"
    return [
        Line(name, data.positions, shares, f"{name}<br>{hover}", color=k, dash=k)
        for k, (name, shares) in enumerate(zip(NAMES.values(), data.shares, strict=True))
    ]


def _drawn(data: Data) -> list[Line]:
    return [*lines(data), Line(TRAINED, data.trained, data.ends, color=4, dash=4)]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each encoding."""
    return columns("position", lines(data))


def static(data: Data) -> Figure:
    """All lines in one panel, with a legend above."""
    figure, ax = _style.canvas(height=3.5)
    plot(ax, _drawn(data), width=1.3)
    ax.set(xlabel="position", ylabel="share of right answers")
    ax.set(xlim=(0, 127), xticks=[0, 32, 64, 96, 127], ylim=(0, 1.03), yticks=[0, 0.5, 1])
    _style.legend_above(figure, ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with encoding, position and share in the hover text."""
    figure = traces(go.Figure(), _drawn(data), width=1.5)
    return _style.layout(figure, x="position", y="share of right answers")
