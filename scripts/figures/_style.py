"""What all figures share: colours that follow the reader's scheme, canvases, layouts.

Matplotlib draws with sentinel colours that the build replaces by CSS variables (RC holds
while it does); Plotly gets the variables' names, which the page's script resolves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import plotly.graph_objects as go
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
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
ANSWERS, REDRAWN = "answers", "redrawn"

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
    "axes.labelpad": 9,  # room for the larger letters on a phone
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


def answers(ax: Axes, *artists: Artist) -> None:
    """Tell docs/assets/sliders/panel.js the scales of `ax`, and what it redraws."""
    ax.set_gid(ANSWERS)
    for artist in artists:
        artist.set_gid(REDRAWN)


def powers_of_ten(axis: Axis) -> None:
    """Labels 10² on a logarithmic axis, in one size of type, which stays legible on a phone."""
    digits = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    axis.set_major_formatter(lambda value, _: "10" + f"{math.log10(value):.0f}".translate(digits))


def computed(
    length: int, d_model: int, *, base: float = 10_000.0, columns: Iterable[int] | None = None
) -> dict[str, Any]:
    """The `meta` of a Plotly trace whose z the page computes itself, so that none is shipped.

    `columns` are those of the encoding that z consists of; all of them if it is None.
    """
    matrix: dict[str, Any] = {"length": length, "d_model": d_model, "base": base}
    if columns is not None:
        matrix["columns"] = list(columns)
    return {"matrix": matrix}


def dots_on_a_line(
    figure: go.Figure,
    k: int,
    name: str,
    *,
    line: tuple[str, Any, Any],
    dots: tuple[Any, Any],
    size: int,
    hover: str,
) -> None:
    """Exact values as dots, over the line (what, x, y) of a law; one entry in the legend."""
    what, line_x, line_y = line
    color = PLOTLY_SERIES[k]
    figure.add_scatter(
        x=line_x,
        y=line_y,
        mode="lines",
        name=f"{name}, {what}",
        legendgroup=name,
        showlegend=False,
        line={"color": color, "width": 1},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=dots[0],
        y=dots[1],
        mode="markers",
        name=name,
        legendgroup=name,
        marker={
            "color": color,
            "size": size,
            "symbol": ("circle", "square", "diamond", "triangle-up")[k],
        },
        hovertemplate=hover,
    )


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


def scenes(
    figure: go.Figure, names: tuple[str, ...], *, x: str, y: str, corner: tuple[float, ...]
) -> go.Figure:
    """`figure` with a row of scenes, one a surface, its name above the point `corner`.

    The page's script keeps the cameras alike, and puts the scenes below one another on a phone.
    """
    color = "var(--fig-grid)"
    axis = {"gridcolor": color, "zerolinecolor": color, "spikecolor": PLOTLY_SERIES[0]}
    title = {**dict(zip("xyz", corner, strict=True)), "showarrow": False, "yshift": 14}
    small = {"tickfont": {"size": 10}, "showbackground": False, "nticks": 4, **axis}
    for k, name in enumerate(names):
        figure.layout[f"scene{k + 1 if k else ''}"] = {
            "domain": {"x": [k / len(names), (k + 1) / len(names)], "y": [0.1, 0.85]},
            "xaxis": {"title": {"text": x, "font": {"size": 11}}, **small},
            "yaxis": {"title": {"text": y, "font": {"size": 11}}, **small},
            "zaxis": {"title": {"text": ""}, **small},
            "annotations": [{"text": name, **title}],
            "aspectmode": "manual",
            "aspectratio": {"x": 1, "y": 1, "z": 0.6},
            "camera": {"eye": {"x": -1.1, "y": -2.1, "z": 1.4}},
        }
    figure.update_layout(
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        margin={"l": 0, "r": 0, "t": 24, "b": 0},
        meta={"sharedCamera": True},
    )
    return figure
