"""How alike the middle of a range is to the rest of it: a text, time steps, times below one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot

CAPTION = """
**Times from $0$ to $1$ look nearly the same to the encoding.** How alike the middle of a range is
to each place in it, at $d = 128$, as a share of the largest. Of a thousand steps, every tenth is
drawn.
"""
ALT = """
Three lines over the place in a range, from its start to its end, with a peak of {{ 1 : d }} in the
middle. For a text of positions {{ 0 : d }} to {{ 100 : d }} the line falls to
{{ similarity(5, 128) / similarity(0, 128) : .2f }} within {{ 5 : d }} positions, then slowly, in
small waves, to {{ similarity(50, 128) / similarity(0, 128) : .2f }} at both ends. For time steps
from {{ 0 : d }} to {{ 1000 : ,d }} it falls steeply {{ check: similarity(10, 128) / similarity(0,
128) < 0.75 < 0.98 < similarity(0.5, 128) / similarity(0, 128) }}: a hundredth of the range from the
middle it stands at {{ similarity(10, 128) / similarity(0, 128) : .2f }}, and at the ends at
{{ similarity(500, 128) / similarity(0, 128) : .2f }}. For times from {{ 0 : d }} to {{ 1 : d }} it
is flat, {{ similarity(0.5, 128) / similarity(0, 128) : .3f }} at the ends.
"""
NAMES = ("times from 0 to 1", "text, positions 0 to 100", "time steps 0 to 1,000")


@dataclass(frozen=True)
class Data:
    """Shares of the largest dot product, over the place in the range."""

    places: np.ndarray  # (101,)
    unscaled: np.ndarray  # (101,)
    text: np.ndarray  # (101,)
    steps: np.ndarray  # (101,)


def data() -> Data:
    """The numbers of the figure."""
    counts = np.arange(101)
    rows = (
        posenc.encode(counts / 100, 128),
        posenc.encode(counts, 128),
        posenc.encode(counts * 10, 128),
    )
    return Data(counts / 100, *(row @ row[50] / 64 for row in rows))


def lines(data: Data) -> list[Line]:
    """One line for each kind of place."""
    shares = (data.unscaled, data.text, data.steps)
    return [
        Line(name, data.places, share, color=k, dash=k)
        for k, (name, share) in enumerate(zip(NAMES, shares, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each place, one column for each line."""
    return columns("place", lines(data))


def static(data: Data) -> Figure:
    """Three lines in one panel, each named above it."""
    figure, ax = _style.canvas(height=3.0)
    plot(ax, lines(data), width=1.4)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["start", "", "middle", "", "end"])
    ax.set(yticks=[0, 0.5, 1], ylim=(0, 1.25))
    ax.margins(x=0.01)
    ax.set(xlabel="place in the range", ylabel="share of the largest")
    for k, (name, y) in enumerate(zip(NAMES, (1.06, 0.8, 0.05), strict=True)):
        ax.text(0.01, y, name, color=_style.SERIES[k])
    return figure
