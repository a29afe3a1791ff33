"""The denominator of every column, in pairs and, wrongly, unpaired."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, plot

CAPTION = """
**A cosine divides the position by the same number as the sine on its left.** Each step is one pair
of the {{ len(encode(0, 16)) : d }} columns at $d = 16$. On the dashed line each column
has its own exponent: no cosine fits its sine any more
{{ check: all(10000 ** ((2 * i + 1) / 16) * frequencies(16)[i] > 1.5 for i in range(8)) }}.
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


def data() -> Data:
    """The numbers of the figure."""
    columns = np.arange(16)
    return Data(
        columns=columns,
        pairs=columns // 2,
        denominators=1 / posenc.frequencies(16)[columns // 2],
        unpaired=1 / posenc.frequencies(32),  # 32 columns, 16 pairs: exponents j / 16
    )


def lines(data: Data) -> list[Line]:
    """The steps, the unpaired denominators, and marks for the sines and the cosines."""
    made = [
        Line("pair", data.columns, data.denominators, color=_style.PAPER_BASE, step="mid"),
        Line("unpaired", data.columns, data.unpaired, color=3, dash=1),
    ]
    for first, name, color in ((0, "sine", _style.SINE), (1, "cosine", _style.COSINE)):
        x, y = data.columns[first::2], data.denominators[first::2]
        made.append(Line(name, x, y, color=color, dash=None, mark="os"[first]))
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
    """Steps, with a dot for each sine and a square for each cosine, named at the last pair."""
    figure, ax = _style.canvas(height=3.3)
    drawn = plot(ax, lines(data), width=1, size=5)
    _style.logarithmic(ax.yaxis)
    ax.set(xlabel="column", ylabel="denominator", xticks=data.columns[::2], xlim=(-0.6, 17.6))
    for line, label, end, offset in (
        (drawn[1], "one exponent per column", 9, (-8, 8)),
        (drawn[2], "sine", 14, (-2, -15)),
        (drawn[3], "cosine", 15, (9, -3)),
    ):
        at = (end, data.unpaired[end] if line is drawn[1] else data.denominators[end])
        side = "right" if end == 9 else "left"
        ax.annotate(label, at, offset, textcoords="offset points", ha=side, color=line.get_color())
    return figure
