"""What all figures share: colours that follow the reader's scheme, canvases, layouts.

Matplotlib draws with sentinel colours that the build replaces by CSS variables (RC holds
while it does); Plotly gets the variables' names, which the page's script resolves.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK, GRID = "#010203", "#040506"
SERIES = ("#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04", "#0a0b05")
CSS = {
    INK: "currentColor",
    GRID: "var(--fig-grid)",
    **{color: f"var(--fig-{index})" for index, color in enumerate(SERIES, 1)},
}
PLOTLY_SERIES = tuple(CSS[color] for color in SERIES)
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (1, 1)))
PLOTLY_DASHES = ("solid", "dash", "dot", "dashdot", "2px,2px")
COLORMAP = "viridis"

RC: dict[str, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.unicode_minus": True,
    "axes.prop_cycle": cycler(color=SERIES, linestyle=DASHES),
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "legend.handlelength": 2.6,
    "lines.linewidth": 1.5,
    "image.cmap": COLORMAP,
}


def canvas(
    width: float = 6.4, height: float = 3.2, *, rows: int = 1, columns: int = 1, **options: Any
) -> tuple[Figure, Any]:
    """A figure of `width` by `height` inches and its axes (one, or an array of them)."""
    figure = Figure(figsize=(width, height), facecolor="none", layout="constrained")
    axes = figure.subplots(rows, columns, **options)
    for ax in [axes] if isinstance(axes, Axes) else axes.ravel():
        ax.set_facecolor("none")
    return figure, axes


def grid(ax: Axes, axis: Any = "y") -> None:
    """Faint lines behind the data."""
    ax.grid(True, axis=axis)
    ax.set_axisbelow(True)


def layout(figure: go.Figure, *, x: str, y: str, **options: Any) -> go.Figure:
    """`figure` with axis titles and the margins that all interactive figures have."""
    axis = {"gridcolor": "var(--fig-grid)", "zerolinecolor": "var(--fig-grid)"}
    figure.update_layout(
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 60, "r": 16, "t": 24, "b": 48},
        xaxis={"title": {"text": x}, **axis},
        yaxis={"title": {"text": y}, **axis},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        hovermode="closest",
    )
    figure.update_layout(**options)
    return figure
