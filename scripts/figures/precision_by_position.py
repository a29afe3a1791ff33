"""Error of the encoding by position, in three formats, computed low or cast last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
The largest error in the row of a position, at $d = 64$, on logarithmic axes. Lines with marks:
every step is computed in the format. They rise with the position until nothing right is left, at
an error near $2$. Dashed lines of the same colour: computed exactly, then cast to the format. They
stay flat.
"""
ALT = """
Three rising lines and three flat ones, from position {{ 1 : d }} to position {{ 56234 : ,d }}, on
logarithmic axes. At position {{ 562 : d }} the rising lines stand at
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
    """Largest errors, one row a format."""

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


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, two for each format."""
    columns = {"position": data.positions}
    for k, name in enumerate(FORMATS):
        columns[f"{name}, computed low"] = data.low[k]
        columns[f"{name}, cast last"] = data.last[k]
    return columns


def static(data: Data) -> Figure:
    """Lines with marks over dashed ones; the legend names the formats, from the top down."""
    figure, ax = _style.canvas(height=3.6)
    for k, name in enumerate(FORMATS):
        color = _style.SERIES[k]
        low, last = f"{name}, computed low", f"{name}, cast last"
        ax.plot(data.positions, data.low[k], "-" + "osD"[k], color=color, ms=3.2, lw=1, label=low)
        ax.plot(data.positions, data.last[k], "--", color=color, label=last)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1,000", "10,000"])
    ax.set_yticks([1e-8, 1e-6, 1e-4, 1e-2, 1])
    ax.set_ylim(8e-9, 5)
    ax.minorticks_off()
    ax.set_xlabel("position")
    _style.powers_of_ten(ax.yaxis)
    ax.set_ylabel("largest error in the row")
    ax.legend(ax.lines[::2], FORMATS, loc="upper left", borderpad=0)
    _style.grid(ax)
    _style.answers(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with format, position and error in the hover text."""
    figure = go.Figure()
    ways = (("computed low", data.low, "lines+markers"), ("cast last", data.last, "lines"))
    for k, name in enumerate(FORMATS):
        for way, errors, mode in ways:
            figure.add_scatter(
                x=data.positions,
                y=errors[k],
                mode=mode,
                name=f"{name}, {way}",
                line={
                    "color": _style.PLOTLY_SERIES[k],
                    "width": 1.5,
                    "dash": "dash" if mode == "lines" else "solid",
                },
                marker={"size": 6, "symbol": ("circle", "square", "diamond")[k]},
                hovertemplate=(
                    f"{name}, {way}<br>position %{{x:,}}<br>largest error %{{y:.2e}}<extra></extra>"
                ),
            )
    figure = _style.layout(figure, x="position", y="largest error in the row")
    figure.update_xaxes(type="log", exponentformat="power", dtick=1)
    figure.update_yaxes(type="log", exponentformat="power", dtick=2)
    return figure
