"""The line that ApX prints for position 10, above the true one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _panels, _style
from scripts.figures._lines import Line, plot, traces
from scripts.numbers.quantities import published

CAPTION = """
**None of the values that are printed for position $10$ agrees with the formula
{{ check: sum(abs(published("line", 10) - encode(10, 128)[:len(published("line", 10))]) < 0.001) ==
0 }}.** Above, the line that the [ApX practice page](sources.md#source-000) prints. It ends at
dimension {{ len(published("line", 10)) - 1 : d }}, and its even dimensions still climb at
{{ published("line", 10)[-2] : .1f }}, where the right ones, below, are near zero.
"""
ALT = """
Two zigzag lines over the dimension, one above the other. The upper one, as printed, starts at
{{ published("line", 10)[0] : .4f }} and {{ published("line", 10)[1] : .4f }}, sinks until about
dimension {{ 15 : d }}, climbs back {{ check: argmin(published("line", 10)[0::2]) == 7 and
argmin(published("line", 10)[1::2]) == 7 }}, changes slowly from dimension {{ 45 : d }} on, and ends
after {{ len(published("line", 10)) : d }} values at {{ published("line", 10)[-2] : .2f }} and
{{ published("line", 10)[-1] : .2f }}. The lower one, by the formula, starts at
{{ encode(10, 128)[0] : .4f }} and {{ encode(10, 128)[1] : .4f }}, swings up and down for some forty
dimensions, and runs on to dimension {{ len(encode(0, 128)) - 1 : d }}, where it alternates between
{{ encode(10, 128)[-2] : .4f }} and {{ encode(10, 128)[-1] : .4f }}.
"""
NAMES = ("as printed", "by the formula")


@dataclass(frozen=True)
class Data:
    """The two lines, which differ in length."""

    printed_dimensions: np.ndarray  # (102,)
    printed: np.ndarray  # (102,)
    formula_there: np.ndarray  # (102,) the first 102 of the formula's values
    dimensions: np.ndarray  # (128,)
    formula: np.ndarray  # (128,)


def data() -> Data:
    """The numbers of the figure."""
    printed, formula = published("line", 10), posenc.encode(10, 128)
    return Data(
        printed_dimensions=np.arange(len(printed)),
        printed=printed,
        formula_there=formula[: len(printed)],
        dimensions=np.arange(128),
        formula=formula,
    )


def lines(data: Data) -> list[Line]:
    """The printed line and the true one."""
    printed, formula = NAMES
    hover = "dimension %{x}<br>value %{y:.4f}"
    return [
        Line(printed, data.printed_dimensions, data.printed, f"{printed}<br>{hover}", color=1),
        Line(formula, data.dimensions, data.formula, f"{formula}<br>{hover}"),
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each value that is printed."""
    return {
        "dimension": data.printed_dimensions,
        "printed": data.printed,
        "formula": data.formula_there,
    }


def static(data: Data) -> Figure:
    """One panel for each line."""
    figure, axes = _style.canvas(height=3.0, rows=2, sharex=True)
    for ax, line in zip(axes, lines(data), strict=True):
        plot(ax, [line], width=1.1)
        ax.set_title(line.label, loc="left", pad=3)
        ax.set_yticks([-1, 0, 1])
        ax.margins(x=0.01)
    axes[-1].set_xlabel("dimension")
    figure.supylabel("value")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with dimension and value in the hover text."""
    figure = _panels.stacked(*NAMES)
    for row, line in enumerate(lines(data), 1):
        traces(figure, [line], width=1.5, dots=True, row=row, col=1)
    _style.layout(figure, x="dimension", y="value", showlegend=False)
    return figure.update_yaxes(range=[-1.1, 1.1], dtick=1)
