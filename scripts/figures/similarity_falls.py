"""The dot product by offset, beside the law of its fall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, plot, traces

CAPTION = """
The dot product of two rows $k$ positions apart, as a share of its largest value, with $k$ on a
logarithmic axis. Both widths follow the dotted straight line, the law. Neither falls at every
step:
the ripples are small at $d = 512$ and grow large at $d = 128$.
"""
ALT = """
Two panels, for width {{ 512 : d }} and width {{ 128 : d }}: the share of the dot product over the
offset on a logarithmic axis, with the straight line of the law
{{ check: similarity(44, 512) > similarity(43, 512) and similarity(12, 128) > similarity(11,
128) }}.
At width {{ 512 : d }} the share
is {{ similarity(1, 512) / 256 : .2f }} at offset {{ 1 : d }},
{{ similarity(10, 512) / 256 : .2f }} at {{ 10 : d }} and
{{ similarity(100, 512) / 256 : .2f }} at {{ 100 : d }}, close to the line throughout. At width
{{ 128 : d }} it swings ever more widely about the line
{{ check: law_error(512, 1, 300) < 0.05 and law_error(128, 1, 40) < law_error(128, 40, 150) <
law_error(128, 150, 300) }},
between
{{ min(similarity(range(150, 301), 128)) / 64 : .2f }} and
{{ max(similarity(range(150, 301), 128)) / 64 : .2f }} from offset {{ 150 : d }} to {{ 300 : d }}.
"""
TICKS = [1, 3, 10, 30, 100, 300]


@dataclass(frozen=True)
class Data:
    """One line for each width, and the law."""

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


def panels(data: Data) -> list[list[Line]]:
    """For each width the dot products and the law."""
    hover, made = "offset %{x}<br>share %{y:.4f}", []
    for k, (d, share) in enumerate(zip(data.widths, data.shares, strict=True)):
        name, law = f"d = {d}", f"law, d = {d}"
        fall = Line(name, data.offsets, share, f"{name}<br>{hover}", color=k)
        line = Line(law, data.offsets, data.law, f"{law}<br>{hover}", color=2, dash=2)
        made.append([fall, line])
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each width, one for the law."""
    lines = {f"d = {d}": share for d, share in zip(data.widths, data.shares, strict=True)}
    return {"offset": data.offsets, **lines, "law": data.law}


def static(data: Data) -> Figure:
    """One panel for each width, with the law in each."""
    figure, axes = _style.canvas(height=4.6, rows=len(data.widths), sharex=True, sharey=True)
    for ax, panel in zip(axes, panels(data), strict=True):
        plot(ax, panel, width=1.2)
        _style.logarithmic(ax.xaxis, TICKS)
        ax.set_title(f"{panel[0].label}, share of the largest dot product", loc="left", pad=3)
        ax.set_yticks([0.2, 0.4, 0.6, 0.8, 1.0])
        ax.margins(x=0.01)
    axes[-1].set_xlabel("offset k")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with offset, width and share in the hover text."""
    figure = make_subplots(rows=len(data.widths), shared_xaxes=True, vertical_spacing=0.08)
    for row, panel in enumerate(panels(data), 1):
        traces(figure, panel, width=1.5, row=row, col=1)
    _style.layout(figure, x="offset k", y="share", log="x")
    figure.update_xaxes(tickvals=TICKS)
    return figure.update_yaxes(range=[0.18, 1.02])
