"""Wavelengths of the pairs of a head, for the bases of today's models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from posenc import Rotary
from scripts.figures import _style
from scripts.figures._lines import Line, plot

CAPTION = """
**A larger base slows all clocks but the first, and the slowest most** {{ tried: wavelengths(128,
base=1000000)[0] == wavelengths(128)[0] and all(wavelengths(128, base=1000000)[i] /
wavelengths(128)[i] < wavelengths(128, base=1000000)[i + 1] / wavelengths(128)[i + 1] for i in
range(63)) }}. A head with {{ len(wavelengths(128)) : d }} pairs and four bases $n$. A pair above a
dotted line does not finish a turn in a text of that length.
"""
ALT = """
Four straight lines on a logarithmic axis rise from one point at {{ wavelengths(128)[0] : .2f }}
positions. At the last pair they reach {{ wavelengths(128)[-1] : ,.0f }} positions for base
{{ 10000 : ,d }}, {{ wavelengths(128, base=150000)[-1] : ,.0f }} for {{ 150000 : ,d }},
{{ wavelengths(128, base=500000)[-1] : ,.0f }} for {{ 500000 : ,d }} and
{{ wavelengths(128, base=1000000)[-1] : ,.0f }} for {{ 1000000 : ,d }}. They cross the level line at
{{ 4096 : ,d }} positions between pairs {{ sum(wavelengths(128, base=1000000) <= 4096) - 1 : d }}
and {{ sum(wavelengths(128) <= 4096) : d }}. The lowest of them stays below the level line at
{{ 131072 : ,d }} positions.
"""


COLORS = (_style.PAPER_BASE, 0, 1, 2)


@dataclass(frozen=True)
class Data:
    """One line for each base, and one for each length of text."""

    bases: np.ndarray  # (bases,)
    pairs: np.ndarray  # (pairs,)
    wavelengths: np.ndarray  # (bases, pairs) positions per turn
    lengths: np.ndarray  # (lengths,) positions
    ends: np.ndarray  # (2,) first and last pair


def data() -> Data:
    """The numbers of the figure."""
    bases = np.array([10_000, 150_000, 500_000, 1_000_000])
    return Data(
        bases=bases,
        pairs=np.arange(64),
        wavelengths=np.array([Rotary(128, base=base).wavelengths() for base in bases]),
        lengths=np.array([4096, 131_072]),
        ends=np.array([0, 63]),
    )


def lines(data: Data) -> list[Line]:
    """One rising line for each base, one level line for each length."""
    made = []
    for k, (base, wavelengths) in enumerate(zip(data.bases, data.wavelengths, strict=True)):
        name = f"base {base:,}"
        made.append(Line(name, data.pairs, wavelengths, color=COLORS[k], dash=k))
    for length in data.lengths:
        level = np.full(2, length)
        made.append(Line(f"{length:,} positions", data.ends, level, color=4, dash=4))
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the pair, one for each base."""
    lines = zip(data.bases, data.wavelengths, strict=True)
    return {"pair": data.pairs, **{f"base {base}": line for base, line in lines}}


def static(data: Data) -> Figure:
    """Lines labelled where they end, lengths labelled at the left."""
    figure, ax = _style.canvas(height=3.4)
    figure.set_layout_engine(
        "constrained", rect=(0, 0, 0.94, 1)
    )  # larger letters on a phone need room
    drawn = lines(data)
    plot(ax, drawn)
    place = {"textcoords": "offset points"}
    for base, line in zip(data.bases, drawn, strict=False):
        raised = {1_000_000: 1, 500_000: -6, 150_000: -8}.get(int(base), -3)  # close neighbours
        color = _style.SERIES[line.color]
        ax.annotate(f"n = {base:,}", (line.x[-1], line.y[-1]), (6, raised), color=color, **place)
    for line in drawn[len(data.bases) :]:
        ax.annotate(line.label, (0, line.y[0]), (2, 4), color=_style.SERIES[4], **place)
    _style.logarithmic(ax.yaxis)
    ax.set(xlabel="pair", ylabel="wavelength (positions)")
    ax.set(xlim=(0, 63), xticks=[0, 16, 32, 48, 63])
    return figure
