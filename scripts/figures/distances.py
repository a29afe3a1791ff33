"""The distance of two rows by their offset, at three widths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

import posenc
from scripts.figures import _style

CAPTION = """
The distance of two rows $k$ positions apart, as a share of the largest that the width allows.
One pair, $d = 2$, comes back near nothing time and again. Four pairs, $d = 8$, still dip. At
$d = 512$ the distance rises and stays high.
"""
ALT = """
Three curves of distance over offsets {{ 0 : d }} to {{ 100 : d }}, as a share of the largest
possible. That of width {{ 2 : d }} swings between {{ 0 : d }} and {{ 1 : d }} about every
{{ wavelengths(2)[0] : .2f }} offsets and is only {{ distance(44, 2) / 2 : .3f }} at offset
{{ 44 : d }}. That of width {{ 8 : d }} swings less, and dips to {{ distance(44, 8) / 4 : .2f }}
there. That of width {{ 512 : d }} rises from {{ distance(1, 512) / 32 : .2f }} at offset
{{ 1 : d }} to {{ distance(100, 512) / 32 : .2f }} at {{ 100 : d }} with hardly a ripple.
"""


@dataclass(frozen=True)
class Data:
    """One line a width."""

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


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each width."""
    lines = zip(data.widths, data.shares, strict=True)
    return {"offset": data.offsets, **{f"d = {d}": line for d, line in lines}}


def static(data: Data) -> Figure:
    """Three panels under one another."""
    figure, axes = _style.canvas(height=4.2, rows=len(data.widths), sharex=True, sharey=True)
    for k, (ax, d) in enumerate(zip(axes, data.widths, strict=True)):
        color = _style.SERIES[k]
        ax.plot(data.offsets, data.shares[k], "-", color=color, lw=1.1, label=f"d = {d}")
        ax.set_title(f"d = {d}, share of the largest distance", loc="left", pad=3)
        ax.set_yticks([0, 0.5, 1])
        ax.margins(x=0.01)
        _style.grid(ax)
    axes[-1].set_xlabel("offset k")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with width, offset and share in the hover text."""
    figure = make_subplots(rows=len(data.widths), shared_xaxes=True, vertical_spacing=0.07)
    for k, (d, share) in enumerate(zip(data.widths, data.shares, strict=True)):
        figure.add_scatter(
            x=data.offsets,
            y=share,
            mode="lines+markers",
            name=f"d = {d}",
            line={"color": _style.PLOTLY_SERIES[k], "width": 1.2},
            marker={"size": 4},
            hovertemplate=(
                f"d = {d}<br>offset %{{x}}<br>share of the largest %{{y:.4f}}<extra></extra>"
            ),
            row=k + 1,
            col=1,
        )
    _style.layout(figure, x="", y="share")
    grid = "var(--fig-grid)"
    figure.update_xaxes(gridcolor=grid, zerolinecolor=grid)
    figure.update_xaxes(title={"text": "offset k"}, row=len(data.widths), col=1)
    figure.update_yaxes(
        title={"text": "share"}, range=[-0.05, 1.1], gridcolor=grid, zerolinecolor=grid
    )
    return figure
