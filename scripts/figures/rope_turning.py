"""One pair of a query and of a key, turned to their positions: moments, from left to right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from posenc import Rotary
from scripts.figures import _arrows, _style

CAPTION = """
**Both arrows turn, the angle between them stays.** A query at $p$ and a key at $q$.
In the last dial only the key has moved.
"""
ALT = """
Five dials side by side, each with two arrows and a shaded wedge between them. In four of them the
positions of query and key are {{ 5 : d }} and {{ 2 : d }}, {{ 6 : d }} and {{ 3 : d }},
{{ 7 : d }} and {{ 4 : d }}, {{ 105 : d }} and {{ 102 : d }}. The arrows point in other directions
each time; the wedge has the same angle, and the score is {{ 0.7 * sin(3) - 0.3 * cos(3) : .2f }}.
In the fifth, at {{ 105 : d }} and {{ 101 : d }}, the wedge is wider and the score is
{{ 0.7 * sin(4) - 0.3 * cos(4) : .2f }}.
"""
QUERY, KEY = np.array([1.0, 0.0]), np.array([-0.3, 0.7])  # before they turn


@dataclass(frozen=True)
class Data(_arrows.Data):
    """The dials of the moments."""

    queries: np.ndarray  # (moments,) positions
    keys: np.ndarray  # (moments,)


def data() -> Data:
    """The numbers of the figure: at one radian per position."""
    queries, keys = np.array([[5, 6, 7, 105, 105], [2, 3, 4, 102, 101]])
    turned = [Rotary(2).rotate(*one) for one in ((QUERY, queries), (KEY, keys))]
    columns = np.array([0, 2.3, 4.6, 6.9, 9.6])
    return Data(**_arrows.dials(columns, *turned), queries=queries, keys=keys)


def _names(data: Data) -> list[str]:
    pairs = zip(data.queries, data.keys, strict=True)
    return [f"p = {p}, q = {q}" for p, q in pairs]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each moment."""
    return {"position of query": data.queries, "position of key": data.keys, "score": data.products}


def static(data: Data) -> Figure:
    """Positions above the dials, scores below."""
    figure, ax = _style.canvas(height=2.1)
    _arrows.draw(ax, _arrows.lines(data, _names(data)))
    for x, name, product in zip(data.columns, _names(data), data.products, strict=True):
        _arrows.above(ax, x, name.replace(", ", "\n"))
        ax.text(x, -1.3, f"{product:.2f}".replace("-", "−"), ha="center", va="top")
    ax.text(-1.1, -1.3, "score", ha="right", va="top")
    for name, k in (("query", 0), ("key", 1)):
        x, y = getattr(data, f"{name}_x")[0, 1], getattr(data, f"{name}_y")[0, 1]
        place = {"textcoords": "offset points", "ha": "right"}
        ax.annotate(name, (x, y), (-5, (3, -9)[k]), color=_style.SERIES[k], **place)
    ax.set(xlim=(-2.5, 10.7))
    return figure
