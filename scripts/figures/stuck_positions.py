"""The fastest sine around position 256, exact and as bfloat16 computes it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, name, plot

CAPTION = r"""
**From $256$ to $512$, bfloat16 holds only every second integer: an odd position gets a neighbour's
value {{ check: all(encode_low(p, 64, precision="bfloat16")[0] == encode_low(p + p % 4 - 2, 64,
precision="bfloat16")[0] for p in range(257, 512, 2)) }}.** The first column of the encoding, $\sin
p$, around position $256$. Circles are exact; squares, what bfloat16 computes, sit in them up to
$256$ {{ check: max(abs(encode_low(range(244, 257), 64, precision="bfloat16")[:, 0] -
encode(range(244, 257), 64)[:, 0])) < 0.005 }}.
"""
ALT = """
A sine wave of circles from position {{ 244 : d }} to {{ 272 : d }}, joined by a line, and squares.
The squares lie in the circles up to position {{ 256 : d }}. Then position {{ 257 : d }} gets
{{ encode_low(257, 64, precision="bfloat16")[0] : .2f }} instead of {{ encode(257, 64)[0] : .2f }},
the value of position {{ 256 : d }}, and every odd position after it gets that of a neighbour.
"""


@dataclass(frozen=True)
class Data:
    """The column, twice."""

    positions: np.ndarray  # (positions,)
    exact: np.ndarray  # (positions,)
    bfloat16: np.ndarray  # (positions,)


def data() -> Data:
    """The numbers of the figure."""
    positions = np.arange(244, 273)
    return Data(
        positions=positions,
        exact=posenc.encode(positions, 64)[:, 0],
        bfloat16=posenc.encode_low(positions, 64, precision="bfloat16")[:, 0],
    )


def lines(data: Data) -> list[Line]:
    """Circles on a line, and squares."""
    return [
        Line("exact", data.positions, data.exact, mark="o"),
        Line("bfloat16", data.positions, data.bfloat16, color=1, dash=None, mark="s"),
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each position."""
    return columns("position", lines(data))


def static(data: Data) -> Figure:
    """Squares on top of hollow circles."""
    figure, ax = _style.canvas(height=2.9)
    circles, _ = plot(ax, lines(data), width=0.8, size=3.2)
    exact, low = lines(data)
    name(ax, exact, 254.4, 0.62)
    name(ax, low, 261.4, 0.64)
    circles.set(markersize=7, markerfacecolor="none")
    ax.set(xlabel="position", ylabel="first column")
    ax.set(xticks=[*range(244, 273, 4)], yticks=[-1, 0, 1], ylim=(-1.15, 1.15))
    return figure
