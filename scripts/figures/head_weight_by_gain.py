"""How much weight the head puts on its target, by gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.numbers.quantities import target_weight

CAPTION = """
The smallest weight that the head gives to its target, over all positions $p \\ge 3$ of
{{ len(head_weights(64, 512, 3, 1)) : d }}, for three widths $d$. At gain $0$ every position gets
the same share. A wider head has more pairs to agree on the target, and needs less gain.
"""
ALT = """
Three rising curves of weight over gain from {{ 0 : d }} to {{ 40 : d }}. All start at
{{ target_weight(64, 512, 3, 0) : .4f }}. At gain {{ 10 : d }} the curve of width {{ 512 : d }} has
reached {{ target_weight(64, 512, 3, 10) : .2f }}, that of width {{ 128 : d }}
{{ target_weight(64, 128, 3, 10) : .2f }} and that of width {{ 64 : d }}
{{ target_weight(64, 64, 3, 10) : .2f }}; at gain {{ 40 : d }} all are above
{{ target_weight(64, 64, 3, 40) : .2f }}.
"""


@dataclass(frozen=True)
class Data:
    """One curve a width."""

    widths: np.ndarray  # (widths,)
    gains: np.ndarray  # (gains,)
    weights: np.ndarray  # (widths, gains)


def data() -> Data:
    """The numbers of the figure."""
    widths, gains = np.array([512, 128, 64]), np.arange(0, 40.5, 0.5)
    weights = [[target_weight(64, int(d), 3, gain) for gain in gains] for d in widths]
    return Data(widths, gains, np.array(weights))


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the gain, one for each width."""
    curves = zip(data.widths, data.weights, strict=True)
    return {"gain": data.gains, **{f"width {d}": curve for d, curve in curves}}


def static(data: Data) -> Figure:
    """The curves, named in the empty corner."""
    figure, ax = _style.canvas(height=2.8)
    for width, curve in zip(data.widths, data.weights, strict=True):
        ax.plot(data.gains, curve, label=f"width {width}")
    ax.legend(loc="lower right", labelspacing=0.8)
    ax.set_xlim(0, 40)
    ax.set_ylim(0, 1.02)
    ax.set_xticks([0, 10, 20, 30, 40])
    ax.set_yticks([0, 0.5, 1])
    ax.set_xlabel("gain")
    ax.set_ylabel("weight on the target")
    _style.grid(ax)
    _style.answers(ax, *ax.lines)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same curves, with width, gain and weight in the hover text."""
    figure = go.Figure()
    for k, width in enumerate(data.widths):
        figure.add_scatter(
            x=data.gains,
            y=data.weights[k],
            mode="lines",
            name=f"width {width}",
            line={"color": _style.PLOTLY_SERIES[k], "dash": _style.PLOTLY_DASHES[k]},
            hovertemplate=(
                f"width {width}<br>gain %{{x}}<br>weight on position p − 3: %{{y:.4f}}"
                "<extra></extra>"
            ),
        )
    return _style.layout(figure, x="gain", y="weight on the target")
