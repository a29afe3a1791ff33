"""The denominator of every column, in pairs and, wrongly, unpaired."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
The denominator $n^{2i/d}$ of every column at $d = 16$, on a logarithmic axis. Every stair is a
pair: its sine column and its cosine column divide the position by the same number. The dashed line
shows what happens if each column gets an exponent of its own: the cosines no longer fit their
sines.
"""
ALT = """
A staircase on a logarithmic axis: the denominator of the {{ len(encode(0, 16)) : d }} columns
rises from {{ 1 / frequencies(16)[0] : .0f }} to {{ 1 / frequencies(16)[-1] : ,.0f }} in
{{ len(frequencies(16)) : d }} stairs of two columns each, a sine and a cosine. A dashed straight
line touches every sine and passes above every cosine.
"""


@dataclass(frozen=True)
class Data:
    """Denominators by column."""

    columns: np.ndarray  # (d_model,)
    pairs: np.ndarray  # (d_model,)
    denominators: np.ndarray  # (d_model,)
    unpaired: np.ndarray  # (d_model,) with an exponent for each column
    sine_columns: np.ndarray  # (pairs,)
    cosine_columns: np.ndarray  # (pairs,)
    pair_denominators: np.ndarray  # (pairs,)


def data() -> Data:
    """The numbers of the figure."""
    columns = np.arange(16)
    by_pair = 1 / posenc.frequencies(16)
    return Data(
        columns=columns,
        pairs=columns // 2,
        denominators=by_pair[columns // 2],
        unpaired=1 / posenc.frequencies(32),  # 32 columns, 16 pairs: exponents j / 16
        sine_columns=columns[0::2],
        cosine_columns=columns[1::2],
        pair_denominators=by_pair,
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One row a column of the matrix."""
    return {
        "column": data.columns,
        "pair": data.pairs,
        "denominator": data.denominators,
        "unpaired": data.unpaired,
    }


def static(data: Data) -> Figure:
    """Stairs, with a dot for each sine and a square for each cosine."""
    figure, ax = _style.canvas(height=3.3)
    blue, red, green = _style.SERIES[:3]
    ax.semilogy(
        data.columns,
        data.denominators,
        "-",
        color=green,
        lw=0.8,
        drawstyle="steps-mid",
        label="pair",
    )
    ax.semilogy(data.columns, data.unpaired, "--", color=red, lw=1, label="unpaired")
    for columns, mark, color, name in (
        (data.sine_columns, "o", blue, "sine"),
        (data.cosine_columns, "s", red, "cosine"),
    ):
        ax.semilogy(columns, data.pair_denominators, mark, color=color, ms=5, label=name)
    ax.set_xticks(data.sine_columns)
    ax.set_xlabel("column")
    _style.powers_of_ten(ax.yaxis)
    ax.set_ylabel("denominator")
    ax.legend(loc="upper left")
    _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same stairs, with column, pair and denominator in the hover text."""
    figure = go.Figure()
    blue, red, green = _style.PLOTLY_SERIES[:3]
    figure.add_scatter(
        x=data.columns,
        y=data.denominators,
        mode="lines",
        name="pair",
        line={"color": green, "width": 1, "shape": "hvh"},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=data.columns,
        y=data.unpaired,
        mode="lines",
        name="unpaired",
        line={"color": red, "width": 1, "dash": "dash"},
        hovertemplate="column %{x}, unpaired<br>denominator %{y:,.5~g}<extra></extra>",
    )
    for columns, symbol, color, name in (
        (data.sine_columns, "circle", blue, "sine"),
        (data.cosine_columns, "square", red, "cosine"),
    ):
        figure.add_scatter(
            x=columns,
            y=data.pair_denominators,
            customdata=data.pairs[columns],
            mode="markers",
            name=name,
            marker={"color": color, "size": 8, "symbol": symbol},
            hovertemplate=(
                f"column %{{x}} ({name}), pair %{{customdata:d}}<br>"
                "denominator %{y:,.5~g}<extra></extra>"
            ),
        )
    figure = _style.layout(figure, x="column", y="denominator")
    figure.update_yaxes(type="log", exponentformat="power", dtick=1)
    return figure
