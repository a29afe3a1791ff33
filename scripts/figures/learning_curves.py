"""Share of right answers in training, step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces
from scripts.numbers.quantities import learning_curve

CAPTION = """
The share of right answers in the batches of training, for the first $600$ of $1{,}500$ steps (mean
of three seeds, one dot for each $25$ steps). RoPE and the learned table rise first, the sinusoids
soon after, T5's buckets later
{{ check: learning_curve("learned")[7] > learning_curve("sinusoidal")[7] >
learning_curve("t5")[7] and learning_curve("rope")[7] > learning_curve("sinusoidal")[7] }}.
Only ALiBi stays below one half, and the remaining steps do not change that
{{ check: max(learning_curve("alibi")) < 0.5 }}.
"""
ALT = """
Five rising lines over the steps {{ 25 : d }} to {{ 600 : d }}, all from about one in sixteen. After
{{ 200 : d }} steps the learned table is at {{ learning_curve("learned")[7] : .2f }}, RoPE at
{{ learning_curve("rope")[7] : .2f }}, the sinusoids at {{ learning_curve("sinusoidal")[7] : .2f }}
and T5's buckets at {{ learning_curve("t5")[7] : .2f }}. At step {{ 600 : d }} these four are above
{{ 0.99 : .2f }}
{{ check: all(learning_curve(name)[23] > 0.99 for name in ["sinusoidal", "learned", "rope", "t5"])
}}.
ALiBi stands at {{ learning_curve("alibi")[23] : .2f }} there.
"""
NAMES = {
    "sinusoidal": "sinusoids",
    "learned": "learned table",
    "rope": "RoPE",
    "t5": "T5 buckets",
    "alibi": "ALiBi",
}
SHOWN, EVERY = 24, 25


@dataclass(frozen=True)
class Data:
    """One line for each encoding."""

    steps: np.ndarray  # (points,) the last step of each mean
    shares: np.ndarray  # (encodings, points)


def data() -> Data:
    """The numbers of the figure."""
    shares = [learning_curve(name)[:SHOWN] for name in NAMES]
    return Data(steps=EVERY * np.arange(1, SHOWN + 1), shares=np.array(shares))


def lines(data: Data) -> list[Line]:
    """One line for each encoding."""
    hover = "up to step %{x}<br>share of right answers %{y:.3f}"
    return [
        Line(name, data.steps, shares, f"{name}<br>{hover}", color=k, dash=k, mark=".")
        for k, (name, shares) in enumerate(zip(NAMES.values(), data.shares, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the step, one for each encoding."""
    return columns("step", lines(data))


def static(data: Data) -> Figure:
    """All lines in one panel, with a legend above."""
    figure, ax = _style.canvas(height=3.3)
    plot(ax, lines(data), width=1.3)
    ax.set(xlabel="step of training", ylabel="share of right answers")
    ax.set(xlim=(0, 606), xticks=[0, 200, 400, 600], ylim=(0, 1.03), yticks=[0, 0.5, 1])
    _style.legend_above(figure, ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with encoding, step and share in the hover text."""
    figure = traces(go.Figure(), lines(data), width=1.5)
    return _style.layout(figure, x="step of training", y="share of right answers")
