"""Wavelength by pair, for several bases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, plot, traces

CAPTION = """
**The base sets how far the wavelengths spread.** Each line has the {{ len(wavelengths(512)) : d }}
wavelengths at $d = 512$ for one base $n$. It starts at $2\\pi$ and ends just below $2\\pi n$
{{ check: all(0.94 < max(wavelengths(512, base=n)) / (2 * pi * n) < 1 for n in [100, 1000,
10000, 100000, 1000000]) }}.
"""
ALT = """
Straight lines on a logarithmic axis: wavelength by pair, for the bases {{ 100 : d }},
{{ 1000 : ,d }}, {{ 10000 : ,d }}, {{ 100000 : ,d }} and {{ 1000000 : ,d }}.
All start at {{ wavelengths(512)[0] : .2f }} positions; they end at
{{ wavelengths(512, base=100)[-1] : ,.0f }},
{{ wavelengths(512, base=1000)[-1] : ,.0f }}, {{ wavelengths(512)[-1] : ,.0f }},
{{ wavelengths(512, base=100000)[-1] : ,.0f }} and {{ wavelengths(512, base=1000000)[-1] : ,.0f }}.
"""
COLORS = (4, 0, _style.PAPER_BASE, 2, 3)  # ink for the paper's base, as in all figures


@dataclass(frozen=True)
class Data:
    """One line for each base."""

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


def lines(data: Data) -> list[Line]:
    """One line for each base."""
    hover, made = "pair %{x}<br>wavelength %{y:,.4~g} positions", []
    for color, base, wavelengths in zip(COLORS, data.bases, data.wavelengths, strict=True):
        name = f"base {base:,}"
        made.append(Line(name, data.pairs, wavelengths, f"{name}<br>{hover}", color=color))
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the pair, one for each base."""
    lines = zip(data.bases, data.wavelengths, strict=True)
    return {"pair": data.pairs, **{f"base {base}": line for base, line in lines}}


def static(data: Data) -> Figure:
    """Lines labelled where they end."""
    figure, ax = _style.canvas(height=3.4)
    drawn = lines(data)
    plot(ax, drawn)
    for base, line in zip(data.bases, drawn, strict=True):
        end = (line.x[-1], line.y[-1])
        ax.annotate(f"n = {base:,}", end, (6, -3), textcoords="offset points")
    _style.logarithmic(ax.yaxis)
    ax.set(xlabel="pair", ylabel="wavelength (positions)")
    ax.set(xlim=(0, 255), xticks=[0, 64, 128, 192, 255])
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with base, pair and wavelength in the hover text."""
    figure = traces(go.Figure(), lines(data))
    return _style.layout(figure, x="pair", y="wavelength (positions)", log="y")
