"""How alike position 50 is to its neighbours: sinusoids, and a learned table at its start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot
from scripts.numbers.quantities import fresh_cosines

CAPTION = """
**Before training, a learned table does not know its neighbours.** Cosine of the angle between row
$50$ and the others, at $d = 768$. In a fresh table, row $51$ is as unlike row $50$ as row $99$ is
{{ check: abs(fresh_cosines(50, 101, 768)[51]) < 0.15 and abs(fresh_cosines(50, 101, 768)[99]) <
0.15 and similarity(1, 768) > 1.5 * similarity(49, 768) }}.
"""
ALT = """
Two lines over the positions {{ 0 : d }} to {{ 100 : d }}. That of the sinusoids is a smooth peak
of height {{ 1 : d }} at position {{ 50 : d }}; it stands at
{{ similarity(1, 768) / similarity(0, 768) : .2f }} one position away and at
{{ similarity(50, 768) / similarity(0, 768) : .2f }} at both ends. That of the random table is a
single spike of height {{ 1 : d }} at position {{ 50 : d }}; everywhere else it is noise between
{{ min(fresh_cosines(50, 101, 768)) : .2f }} and {{ max(max(fresh_cosines(50, 101, 768)[:50]),
max(fresh_cosines(50, 101, 768)[51:])) : .2f }}.
"""
NAMES = ("sinusoids", "learned, before training")


@dataclass(frozen=True)
class Data:
    """Cosines of the angles between rows."""

    positions: np.ndarray  # (positions,)
    sinusoids: np.ndarray  # (positions,)
    learned: np.ndarray  # (positions,)


def data() -> Data:
    """The numbers of the figure."""
    positions = np.arange(101)
    return Data(
        positions=positions,
        sinusoids=posenc.encode(positions, 768) @ posenc.encode(50, 768) / 384,
        learned=fresh_cosines(50, 101, 768),
    )


def lines(data: Data) -> list[Line]:
    """One line for each way to encode."""
    return [
        Line(name, data.positions, cosines, color=k)
        for k, (name, cosines) in enumerate(zip(NAMES, (data.sinusoids, data.learned), strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each position."""
    return columns("position", lines(data))


def static(data: Data) -> Figure:
    """Both in one panel."""
    figure, ax = _style.canvas(height=2.7)
    plot(ax, lines(data), width=1.3)
    ax.set(xlabel="position", ylabel="cosine similarity")
    ax.set(xticks=[0, 25, 50, 75, 100], yticks=[0, 0.5, 1], ylim=(-0.15, 1.1))
    ax.margins(x=0.01)
    for k, (name, y) in enumerate(zip(NAMES, (0.7, 0.13), strict=True)):
        ax.text(1, y, name, color=_style.SERIES[k])
    return figure
