"""Columns of the matrix as waves over position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
Five columns of the matrix at $d = 128$, read downward: each is a wave over position. Their
wavelengths grow by the same factor from panel to panel; the lowest one has not finished its
first turn after {{ len(positional_encoding(50, 128)) : d }} positions.
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


def static(data: Data) -> Figure:
    """One panel a pair: the wave, with a dot at each position."""
    figure, axes = _style.canvas(height=4.6, rows=len(data.pairs), sharex=True)
    for k, (ax, color) in enumerate(zip(axes, _style.SERIES, strict=True)):
        name = f"pair {data.pairs[k]}"
        ax.plot(data.fine_positions, data.fine_values[k], "-", color=color, lw=1, label=name)
        ax.plot(data.positions, data.values[k], ".", color=color, ms=4, label=f"{name}, positions")
        ax.set_title(f"{name}: wavelength {data.wavelengths[k]:.2f}", loc="left", pad=3)
        ax.set_ylim(-1.15, 1.15)
        ax.set_yticks([-1, 0, 1])
        ax.margins(x=0.01)
        _style.grid(ax)
    axes[-1].set_xlabel("position")
    return figure


def interactive(data: Data) -> go.Figure:
    """One trace a pair at whole positions, drawn over its wave."""
    figure = go.Figure()
    for k, color in enumerate(_style.PLOTLY_SERIES):
        name = f"pair {data.pairs[k]}"
        figure.add_scatter(
            x=data.fine_positions,
            y=data.fine_values[k],
            mode="lines",
            name=name,
            legendgroup=name,
            line={"color": color, "width": 1},
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=data.positions,
            y=data.values[k],
            mode="markers",
            name=f"{name}, positions",
            legendgroup=name,
            showlegend=False,
            marker={"color": color, "size": 6},
            hovertemplate=(
                f"position %{{x}}<br>dimension {2 * data.pairs[k]}, {name}<br>"
                f"wavelength {data.wavelengths[k]:,.4g} positions<br>"
                "value %{y:.4f}<extra></extra>"
            ),
        )
    return _style.layout(figure, x="position", y="value")
