"""Error of the encoding by position, in three formats, computed low or cast last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces

CAPTION = """
**With every step in the format, the error rises from each position to the tenfold one
{{ tried: precision_error(56234, 64, precision="float16") > 1.5 and precision_error(56234, 64,
precision="bfloat16") > 1.5 and all(precision_error(10 * p, 64, precision=form) > precision_error(p,
64, precision=form) for form in ["bfloat16", "float16", "float32"] for p in [5, 56, 562, 5623]) }};
cast last, it stays flat {{ tried: all(precision_error(p, 64, precision="bfloat16", cast_last=True)
< 2 ** -8 for p in [1, 10, 562, 56234]) }}.** The largest error in the row of a position, at $d =
64$. Lines with marks: every step in the format; dashed: computed exactly, then cast. No error can
exceed $2$.
"""
ALT = """
Three lines that rise with dips and three flat ones, from position {{ 1 : d }} to position
{{ 56234 : ,d }}, on logarithmic axes. At position {{ 562 : d }} the rising lines stand at
{{ precision_error(562, 64, precision="bfloat16") : .1f }} for bfloat16,
{{ precision_error(562, 64, precision="float16") : .2f }} for float16 and
{{ precision_error(562, 64, precision="float32") : .0e }} for float32. The flat ones stay near
{{ precision_error(562, 64, precision="bfloat16", cast_last=True) : .0e }},
{{ precision_error(562, 64, precision="float16", cast_last=True) : .0e }} and
{{ precision_error(562, 64, precision="float32", cast_last=True) : .0e }}.
"""
FORMATS = ("bfloat16", "float16", "float32")


@dataclass(frozen=True)
class Data:
    """Largest errors, one row for each format."""

    positions: np.ndarray  # (positions,)
    low: np.ndarray  # (formats, positions) every step rounded
    last: np.ndarray  # (formats, positions) the exact values rounded


def data() -> Data:
    """The numbers of the figure; positions up to what float16 can hold."""
    positions = np.unique(np.rint(10 ** (np.arange(39) / 8)).astype(int))
    low, last = (
        [posenc.precision_error(positions, 64, precision=f, cast_last=yes) for f in FORMATS]
        for yes in (False, True)
    )
    return Data(positions=positions, low=np.array(low), last=np.array(last))


def lines(data: Data) -> list[Line]:
    """Two lines for each format: computed in it, with marks, and cast to it, dashed."""
    hover, made = "position %{x:,}<br>largest error %{y:.2e}", []
    for k, form in enumerate(FORMATS):
        low, last = f"{form}, computed low", f"{form}, cast last"
        made += [
            Line(low, data.positions, data.low[k], f"{low}<br>{hover}", color=k, mark="osD"[k]),
            Line(last, data.positions, data.last[k], f"{last}<br>{hover}", color=k, dash=1),
        ]
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, two for each format."""
    return columns("position", lines(data))


def static(data: Data) -> Figure:
    """Lines with marks over dashed ones, and the name of the format beside both."""
    figure, ax = _style.canvas(height=3.6)
    plot(ax, lines(data), width=1.2, size=3.2)
    for k, (x, y) in enumerate([(30, 0.1), (130, 0.007), (300, 2e-7)]):
        ax.text(x, y, FORMATS[k], color=_style.SERIES[k])
    _style.logarithmic(ax.xaxis, [1, 10, 100, 1000, 10_000])
    _style.logarithmic(ax.yaxis)
    ax.set(yticks=[1e-8, 1e-6, 1e-4, 1e-2, 1], ylim=(8e-9, 5))
    ax.minorticks_off()
    ax.set(xlabel="position", ylabel="largest error in the row")
    _style.mark_for_sliders(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with format, position and error in the hover text."""
    figure = traces(go.Figure(), lines(data), width=1.5, size=6)
    _style.layout(figure, x="position", y="largest error in the row", log="xy")
    return figure.update_yaxes(dtick=2)
