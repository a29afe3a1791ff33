"""Similarity over the offset, for four choices of the hands' speeds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

from scripts.figures import _lines, _style
from scripts.numbers import quantities

CAPTION = """
How alike two positions are, by their offset, for four ways to choose the speeds of
{{ len(speeds("even", 32)) : d }} clock hands. One means the same. Equal speeds come round again
and again
{{ check: all(sum(cos(k * speeds("equal", 32))) / 32 > 0.9 for k in [44, 88, 132, 176, 220]) }}.
With evenly spaced ones positions are unlike after a few offsets, until all hands meet again near
offset {{ 64 * pi : .0f }}. With random ones, drawn once, evenly between zero and one, they
are soon unlike too
{{ check: all(abs(sum(cos(k * speeds(choice, 32))) / 32) < 0.45 for choice in ["even",
"random"] for k in range(5, 191)) }}.
Of the four, only the geometric progression makes the similarity fall over all scales, though with
ripples, so that it tells near from far
{{ check: all(sum(cos(k * speeds("geometric", 32))) > sum(cos(2 * k * speeds("geometric", 32)))
for k in [1, 2, 4, 8, 100]) }}.
"""
ALT = """
Four panels of similarity over offsets {{ 0 : d }} to {{ 250 : d }}. Equal speeds: a wave that
swings between {{ -1 : d }} and {{ 1 : d }} without end. Evenly spaced: at offset {{ 10 : d }} it
is {{ sum(cos(10 * speeds("even", 32))) / 32 : .2f }}, and at offset {{ 201 : d }} it is back at
{{ sum(cos(201 * speeds("even", 32))) / 32 : .2f }}. Random: at offset {{ 20 : d }} it is
{{ sum(cos(20 * speeds("random", 32))) / 32 : .2f }} and wavers about {{ 0 : d }}. Geometric: a
fall from {{ 1 : d }} through {{ sum(cos(10 * speeds("geometric", 32))) / 32 : .2f }} at offset
{{ 10 : d }} to {{ sum(cos(200 * speeds("geometric", 32))) / 32 : .2f }} at offset {{ 200 : d }},
with ripples.
"""
CHOICES = ("equal", "even", "random", "geometric")
TITLES = ("all equal", "evenly spaced", "random", "geometric")


@dataclass(frozen=True)
class Data:
    """The mean of the cosines of all hands' turns, by offset, for each choice."""

    offsets: np.ndarray  # (offsets,)
    equal: np.ndarray  # (offsets,)
    even: np.ndarray
    random: np.ndarray
    geometric: np.ndarray


def data() -> Data:
    """The numbers of the figure."""
    offsets = np.arange(251)
    curves = {
        choice: np.cos(np.outer(offsets, quantities.speeds(choice, 32))).mean(axis=1)
        for choice in CHOICES
    }
    return Data(offsets=offsets, **curves)


def _curves(data: Data) -> list[_lines.Line]:
    """One line for each choice."""
    return [
        _lines.Line(
            title,
            data.offsets,
            getattr(data, key),
            f"{title}<br>offset %{{x}}<br>similarity %{{y:.4f}}",
            color=k,
        )
        for k, (key, title) in enumerate(zip(CHOICES, TITLES, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each offset."""
    return _lines.columns("offset", _curves(data))


def static(data: Data) -> Figure:
    """Four panels that share their axes."""
    figure, axes = _style.canvas(height=4.2, rows=2, columns=2, sharex=True, sharey=True)
    for ax, curve in zip(axes.flat, _curves(data), strict=True):
        _lines.plot(ax, [curve], width=1.2)
        ax.set_title(curve.label, loc="left")
        ax.set_yticks([-1, 0, 1])
    for ax in axes[1]:
        ax.set_xlabel("offset k")
    for ax in axes[:, 0]:
        ax.set_ylabel("similarity")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with offset and similarity in the hover text."""
    shared = {"shared_xaxes": True, "shared_yaxes": True}
    figure = make_subplots(rows=2, cols=2, **shared, subplot_titles=TITLES, vertical_spacing=0.12)
    for k, curve in enumerate(_curves(data)):
        _lines.traces(figure, [curve], width=1.5, row=k // 2 + 1, col=k % 2 + 1)
    _style.layout(figure, x="offset k", y="similarity", showlegend=False)
    return figure.update_yaxes(range=[-1.1, 1.1])
