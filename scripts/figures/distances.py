"""The distance of two rows by their offset, at three widths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces

CAPTION = """
**More pairs keep far positions apart.** The distance of two rows $k$ positions apart, as a share of
the largest possible. With one pair, $d = 2$, it comes back near zero; with four, $d = 8$, it
still dips
{{ check: distance(63, 8) < distance(1, 8) }}.
"""
ALT = """
Three curves of distance over offsets {{ 0 : d }} to {{ 100 : d }}, as a share of the largest
possible. That of width {{ 2 : d }} swings between {{ 0 : d }} and {{ 1 : d }} about every
{{ wavelengths(2)[0] : .2f }} offsets and is only {{ distance(44, 2) / 2 : .3f }} at offset
{{ 44 : d }}. That of width {{ 8 : d }} swings less {{ check: max(distance(range(1, 101), 8)) / 4 <
0.75 and max(distance(range(1, 101), 2)) / 2 > 0.99 and max(distance([44, 88], 2)) / 2 < 0.1 }}, and
dips to {{ distance(44, 8) / 4 : .2f }} there and to {{ distance(63, 8) / 4 : .2f }} at
{{ 63 : d }}, lower than at offset {{ 1 : d }}. That of width {{ 512 : d }} rises from
{{ distance(1, 512) / 32 : .2f }} at offset {{ 1 : d }} to {{ distance(100, 512) / 32 : .2f }} at
{{ 100 : d }} with hardly a ripple {{ check: min(distance(range(2, 101), 512) - distance(range(1,
100), 512)) > -0.1 }}.
"""


@dataclass(frozen=True)
class Data:
    """One line for each width."""

    widths: np.ndarray  # (widths,)
    offsets: np.ndarray  # (offsets,)
    shares: np.ndarray  # (widths, offsets) distance over the largest possible


def data() -> Data:
    """The numbers of the figure."""
    widths, offsets = np.array([2, 8, 512]), np.arange(101)
    return Data(
        widths=widths,
        offsets=offsets,
        shares=np.array([posenc.distance(offsets, d) / np.sqrt(2 * d) for d in widths]),
    )


def lines(data: Data) -> list[Line]:
    """One line for each width."""
    hover = "offset %{x}<br>share of the largest %{y:.4f}"
    return [
        Line(f"d = {d}", data.offsets, share, f"d = {d}<br>{hover}", color=k)
        for k, (d, share) in enumerate(zip(data.widths, data.shares, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each width."""
    return columns("offset", lines(data))


def static(data: Data) -> Figure:
    """One panel for each width, under one another."""
    figure, axes = _style.canvas(height=4.2, rows=len(data.widths), sharex=True, sharey=True)
    for ax, line in zip(axes, lines(data), strict=True):
        plot(ax, [line], width=1.1)
        ax.set_title(f"{line.label}, share of the largest distance", loc="left", pad=3)
        ax.set_yticks([0, 0.5, 1])
        ax.margins(x=0.01)
    axes[-1].set_xlabel("offset k")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with width, offset and share in the hover text."""
    figure = make_subplots(rows=len(data.widths), shared_xaxes=True, vertical_spacing=0.07)
    for row, line in enumerate(lines(data), 1):
        traces(figure, [line], width=1.2, dots=True, row=row, col=1)
    figure = _style.layout(figure, x="offset k", y="share")
    return figure.update_yaxes(range=[-0.05, 1.1])
