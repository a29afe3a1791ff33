"""The sines of four rows, from pair to pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot, traces

CAPTION = """
The sines of rows $0$, $4$, $8$ and $12$ at $d = 512$, for the first
{{ len(range(100)) : d }} pairs. Dots mark where a curve crosses zero. In a sinusoid they would be
equally far apart. Here they spread: {{ 256 * log(3 / 2) / log(10000) : .1f }}, then
{{ 256 * log(2) / log(10000) : .1f }} pairs apart in row $12$.
"""
ALT = """
Four line plots, one above the other: the sine values of positions {{ 0 : d }}, {{ 4 : d }},
{{ 8 : d }} and {{ 12 : d }} over {{ len(range(100)) : d }} pairs. The first is flat. The others
swing fast on the left and ever more slowly to the right. They cross zero once, twice and three
times; the last crossing stands at pair {{ 256 * log(4 / pi) / log(10000) : .1f }},
{{ 256 * log(8 / pi) / log(10000) : .1f }} and {{ 256 * log(12 / pi) / log(10000) : .1f }}.
"""


@dataclass(frozen=True)
class Data:
    """Rows at their even dimensions, with the angle behind each value."""

    positions: np.ndarray  # (rows,)
    pairs: np.ndarray  # (pairs,)
    wavelengths: np.ndarray  # (pairs,) down the columns, positions per turn
    values: np.ndarray  # (rows, pairs) sines of the angles
    angles: np.ndarray  # (rows, pairs) radians
    local_frequencies: np.ndarray  # (rows, pairs) change of the angle, radians per pair
    zero_positions: np.ndarray  # (zeros,) the row of each zero
    zero_pairs: np.ndarray  # (zeros,) its place, in pairs


def data() -> Data:
    """The numbers of the figure."""
    positions, pairs = np.array([0, 4, 8, 12]), np.arange(100)
    angles = positions[:, None] * posenc.frequencies(512)[pairs]
    zeros = [(p, m) for p in positions for m in (3, 2, 1) if p > m * np.pi]
    rows, turns = np.array(zeros).T
    return Data(
        positions=positions,
        pairs=pairs,
        wavelengths=posenc.wavelengths(512)[pairs],
        values=posenc.encode(positions, 512)[:, 2 * pairs],
        angles=angles,
        local_frequencies=angles * 2 * np.log(10_000) / 512,
        zero_positions=rows,
        zero_pairs=256 * np.log(rows / (turns * np.pi)) / np.log(10_000),
    )


def panels(data: Data) -> list[list[Line]]:
    """For each position its sines, and dots at their zeros where there are any."""
    return [_sines_and_zeros(data, k) for k in range(len(data.positions))]


def _sines_and_zeros(data: Data, k: int) -> list[Line]:
    name, rates = f"position {data.positions[k]}", data.local_frequencies[k]
    zeros = data.zero_pairs[data.zero_positions == data.positions[k]]
    hover = (
        f"{name}<br>dimension %{{customdata[0]:d}}, pair %{{x}}<br>wavelength of the column"
        " %{customdata[1]:,.4~g} positions<br>angle %{customdata[2]:.4f} rad, changing by"
        " %{customdata[3]:.4f} rad a pair<br>sine %{y:.4f}"
    )
    about = np.stack([2 * data.pairs, data.wavelengths, data.angles[k], rates], axis=-1)
    sines = Line(name, data.pairs, data.values[k], hover, color=k, about=about)
    if not len(zeros):
        return [sines]
    label, text = f"{name}, zeros", f"{name}<br>zero at pair %{{x:.2f}}"
    dots = Line(label, zeros, 0 * zeros, text, color=k, dash=None, mark="o", under=name)
    return [sines, dots]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the pair, one for each position."""
    return columns("pair", [sines for sines, *_ in panels(data)])


def static(data: Data) -> Figure:
    """One panel for each position, under one another, so that the zeros can be compared."""
    figure, axes = _style.canvas(height=4.2, rows=len(data.positions), sharex=True)
    for ax, panel in zip(axes, panels(data), strict=True):
        plot(ax, panel)
        ax.set_title(panel[0].label, loc="left", pad=3)
        ax.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1])
        ax.margins(x=0.01)
    axes[-1].set_xlabel("pair")
    figure.supylabel("sine")
    return figure


def interactive(data: Data) -> go.Figure:
    """All rows in one panel, with the angle in the hover text."""
    figure = go.Figure()
    for panel in panels(data):
        traces(figure, panel, width=1.5, size=7)
    return _style.layout(figure, x="pair", y="sine")
