"""Errors of attention scores by position, where bfloat16 or float32 rounds a part of the turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, name, plot, traces
from scripts.numbers import quantities

CAPTION = """
**With angles in bfloat16 errors rise until the places share an angle; with exact angles they are
nearly flat {{ check: all(score_error("angles", 10 * p) > 2 * score_error("angles", p) for p in [10,
100]) and all(0.8 < score_error(way, 10 ** k) / score_error(way, 100) < 1.25 for way in ["products",
"last"] for k in [1, 3, 4, 5, 6]) }}.** How far scores are off (root mean square), by the position
of the key, five places before the query. Lowest, at the end above the flat ones: angles
in float32 {{ check: score_error("float32", 100000) < score_error("last", 100000) and
score_error("float32", 1000000) > score_error("products", 1000000) }}.
"""
ALT = """
Four lines from position {{ 1 : d }} to position {{ 10 ** 6 : ,d }}, on logarithmic axes. With
angles in bfloat16 the error rises from {{ score_error("angles", 1) : .3f }} to
{{ score_error("angles", 1000000) : .2f }}, which it has reached at position {{ 10 ** 4 : ,d }}. Two
lines are nearly flat, at about {{ score_error("products", 1000) : .4f }} for a turn in bfloat16 and
{{ score_error("last", 1000) : .4f }} for one that is rounded at its end. The line of float32 angles
rises from {{ score_error("float32", 1) : .0e }} to {{ score_error("float32", 1000000) : .4f }}.
"""
NAMES = {
    "angles": "angles in bfloat16 too",
    "products": "the turn in bfloat16",
    "last": "rounded after the turn",
    "float32": "angles in float32, the rest exact",
}


@dataclass(frozen=True)
class Data:
    """Errors of scores, one row for each way to turn."""

    positions: np.ndarray  # (positions,) of the key
    errors: np.ndarray  # (ways, positions)


def data() -> Data:
    """The numbers of the figure, at two positions for each power of ten."""
    positions = np.rint(10 ** (np.arange(13) / 2)).astype(int)
    errors = [[quantities.score_error(way, int(p)) for p in positions] for way in NAMES]
    return Data(positions=positions, errors=np.array(errors))


def lines(data: Data) -> list[Line]:
    """One line with marks for each way to turn."""
    hover = "position %{x:,}<br>error of a score %{y:.1e}"
    return [
        Line(name, data.positions, errors, f"{name}<br>{hover}", color=k, dash=k, mark="osD^"[k])
        for k, (name, errors) in enumerate(zip(NAMES.values(), data.errors, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each way to turn."""
    return columns("position", lines(data))


def static(data: Data) -> Figure:
    """Lines with marks, and their names beside them."""
    figure, ax = _style.canvas(height=3.6)
    plot(ax, lines(data), width=1.2, size=3.2)
    places = zip((60, 20_000, 3, 2000), (0.3, 8e-3, 3e-4, 2e-6), strict=True)
    for line, (x, y) in zip(lines(data), places, strict=True):
        name(ax, line, x, y, ha="right" if x == 60 else "left")
    _style.logarithmic(ax.xaxis, [1, 100, 10_000, 1_000_000])
    _style.logarithmic(ax.yaxis)
    ax.set(yticks=[1e-8, 1e-6, 1e-4, 1e-2, 1], ylim=(1e-8, 2))
    ax.minorticks_off()
    ax.set(xlabel="position of the key", ylabel="error of a score")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with way, position and error in the hover text."""
    figure = traces(go.Figure(), lines(data), width=1.5, size=6)
    _style.layout(figure, x="position of the key", y="error of a score", log="xy")
    return figure.update_yaxes(dtick=2)
