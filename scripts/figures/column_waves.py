"""Columns of the matrix as waves over position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, plot, traces

CAPTION = """
**Each column is a wave over the positions, and from pair to pair the waves grow longer**
{{ check: min(wavelengths(128)[1:] - wavelengths(128)[:-1]) > 0 }}.
The sines of five of the {{ len(wavelengths(128)) : d }} pairs at $d = 128$. The slowest of the
five has not finished its first turn after {{ len(positional_encoding(50, 128)) : d }} positions
{{ check: wavelengths(128)[16] > 50 > wavelengths(128)[12] }}.
"""
ALT = """
Five sine waves over {{ len(positional_encoding(50, 128)) : d }} positions, one below the other, at
width {{ len(encode(0, 128)) : d }}. Their wavelengths are {{ wavelengths(128)[0] : .2f }},
{{ wavelengths(128)[4] : .2f }}, {{ wavelengths(128)[8] : .2f }}, {{ wavelengths(128)[12] : .2f }}
and {{ wavelengths(128)[16] : .2f }} positions.
"""


@dataclass(frozen=True)
class Data:
    """Sine columns at whole positions and, for the line between them, at real ones."""

    pairs: np.ndarray  # (waves,)
    wavelengths: np.ndarray  # (waves,)
    positions: np.ndarray  # (length,)
    values: np.ndarray  # (waves, length)
    fine_positions: np.ndarray  # (points,)
    fine_values: np.ndarray  # (waves, points)


def data() -> Data:
    """The numbers of the figure."""
    pairs = np.array([0, 4, 8, 12, 16])
    positions, fine = np.arange(50), np.arange(0, 49.25, 0.25)
    return Data(
        pairs=pairs,
        wavelengths=posenc.wavelengths(128)[pairs],
        positions=positions,
        values=posenc.encode(positions, 128)[:, 2 * pairs].T,
        fine_positions=fine,
        fine_values=posenc.encode(fine, 128)[:, 2 * pairs].T,
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each pair's sine."""
    waves = zip(data.pairs, data.values, strict=True)
    return {"position": data.positions, **{f"sine of pair {i}": wave for i, wave in waves}}


def panels(data: Data) -> list[list[Line]]:
    """For each pair its wave, and dots at whole positions."""
    return [_wave_and_dots(data, k) for k in range(len(data.pairs))]


def _wave_and_dots(data: Data, k: int) -> list[Line]:
    pair, x, y = data.pairs[k], data.positions, data.values[k]
    name, dots = f"pair {pair}", f"pair {pair}, positions"
    color = _style.pair_colors(len(data.pairs))[k]
    hover = (
        f"position %{{x}}<br>dimension {2 * pair}, {name}<br>"
        f"wavelength {data.wavelengths[k]:,.4g} positions<br>value %{{y:.4f}}"
    )
    return [
        Line(name, data.fine_positions, data.fine_values[k], color=color),
        Line(dots, x, y, hover, color=color, dash=None, mark=".", under=name),
    ]


def static(data: Data) -> Figure:
    """One panel for each pair: the wave, with a dot at each position."""
    figure, axes = _style.canvas(height=4.6, rows=len(data.pairs), sharex=True)
    for ax, panel, wavelength in zip(axes, panels(data), data.wavelengths, strict=True):
        plot(ax, panel, width=1)
        ax.set_title(f"{panel[0].label}: wavelength {wavelength:.2f}", loc="left", pad=3)
        ax.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1])
        ax.margins(x=0.01)
    axes[-1].set_xlabel("position")
    figure.supylabel("value")
    return figure


def interactive(data: Data) -> go.Figure:
    """All waves in one panel, with position, wavelength and value in the hover text."""
    figure = go.Figure()
    for panel in panels(data):
        traces(figure, panel, width=1, size=6)
    return _style.layout(figure, x="position", y="value")
