"""The similarity of near positions, before and after scalings for long texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces
from scripts.numbers import quantities

CAPTION = """
**YaRN and Llama {{ 3 : d }} change near positions little, linear scaling makes them alike
{{ check: all(abs(stretched_similarity(k, name) - stretched_similarity(k, "none")) < 0.051 <
stretched_similarity(k, "linear") - stretched_similarity(k, "none") for k in range(3, 65)
for name in ["yarn", "llama3"]) }}.**
The similarity of two positions by their offset, as a share of its largest value, in the same head.
Dashed: as trained, on top of Llama $3$.
"""
ALT = """
Six lines from {{ 1 : d }} at offset {{ 0 : d }} to the right, up to offset {{ 64 : d }}, on an axis
from {{ 0 : d }}. As trained, the line falls to {{ stretched_similarity(4, "none") : .2f }} at
offset {{ 4 : d }} and {{ stretched_similarity(64, "none") : .2f }} at {{ 64 : d }}. Llama
{{ 3 : d }} covers it
{{ check: all(abs(stretched_similarity(k, "llama3") - stretched_similarity(k, "none")) < 0.003
for k in range(65)) }}.
YaRN leaves it slowly and ends at {{ stretched_similarity(64, "yarn") : .2f }}, NTK at
{{ stretched_similarity(64, "ntk") : .2f }}, LongRoPE at
{{ stretched_similarity(64, "longrope") : .2f }}. The linear scaling is still at
{{ stretched_similarity(64, "linear") : .2f }} at the right end.
"""
NAMES = {  # scaling, name, colour, height of the name at the end of the line
    "linear": ("linear", 1, 0.88),
    "ntk": ("NTK", 2, 0.62),
    "yarn": ("YaRN", 0, 0.555),
    "llama3": ("Llama 3", 4, 0.487),
    "longrope": ("LongRoPE", 3, 0.73),
    "none": ("as trained", _style.PAPER_BASE, 0.42),  # on top, dashed
}


@dataclass(frozen=True)
class Data:
    """One line for each scaling."""

    offsets: np.ndarray  # (offsets,)
    shares: np.ndarray  # (scalings, offsets)


def data() -> Data:
    """The numbers of the figure."""
    offsets = np.arange(65)
    shares = [quantities.stretched_similarity(offsets, name) for name in NAMES]
    return Data(offsets=offsets, shares=np.array(shares))


def lines(data: Data) -> list[Line]:
    """One line for each scaling."""
    hover = "offset %{x}<br>share of the full similarity %{y:.3f}"
    named = zip(NAMES.items(), data.shares, strict=True)
    return [
        Line(name, data.offsets, share, f"{name}<br>{hover}", color=color, dash=int(key == "none"))
        for (key, (name, color, _)), share in named
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each scaling."""
    return columns("offset", lines(data))


def static(data: Data) -> Figure:
    """Lines with their names at their ends."""
    figure, ax = _style.canvas(height=4.2)
    drawn = plot(ax, lines(data))
    covered = drawn[list(NAMES).index("llama3")]
    covered.set(linewidth=5, alpha=0.45)  # so that it shows on both sides of the dashes
    for name, color, height in NAMES.values():
        ax.text(65, height, name, va="center", color=_style.SERIES[color])
    ax.set(xlabel="offset", ylabel="share of the full similarity")
    ax.set(xlim=(0, 76), xticks=[0, 16, 32, 48, 64], ylim=(0, 1.02))
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with scaling, offset and similarity in the hover text."""
    figure = traces(go.Figure(), lines(data))
    figure.update_traces(line_width=6, opacity=0.45, selector={"name": NAMES["llama3"][0]})
    return _style.layout(figure, x="offset", y="share of the full similarity")
