"""The dot product by offset, beside the law of its fall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

import posenc
from scripts.figures import _style

CAPTION = """
The dot product of two rows $k$ positions apart, as a share of its largest value, with $k$ on a
logarithmic axis. Both widths follow the dotted straight line, the law. Neither falls at every
step: the ripples are small at $d = 512$ and grow large at $d = 128$.
"""
ALT = """
Two panels, for width {{ 512 : d }} and width {{ 128 : d }}: the share of the dot product over the
offset on a logarithmic axis, with the straight line of the law. At width {{ 512 : d }} the share
is {{ similarity(1, 512) / 256 : .2f }} at offset {{ 1 : d }},
{{ similarity(10, 512) / 256 : .2f }} at {{ 10 : d }} and
{{ similarity(100, 512) / 256 : .2f }} at {{ 100 : d }}, close to the line throughout. At width
{{ 128 : d }} it swings ever more widely about the line, between
{{ min(similarity(range(150, 301), 128)) / 64 : .2f }} and
{{ max(similarity(range(150, 301), 128)) / 64 : .2f }} from offset {{ 150 : d }} to {{ 300 : d }}.
"""


@dataclass(frozen=True)
class Data:
    """One line a width, and the law."""

    widths: np.ndarray  # (widths,)
    offsets: np.ndarray  # (offsets,)
    shares: np.ndarray  # (widths, offsets) dot product over that at offset 0
    law: np.ndarray  # (offsets,)


def data() -> Data:
    """The numbers of the figure."""
    widths, offsets = np.array([512, 128]), np.arange(1, 301)
    return Data(
        widths=widths,
        offsets=offsets,
        shares=np.array([posenc.similarity(offsets, d) / (d / 2) for d in widths]),
        law=1 - (np.euler_gamma + np.log(offsets)) / np.log(10_000),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each width, one for the law."""
    lines = {f"d = {d}": share for d, share in zip(data.widths, data.shares, strict=True)}
    return {"offset": data.offsets, **lines, "law": data.law}


def static(data: Data) -> Figure:
    """One panel a width, the law over each."""
    figure, axes = _style.canvas(height=4.6, rows=len(data.widths), sharex=True, sharey=True)
    for k, (ax, d) in enumerate(zip(axes, data.widths, strict=True)):
        color, law, dash = _style.SERIES[k], _style.SERIES[2], _style.DASHES[2]
        ax.semilogx(data.offsets, data.shares[k], "-", color=color, lw=1.1, label=f"d = {d}")
        ax.semilogx(data.offsets, data.law, ls=dash, color=law, lw=1.3, label=f"law, d = {d}")
        ax.set_title(f"d = {d}, share of the largest dot product", loc="left", pad=3)
        ax.set_yticks([0.2, 0.4, 0.6, 0.8, 1.0])
        ax.margins(x=0.01)
        _style.grid(ax)
    axes[-1].set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
    axes[-1].minorticks_off()
    axes[-1].set_xlabel("offset k")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with offset, width and share in the hover text."""
    figure = make_subplots(rows=len(data.widths), shared_xaxes=True, vertical_spacing=0.08)
    law_style = {"color": _style.PLOTLY_SERIES[2], "width": 1.2, "dash": "dot"}
    for k, d in enumerate(data.widths):
        own_style = {"color": _style.PLOTLY_SERIES[k], "width": 1.5}
        for name, line, style in (
            (f"d = {d}", data.shares[k], own_style),
            (f"law, d = {d}", data.law, law_style),
        ):
            figure.add_scatter(
                x=data.offsets,
                y=line,
                mode="lines",
                name=name,
                line=style,
                hovertemplate=f"{name}<br>offset %{{x}}<br>share %{{y:.4f}}<extra></extra>",
                row=k + 1,
                col=1,
            )
    _style.layout(figure, x="", y="share")
    grid = "var(--fig-grid)"
    figure.update_xaxes(type="log", tickvals=[1, 3, 10, 30, 100, 300], gridcolor=grid)
    figure.update_yaxes(title={"text": "share"}, gridcolor=grid, range=[0.18, 1.02])
    figure.update_xaxes(title={"text": "offset k"}, row=len(data.widths), col=1)
    return figure
