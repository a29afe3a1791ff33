"""The line that source 000 prints for position 10, above the true one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _panels, _style
from scripts.numbers.quantities import published

CAPTION = """
Above, the line that [source 000](sources.md#source-000) prints as "Position $10$". Below, row $10$
by the formula. Both look like an encoding. But the printed line ends at dimension
{{ len(published("line", 10)) - 1 : d }}, its even dimensions settle near
{{ published("line", 10)[-2] : .1f }} instead of zero, and not one of its values is that of the
formula.
"""
ALT = """
Two zigzag lines over the dimension, one above the other. The upper one, as printed, starts at
{{ published("line", 10)[0] : .4f }} and {{ published("line", 10)[1] : .4f }}, sinks smoothly and
ends after {{ len(published("line", 10)) : d }} values at {{ published("line", 10)[-2] : .2f }}
and {{ published("line", 10)[-1] : .2f }}. The lower one, by the formula, starts at
{{ encode(10, 128)[0] : .4f }} and {{ encode(10, 128)[1] : .4f }}, swings up and down for some
forty dimensions, and runs on to dimension {{ len(encode(0, 128)) - 1 : d }}, where it alternates
between {{ encode(10, 128)[-2] : .4f }} and {{ encode(10, 128)[-1] : .4f }}.
"""
NAMES = ("as printed", "by the formula")


@dataclass(frozen=True)
class Data:
    """The two lines, which differ in length."""

    printed_dimensions: np.ndarray  # (102,)
    printed: np.ndarray  # (102,)
    formula_there: np.ndarray  # (102,) the first of the formula's values
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


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each value that is printed."""
    return {
        "dimension": data.printed_dimensions,
        "printed": data.printed,
        "formula": data.formula_there,
    }


def _lines(data: Data) -> zip[tuple[str, np.ndarray, np.ndarray]]:
    across = (data.printed_dimensions, data.dimensions)
    return zip(NAMES, across, (data.printed, data.formula), strict=True)


def static(data: Data) -> Figure:
    """One panel a line."""
    figure, axes = _style.canvas(height=3.0, rows=2, sharex=True)
    for ax, color, (name, x, y) in zip(axes, _style.SERIES[1::-1], _lines(data), strict=True):
        ax.plot(x, y, "-", color=color, linewidth=1.1, label=name)
        ax.set_title(name, loc="left", pad=3)
        ax.set_yticks([-1, 0, 1])
        ax.margins(x=0.01)
        _style.grid(ax)
    axes[-1].set_xlabel("dimension")
    figure.supylabel("value", fontsize=9, color=_style.INK)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with dimension and value in the hover text."""
    figure = _style.layout(go.Figure(), x="dimension", y="value")
    colors = _style.PLOTLY_SERIES[1::-1]
    for axis, color, (name, x, y) in zip(("y", "y2"), colors, _lines(data), strict=True):
        figure.add_scatter(
            x=x,
            y=y,
            yaxis=axis,
            mode="lines+markers",
            name=name,
            line={"color": color, "width": 1.5},
            marker={"size": 4},
            hovertemplate=f"{name}<br>dimension %{{x}}<br>value %{{y:.4f}}<extra></extra>",
        )
    _panels.stacked(figure, *NAMES, y="value")
    grid = "var(--fig-grid)"
    return figure.update_yaxes(range=[-1.1, 1.1], dtick=1, gridcolor=grid, zerolinecolor=grid)
