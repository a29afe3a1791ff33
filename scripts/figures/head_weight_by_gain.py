"""How much weight the head puts on its target, by gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces
from scripts.numbers.quantities import target_weight

CAPTION = """
The smallest weight that the head gives to its target, over all positions $p \\ge 3$ of
{{ len(head_weights(64, 512, 3, 1)) : d }}, for three widths $d$. At gain $0$ every position gets
the same share. A wider head has more pairs that agree on the target, so it needs less gain.
"""
ALT = """
Three rising curves of weight over gain from {{ 0 : d }} to {{ 40 : d }}
{{ check: all(target_weight(64, d, 3, 2 * gain) > target_weight(64, d, 3, gain) for d in [64,
128, 512] for gain in [1, 5, 20]) and all(target_weight(64, 512, 3, gain) >
target_weight(64, 128, 3, gain) > target_weight(64, 64, 3, gain) for gain in [1, 5, 10, 20,
40]) }}.
All start at
{{ target_weight(64, 512, 3, 0) : .4f }}. At gain {{ 10 : d }} the curve of width {{ 512 : d }} has
reached {{ target_weight(64, 512, 3, 10) : .2f }}, that of width {{ 128 : d }}
{{ target_weight(64, 128, 3, 10) : .2f }} and that of width {{ 64 : d }}
{{ target_weight(64, 64, 3, 10) : .2f }}; at gain {{ 40 : d }} all are above
{{ target_weight(64, 64, 3, 40) : .2f }}
{{ check: min(target_weight(64, d, 3, 40) for d in [64, 128, 512]) > target_weight(64, 64, 3,
40) - 0.005 }}.
"""


@dataclass(frozen=True)
class Data:
    """One curve for each width."""

    widths: np.ndarray  # (widths,)
    gains: np.ndarray  # (gains,)
    weights: np.ndarray  # (widths, gains)


def data() -> Data:
    """The numbers of the figure."""
    widths, gains = np.array([512, 128, 64]), np.arange(0, 40.5, 0.5)
    weights = [[target_weight(64, int(d), 3, gain) for gain in gains] for d in widths]
    return Data(widths, gains, np.array(weights))


def lines(data: Data) -> list[Line]:
    """One curve for each width."""
    hover = "gain %{x}<br>weight on position p − 3: %{y:.4f}"
    return [
        Line(f"width {d}", data.gains, curve, f"width {d}<br>{hover}", color=k, dash=k)
        for k, (d, curve) in enumerate(zip(data.widths, data.weights, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the gain, one for each width."""
    return columns("gain", lines(data))


def static(data: Data) -> Figure:
    """The curves, named in the empty corner."""
    figure, ax = _style.canvas(height=2.8)
    drawn = plot(ax, lines(data))
    ax.set(xlabel="gain", ylabel="weight on the target")
    ax.set(xlim=(0, 40), ylim=(0, 1.02), xticks=[0, 10, 20, 30, 40], yticks=[0, 0.5, 1])
    ax.legend(loc="lower right", labelspacing=0.8)
    _style.mark_for_sliders(ax, *drawn)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same curves, with width, gain and weight in the hover text."""
    figure = traces(go.Figure(), lines(data))
    return _style.layout(figure, x="gain", y="weight on the target")
