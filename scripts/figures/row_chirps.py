"""The sines of four rows, from pair to pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
The sines of rows $0$, $4$, $8$ and $12$ at $d = 512$, for the first
{{ len(range(100)) : d }} pairs. Dots mark where a curve crosses zero. In a sinusoid they would be
equally far apart. Here they spread: {{ 256 * log(3 / 2) / log(10000) : .1f }}, then
{{ 256 * log(2) / log(10000) : .1f }} pairs apart in the lowest panel.
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
    """Rows at their even dimensions, with the phase behind each value."""

    positions: np.ndarray  # (rows,)
    pairs: np.ndarray  # (pairs,)
    wavelengths: np.ndarray  # (pairs,) down the columns, positions per turn
    values: np.ndarray  # (rows, pairs) sines of the phases
    phases: np.ndarray  # (rows, pairs) radians
    local_frequencies: np.ndarray  # (rows, pairs) radians by which a pair adds to the phase
    zero_positions: np.ndarray  # (zeros,) the row of each zero
    zero_pairs: np.ndarray  # (zeros,) where it is, in pairs


def data() -> Data:
    """The numbers of the figure."""
    positions, pairs = np.array([0, 4, 8, 12]), np.arange(100)
    phases = positions[:, None] * posenc.frequencies(512)[pairs]
    zeros = [(p, m) for p in positions for m in (3, 2, 1) if p > m * np.pi]
    rows, turns = np.array(zeros).T
    return Data(
        positions=positions,
        pairs=pairs,
        wavelengths=posenc.wavelengths(512)[pairs],
        values=posenc.encode(positions, 512)[:, 2 * pairs],
        phases=phases,
        local_frequencies=phases * 2 * np.log(10_000) / 512,
        zero_positions=rows,
        zero_pairs=256 * np.log(rows / (turns * np.pi)) / np.log(10_000),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the pair, one for each position."""
    rows = zip(data.positions, data.values, strict=True)
    return {"pair": data.pairs, **{f"position {p}": row for p, row in rows}}


def static(data: Data) -> Figure:
    """One panel a position, under one another, so that the zeros can be compared."""
    figure, axes = _style.canvas(height=4.2, rows=len(data.positions), sharex=True)
    for k, (ax, color) in enumerate(zip(axes, _style.SERIES, strict=False)):
        name = f"position {data.positions[k]}"
        zeros = data.zero_pairs[data.zero_positions == data.positions[k]]
        ax.plot(data.pairs, data.values[k], "-", color=color, label=name)
        if len(zeros):
            ax.plot(zeros, np.zeros_like(zeros), "o", color=color, ms=4, label=f"{name}, zeros")
        ax.set_title(name, loc="left", pad=3)
        ax.set_ylim(-1.15, 1.15)
        ax.set_yticks([-1, 0, 1])
        ax.margins(x=0.01)
        _style.grid(ax)
    axes[-1].set_xlabel("pair")
    figure.supylabel("sine", fontsize=9, color=_style.INK)
    return figure


def interactive(data: Data) -> go.Figure:
    """One trace a position, with the phase in the hover text, and one for its zeros."""
    figure = go.Figure()
    for k, color in enumerate(_style.PLOTLY_SERIES[: len(data.positions)]):
        name = f"position {data.positions[k]}"
        figure.add_scatter(
            x=data.pairs,
            y=data.values[k],
            customdata=np.stack(
                [2 * data.pairs, data.wavelengths, data.phases[k], data.local_frequencies[k]], -1
            ),
            mode="lines",
            name=name,
            legendgroup=name,
            line={"color": color, "width": 1.5, "dash": _style.PLOTLY_DASHES[k]},
            hovertemplate=(
                f"{name}<br>dimension %{{customdata[0]:d}}, pair %{{x}}<br>wavelength of the column"
                " %{customdata[1]:,.4~g} positions<br>phase %{customdata[2]:.4f} rad, changing by"
                " %{customdata[3]:.4f} rad a pair<br>value %{y:.4f}<extra></extra>"
            ),
        )
        zeros = data.zero_pairs[data.zero_positions == data.positions[k]]
        if len(zeros):
            figure.add_scatter(
                x=zeros,
                y=np.zeros_like(zeros),
                mode="markers",
                name=f"{name}, zeros",
                legendgroup=name,
                showlegend=False,
                marker={"color": color, "size": 7},
                hovertemplate=f"{name}<br>zero at pair %{{x:.2f}}<extra></extra>",
            )
    return _style.layout(figure, x="pair", y="sine")
