"""Four sine waves with their frequencies and wavelengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

from scripts.figures import _style
from scripts.figures._lines import Line, plot, traces

CAPTION = """
Four sine waves, the fastest on top; $\\lambda$ is the wavelength. All stay between $-1$ and $1$,
whatever their frequency. The dots are the whole positions, the only ones that a text has. On the
two fastest waves every dot is at zero
{{ check: all(abs(sin(2 * pi * p / length)) < 1e-12 for length in [1 / 2, 1] for p in range(9))
}}:
at whole positions, these two waves say nothing.
"""
ALT = """
Four panels with sine waves over positions {{ 0 : d }} to {{ 8 : d }}, all between {{ -1 : d }} and
{{ 1 : d }}. Their wavelengths are {{ 1 / 2 : .1f }}, {{ 1 : d }}, {{ pi : .2f }} and
{{ 2 * pi : .2f }} positions. Dots mark the whole positions; on the first two waves they all lie at
{{ 0 : d }}.
"""
NAMES = ("sin 4πp", "sin 2πp", "sin 2p", "sin p")


@dataclass(frozen=True)
class Data:
    """Waves at whole positions and, for the line between them, at real ones."""

    frequencies: np.ndarray  # (waves,) radians per position
    wavelengths: np.ndarray  # (waves,) positions per turn
    positions: np.ndarray  # (length,)
    values: np.ndarray  # (waves, length)
    fine_positions: np.ndarray  # (points,)
    fine_values: np.ndarray  # (waves, points)


def data() -> Data:
    """The numbers of the figure."""
    turn = 2 * np.pi
    wavelengths = np.array([0.5, 1, np.pi, turn])
    positions, fine = np.arange(9), np.arange(0, 8.03125, 0.03125)

    return Data(
        frequencies=turn / wavelengths,
        wavelengths=wavelengths,
        positions=positions,
        values=np.sin(turn * (positions / wavelengths[:, None] % 1)),
        fine_positions=fine,
        fine_values=np.sin(turn * (fine / wavelengths[:, None] % 1)),  # exact zeros stay
    )


def panels(data: Data) -> list[list[Line]]:
    """For each wave its line, and dots at whole positions."""
    return [_wave_and_dots(data, k) for k in range(len(NAMES))]


def _wave_and_dots(data: Data, k: int) -> list[Line]:
    name, dots = NAMES[k], f"{NAMES[k]}, positions"
    hover = (
        f"{name}<br>frequency {data.frequencies[k]:.4g} radians per position<br>"
        f"wavelength {data.wavelengths[k]:.4g} positions<br>"
        "position %{x:.4~g}<br>value %{y:.4f}"
    )
    return [
        Line(name, data.fine_positions, data.fine_values[k], hover, color=k),
        Line(dots, data.positions, data.values[k], hover, color=k, dash=None, mark="."),
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each wave."""
    waves = dict(zip(NAMES, data.fine_values, strict=True))
    return {"position": data.fine_positions, **waves}


def static(data: Data) -> Figure:
    """One panel for each wave, with a dot at each whole position."""
    figure, axes = _style.canvas(height=4.3, rows=len(NAMES), sharex=True)
    for ax, panel, wavelength in zip(axes, panels(data), data.wavelengths, strict=True):
        plot(ax, panel, width=1, size=6)
        ax.set_title(f"{panel[0].label}:  λ = {wavelength:.3g}", loc="left", pad=3)
        ax.set(ylim=(-1.2, 1.2), yticks=[-1, 0, 1])
        ax.margins(x=0.015)
    axes[-1].set_xlabel("position p")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with frequency and wavelength in the hover text."""
    figure = make_subplots(rows=len(NAMES), shared_xaxes=True, vertical_spacing=0.05)
    for row, panel in enumerate(panels(data), 1):
        traces(figure, panel, width=1.5, size=7, row=row, col=1)
    _style.layout(figure, x="position p", y=NAMES, showlegend=False)
    return figure.update_yaxes(tickvals=[-1, 0, 1])
