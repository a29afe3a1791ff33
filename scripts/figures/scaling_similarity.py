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
The similarity of two positions as a share of its largest value, by their offset, for the head of
the figure above. With YaRN, near positions look as before: its line all but covers the one without
a scaling. With the linear scaling, all of them look alike. NTK and LongRoPE lie between
{{ check: all(stretched_similarity(k, "none") < stretched_similarity(k, "ntk") <
stretched_similarity(k, "longrope") < stretched_similarity(k, "linear") for k in [4, 16, 64]) }}.
"""
ALT = """
Five lines from {{ 1 : d }} at offset {{ 0 : d }} to the right, up to offset {{ 64 : d }}. Without a
scaling the line falls to {{ stretched_similarity(4, "none") : .2f }} at offset {{ 4 : d }} and
{{ stretched_similarity(64, "none") : .2f }} at {{ 64 : d }}. YaRN follows it closely
{{ check: all(abs(stretched_similarity(k, "yarn") - stretched_similarity(k, "none")) < 0.06
for k in range(65)) }}.
NTK is at {{ stretched_similarity(4, "ntk") : .2f }} and
{{ stretched_similarity(64, "ntk") : .2f }},
LongRoPE at {{ stretched_similarity(4, "longrope") : .2f }} and
{{ stretched_similarity(64, "longrope") : .2f }}. The linear scaling stays at
{{ stretched_similarity(4, "linear") : .2f }} and is still at
{{ stretched_similarity(64, "linear") : .2f }} at the right end.
"""
NAMES = {
    "none": "without scaling",
    "linear": "linear",
    "ntk": "NTK",
    "yarn": "YaRN",
    "longrope": "LongRoPE",
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
    return [
        Line(name, data.offsets, share, f"{name}<br>{hover}", color=k, dash=k)
        for k, (name, share) in enumerate(zip(NAMES.values(), data.shares, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each scaling."""
    return columns("offset", lines(data))


def static(data: Data) -> Figure:
    """Lines with a legend below their ends."""
    figure, ax = _style.canvas(height=3.6)
    plot(ax, lines(data))
    ax.set(xlabel="offset", ylabel="share of the full similarity")
    ax.set(xlim=(0, 64), xticks=[0, 16, 32, 48, 64], ylim=(0.4, 1.02))
    _style.legend_above(figure, ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with scaling, offset and similarity in the hover text."""
    figure = traces(go.Figure(), lines(data))
    return _style.layout(figure, x="offset", y="share of the full similarity")
