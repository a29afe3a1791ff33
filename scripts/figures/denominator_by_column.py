"""The denominator of every column, in pairs and, wrongly, unpaired."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, plot, traces

CAPTION = """
The denominator $n^{2i/d}$ of every column at $d = 16$, on a logarithmic axis. Each step is a
pair: its sine column and its cosine column divide the position by the same number. The dashed line
shows what happens if each column gets its own exponent: the cosines no longer fit their
sines {{ check: all(10000 ** ((2 * i + 1) / 16) * frequencies(16)[i] > 1.5 for i in range(8)) }}.
"""
ALT = """
A staircase on a logarithmic axis: the denominator of the {{ len(encode(0, 16)) : d }} columns
rises from {{ 1 / frequencies(16)[0] : .0f }} to {{ 1 / frequencies(16)[-1] : ,.0f }} in
{{ len(frequencies(16)) : d }} steps of two columns each, a sine and a cosine. A dashed straight
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


def lines(data: Data) -> list[Line]:
    """The steps, the unpaired denominators, and marks for the sines and the cosines."""
    hover, pairs = "denominator %{y:,.5~g}", "pair %{customdata:d}"
    sines, cosines = data.sine_columns, data.cosine_columns
    unpaired = f"column %{{x}}, unpaired<br>{hover}"
    made = [
        Line("pair", data.columns, data.denominators, color=2, step="mid"),
        Line("unpaired", data.columns, data.unpaired, unpaired, color=1, dash=1),
    ]
    for k, (name, mark, columns) in enumerate((("sine", "o", sines), ("cosine", "s", cosines))):
        text = f"column %{{x}} ({name}), {pairs}<br>{hover}"
        about, y = data.pairs[columns], data.pair_denominators
        made.append(Line(name, columns, y, text, color=k, dash=None, mark=mark, about=about))
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each column of the matrix."""
    return {
        "column": data.columns,
        "pair": data.pairs,
        "denominator": data.denominators,
        "unpaired": data.unpaired,
    }


def static(data: Data) -> Figure:
    """Steps, with a dot for each sine and a square for each cosine."""
    figure, ax = _style.canvas(height=3.3)
    plot(ax, lines(data), width=1, size=5)
    _style.logarithmic(ax.yaxis)
    ax.set(xlabel="column", ylabel="denominator", xticks=data.sine_columns)
    ax.legend(loc="upper left")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same steps, with column, pair and denominator in the hover text."""
    figure = traces(go.Figure(), lines(data), width=1, size=8)
    return _style.layout(figure, x="column", y="denominator", log="y")
