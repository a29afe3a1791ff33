"""Colours that follow the reader's scheme, canvases, axes and layouts, for all figures.

Matplotlib draws with RC and in sentinel colours, which the build replaces by CSS variables.
Plotly gets the names of the variables, which the page's script resolves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import ListedColormap, to_rgba
from matplotlib.figure import Figure

INK, GRID = "#010203", "#040506"
# Each colour by its index in SERIES, with one meaning in all figures: five for lines to tell apart,
# of which the first two are also a pair's sine and cosine; what the reader compares with (before a
# scaling, or met in training); what is new (beyond training); ink (base 10,000); the face of a
# dial; and pairs from the fastest to the slowest.
SINE, COSINE, BEFORE, NEW, PAPER_BASE, FACE = 0, 1, 5, 6, 7, 8
PAIRS = range(9, 17)
_NAMED = {
    **{f"#0a0b{index:02d}": f"var(--fig-{index})" for index in range(1, 6)},
    "#0a0b06": "var(--fig-before)",
    "#0a0b07": "var(--fig-new)",
    "#0a0b08": "var(--fig-ink)",
}
_RAMP = {f"#0a0c{index:02d}": f"var(--fig-p{index})" for index in range(8)}
SERIES = (*_NAMED, GRID, *_RAMP)
CSS = {INK: "currentColor", GRID: "var(--fig-grid)", **_NAMED, **_RAMP}
PLOTLY_SERIES = tuple(CSS[color] for color in SERIES)
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (1, 1)))
PLOTLY_DASHES = ("solid", "dash", "dot", "dashdot", "2px,2px")
COLORMAP = "viridis"  # for shares and weights; signed values have SIGNED
NEGATIVE, POSITIVE = "#3a6fd8", "#d9622b"
SLIDER_AXES, REDRAWN = "slider-axes", "redrawn"  # ids that the build turns into marks


def _signed() -> ListedColormap:
    """Colours from -1 to 1: zero is transparent, so that nothing is to be seen on any paper."""
    values = (np.arange(256) - 127.5) / 127.5
    shades = [to_rgba(POSITIVE if value > 0 else NEGATIVE, abs(value)) for value in values]
    return ListedColormap(shades, name="signed")


SIGNED = _signed()
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
    "axes.prop_cycle": cycler(color=SERIES[:5], linestyle=DASHES),
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.labelsize": 9,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.5,
    "image.cmap": COLORMAP,
}


def pair_colors(count: int) -> list[int]:
    """Indices into SERIES for `count` pairs from the fastest to the slowest.

    >>> pair_colors(4)
    [9, 11, 14, 16]
    """
    return [PAIRS[round(k * 7 / max(count - 1, 1))] for k in range(count)]


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


def mark_for_sliders(ax: Axes, *artists: Artist) -> None:
    """Mark the `artists` that the sliders redraw; docs/assets/sliders/panel.js needs the scales."""
    ax.set_gid(SLIDER_AXES)
    for artist in artists:
        artist.set_gid(REDRAWN)


def logarithmic(axis: Axis, ticks: Sequence[float] = ()) -> None:
    """Make `axis` logarithmic, with the numbers `ticks`; without them, with powers of ten."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})  # type: ignore[attr-defined]
    if ticks:
        axis.set_ticks(ticks, labels=[f"{tick:,}" for tick in ticks])
        axis.minorticks_off()
    else:
        axis.set_major_formatter(_power_of_ten)


def _power_of_ten(value: float, _: Any) -> str:
    """10², in letters of one size, so that the exponent stays legible on a phone."""
    digits = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return "10" + f"{math.log10(value):.0f}".translate(digits)


def computed(
    length: int, d_model: int, *, base: float = 10_000.0, columns: Iterable[int] | None = None
) -> dict[str, Any]:
    """The `meta` of a Plotly trace whose z the page's script computes, so that files stay small.

    `columns` selects columns of the encoding for z; None selects all.
    """
    matrix: dict[str, Any] = {"length": length, "d_model": d_model, "base": base}
    if columns is not None:
        matrix["columns"] = list(columns)
    return {"matrix": matrix}


def layout(
    figure: go.Figure,
    *,
    x: str | Sequence[str],
    y: str | Sequence[str],
    log: str = "",
    **options: Any,
) -> go.Figure:
    """`figure` with the colours and margins of all interactive figures, and titles on its axes.

    One title stands at every axis that shows its numbers; several go to the axes in turn.
    The axes of the letters in `log` are logarithmic, with a number at each power of ten.
    """
    figure.update_layout(
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 60, "r": 16, "t": 64, "b": 48},  # above the legend stand the buttons
        legend={"orientation": "h", "y": 1, "yanchor": "bottom"},
        hovermode="closest",
    )
    faint = {"gridcolor": CSS[GRID], "zerolinecolor": CSS[GRID]}
    powers = {"type": "log", "exponentformat": "power", "dtick": 1}
    figure.update_xaxes(**faint, **(powers if "x" in log else {}))
    figure.update_yaxes(**faint, **(powers if "y" in log else {}))
    for titles, axes in ((x, figure.select_xaxes()), (y, figure.select_yaxes())):
        shown = [axis for axis in axes if axis.showticklabels is not False]
        given = [titles] * len(shown) if isinstance(titles, str) else titles
        for axis, title in zip(shown, given, strict=True):
            axis.title.text = title or None
    figure.update_annotations(font_size=12)  # titles of panels that stand side by side on a phone
    return figure.update_layout(**options)
