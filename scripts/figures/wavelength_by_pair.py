"""Wavelength by pair, for several bases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
The wavelength of each of the {{ len(wavelengths(512)) : d }} pairs at $d = 512$ on a logarithmic
axis, for five bases $n$. Every base gives a straight line, a geometric progression, that starts
at $2\\pi$ and ends just below $2\\pi n$.
"""
ALT = """
Straight lines on a logarithmic axis: wavelength by pair, for the bases {{ 100 : d }},
{{ 1000 : ,d }}, {{ 10000 : ,d }}, {{ 100000 : ,d }} and {{ 1000000 : ,d }}.
All start at {{ wavelengths(512)[0] : .2f }} positions; they end at
{{ wavelengths(512, base=100)[-1] : ,.0f }},
{{ wavelengths(512, base=1000)[-1] : ,.0f }}, {{ wavelengths(512)[-1] : ,.0f }},
{{ wavelengths(512, base=100000)[-1] : ,.0f }} and {{ wavelengths(512, base=1000000)[-1] : ,.0f }}.
"""


@dataclass(frozen=True)
class Data:
    """One line a base."""

    bases: np.ndarray  # (bases,)
    pairs: np.ndarray  # (pairs,)
    wavelengths: np.ndarray  # (bases, pairs) positions per turn


def data() -> Data:
    """The numbers of the figure."""
    bases = np.array([100, 1000, 10_000, 100_000, 1_000_000])
    return Data(
        bases=bases,
        pairs=np.arange(256),
        wavelengths=np.array([posenc.wavelengths(512, base=base) for base in bases]),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the pair, one for each base."""
    lines = zip(data.bases, data.wavelengths, strict=True)
    return {"pair": data.pairs, **{f"base {base}": line for base, line in lines}}


def static(data: Data) -> Figure:
    """Lines labelled where they end."""
    figure, ax = _style.canvas(height=3.4)
    for base, line in zip(data.bases, data.wavelengths, strict=True):
        ax.semilogy(data.pairs, line, label=f"base {base:,}")
        ax.annotate(
            f"n = {base:,}", (data.pairs[-1], line[-1]), (6, -3), textcoords="offset points"
        )
    ax.set_xlim(0, 255)
    ax.set_xticks([0, 64, 128, 192, 255])
    ax.set_xlabel("pair")
    ax.set_ylabel("wavelength (positions)")
    _style.powers_of_ten(ax.yaxis)
    _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with base, pair and wavelength in the hover text."""
    figure = go.Figure()
    for k, base in enumerate(data.bases):
        figure.add_scatter(
            x=data.pairs,
            y=data.wavelengths[k],
            mode="lines",
            name=f"base {base:,}",
            line={"color": _style.PLOTLY_SERIES[k], "dash": _style.PLOTLY_DASHES[k]},
            hovertemplate=(
                f"base {base:,}<br>pair %{{x}}<br>wavelength %{{y:,.4~g}} positions<extra></extra>"
            ),
        )
    figure = _style.layout(figure, x="pair", y="wavelength (positions)")
    figure.update_yaxes(type="log", exponentformat="power")
    return figure
