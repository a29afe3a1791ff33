"""Lines, and dots along them, that both renderings draw from one list.

`Line` holds labels, colours, dashes and marks, so that the renderings cannot differ in them. Widths
and sizes are arguments of `plot` (in points) and `traces` (in pixels).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from scripts.figures import _style

# Plotly's names for Matplotlib's marks and steps; circles are its default.
_SYMBOLS = {"o": None, ".": None, "s": "square", "D": "diamond", "^": "triangle-up"}
_SHAPES = {"mid": "hvh", "post": "hv"}


@dataclass(frozen=True)
class Line:
    """A line, dots, or a line with dots."""

    label: str
    x: np.ndarray
    y: np.ndarray
    hover: str = ""  # Plotly's template; without it the pointer passes over the line
    color: int = 0  # index into _style.SERIES
    dash: int | None = 0  # index into _style.DASHES; None for dots without a line
    mark: str = ""  # one of _SYMBOLS; "" for a line without dots
    step: str = ""  # one of _SHAPES, for stairs; "" for straight pieces
    under: str = ""  # the label of another line, whose legend entry shows and hides this one too


def plot(ax: Axes, lines: Iterable[Line], *, width: float = 1.5, size: float = 4) -> list[Line2D]:
    """Draw `lines` in Matplotlib, over a faint grid."""
    _style.grid(ax)
    return [
        ax.plot(
            line.x,
            line.y,
            linestyle="none" if line.dash is None else _style.DASHES[line.dash],
            drawstyle=f"steps-{line.step}" if line.step else "default",
            marker=line.mark,
            color=_style.SERIES[line.color],
            linewidth=width,
            markersize=size,
            label=line.label,
        )[0]
        for line in lines
    ]


def name(ax: Axes, line: Line, x: float, y: float, **place: Any) -> None:
    """The label of `line` at a point beside it, in its colour."""
    ax.text(x, y, line.label, color=_style.SERIES[line.color], **place)


def traces(
    figure: go.Figure,
    lines: Sequence[Line],
    *,
    width: float | None = None,
    size: float = 4,
    dots: bool = False,
    row: int | None = None,
    col: int | None = None,
) -> go.Figure:
    """`figure` with `lines` in Plotly; `dots` marks the points of lines without marks too."""
    leaders = {line.under for line in lines}
    for line in lines:
        group = line.under or line.label
        figure.add_scatter(
            x=line.x,
            y=line.y,
            name=line.label,
            legendgroup=group if group in leaders else None,
            showlegend=False if line.under else None,
            mode="+".join(["lines"] * (line.dash is not None) + ["markers"] * _marked(line, dots)),
            line=_stroke(line, width),
            marker=_marker(line, size) if _marked(line, dots) else None,
            row=row,
            col=col,
            **_hover(line),
        )
    return figure


def columns(name: str, lines: Sequence[Line]) -> dict[str, np.ndarray]:
    """The table of lines that share their x: a column `name` for x, then one for each line."""
    return {name: lines[0].x, **{line.label: line.y for line in lines}}


def _marked(line: Line, dots: bool) -> bool:
    return dots or bool(line.mark)


def _stroke(line: Line, width: float | None) -> dict[str, Any] | None:
    if line.dash is None:
        return None
    dash = _style.PLOTLY_DASHES[line.dash] if line.dash else None
    shape = _SHAPES[line.step] if line.step else None
    return {"color": _style.PLOTLY_SERIES[line.color], "width": width, "dash": dash, "shape": shape}


def _marker(line: Line, size: float) -> dict[str, Any]:
    joined = line.dash is not None  # then Plotly gives the dots the colour of the line
    color = None if joined else _style.PLOTLY_SERIES[line.color]
    return {"color": color, "size": size, "symbol": _SYMBOLS.get(line.mark)}


def _hover(line: Line) -> dict[str, str]:
    if not line.hover:
        return {"hoverinfo": "skip"}
    return {"hovertemplate": f"{line.hover}<extra></extra>"}
