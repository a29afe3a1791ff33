"""What attention makes of two word orders, without and with the encoding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

from scripts.figures import _style
from scripts.numbers import quantities

CAPTION = """
The two numbers that an attention head returns for each word, drawn as a point. Circles belong to
*dog bites man*, crosses to *man bites dog*. Left: without positions, each cross lies on its circle
{{ check: all(abs(toy_attention("dog bites man")[i, j] - toy_attention("man bites dog")[2 - i,
j]) < 1e-12 for i in range(3) for j in range(2)) }}.
Right: once the encoding is added, each word gets another answer in each order
{{ check: all(max(abs(toy_attention("dog bites man", encoded=True)[i] - toy_attention("man
bites dog", encoded=True)[2 - i])) > 0.1 for i in range(3)) }}.
"""
ALT = """
Two panels of points. Left, without positions: three circles, each with a cross on it; dog is at
{{ toy_attention("dog bites man")[0, 0] : .2f }},
{{ toy_attention("dog bites man")[0, 1] : .2f }} in both word orders. Right, with the
encoding: circles and crosses stand apart; dog is at
{{ toy_attention("dog bites man", encoded=True)[0, 0] : .2f }},
{{ toy_attention("dog bites man", encoded=True)[0, 1] : .2f }} in one order and at
{{ toy_attention("man bites dog", encoded=True)[2, 0] : .2f }},
{{ toy_attention("man bites dog", encoded=True)[2, 1] : .2f }} in the other.
"""
WORDS = ("dog", "bites", "man")
ORDERS = ("dog bites man", "man bites dog")
SIDES = ("without encoding", "with encoding")


@dataclass(frozen=True)
class Data:
    """Outputs by word order (rows) and word (columns: dog, bites, man)."""

    words: np.ndarray  # (words,)
    plain_x: np.ndarray  # (orders, words)
    plain_y: np.ndarray
    encoded_x: np.ndarray
    encoded_y: np.ndarray


def data() -> Data:
    """The numbers of the figure."""
    plain, encoded = (
        [
            quantities.toy_attention(order, encoded=yes)[[order.split().index(w) for w in WORDS]]
            for order in ORDERS
        ]
        for yes in (False, True)
    )
    return Data(
        words=np.arange(len(WORDS)),
        plain_x=np.array([rows[:, 0] for rows in plain]),
        plain_y=np.array([rows[:, 1] for rows in plain]),
        encoded_x=np.array([rows[:, 0] for rows in encoded]),
        encoded_y=np.array([rows[:, 1] for rows in encoded]),
    )


def _panels(data: Data) -> tuple[tuple[str, np.ndarray, np.ndarray], ...]:
    return (
        (SIDES[0], data.plain_x, data.plain_y),
        (SIDES[1], data.encoded_x, data.encoded_y),
    )


def _named(side: str, order: str) -> tuple[str, ...]:
    """The words at the points; on the left, crosses lie on circles, so they have no words."""
    return ("", "", "") if (side, order) == (SIDES[0], ORDERS[1]) else WORDS


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each word."""
    columns = {"word (0 dog, 1 bites, 2 man)": data.words}
    for side, x, y in _panels(data):
        for k, order in enumerate(ORDERS):
            columns[f"first number, {order}, {side}"] = x[k]
            columns[f"second number, {order}, {side}"] = y[k]
    return columns


def static(data: Data) -> Figure:
    """Two panels; each word is named at its circle and, where they differ, at its cross."""
    figure, axes = _style.canvas(height=3.2, columns=2)
    marks = ({"marker": "o", "ms": 11, "mfc": "none"}, {"marker": "x", "ms": 6, "mew": 1.8})
    for ax, (side, x, y) in zip(axes, _panels(data), strict=True):
        for k, order in enumerate(ORDERS):
            label = f"{order}, {side}"
            ax.plot(x[k], y[k], color=_style.SERIES[k], ls="none", label=label, **marks[k])
            for word, *point in zip(_named(side, order), x[k], y[k], strict=True):
                ax.annotate(word, point, (0, 9), textcoords="offset points", ha="center")
        ax.set_title(side, loc="left")
        ax.set_xlabel("first number")
        ax.margins(0.2)
        ax.locator_params(nbins=4)
        _style.grid(ax, "both")
    axes[0].set_ylabel("second number")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with word and order in the hover text."""
    figure = make_subplots(cols=2, subplot_titles=SIDES, horizontal_spacing=0.12)
    marks = ({"symbol": "circle-open", "size": 16}, {"symbol": "x-thin-open", "size": 9})
    for column, (side, x, y) in enumerate(_panels(data), 1):
        for k, order in enumerate(ORDERS):
            figure.add_scatter(
                x=x[k],
                y=y[k],
                text=_named(side, order),
                customdata=WORDS,
                textposition="top center",
                cliponaxis=False,
                mode="markers+text",
                name=f"{order}, {side}",
                marker={**marks[k], "color": _style.PLOTLY_SERIES[k], "line": {"width": 2}},
                hovertemplate=(
                    f"<b>%{{customdata}}</b> in {order}<br>{side}<br>"
                    "first number %{x:.4f}, second number %{y:.4f}<extra></extra>"
                ),
                row=1,
                col=column,
            )
    titles = ("second number", "")
    return _style.layout(figure, x="first number", y=titles, showlegend=False)
