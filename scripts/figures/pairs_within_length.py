"""Pairs that finish a turn within a text, by its length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, plot, traces

CAPTION = """
How many of the {{ len(wavelengths(512)) : d }} pairs at $d = 512$ finish a turn within $L$ steps,
for four bases $n$. Dots are exact counts, at powers of two; lines are the approximation
$d/2 \\cdot \\ln(L/2\\pi) / \\ln n$. Every doubling of the text adds about the same number of
pairs
{{ check: all(19 <= sum(wavelengths(512) <= 2 * length) - sum(wavelengths(512) <= length) <= 20
for length in [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]) }},
until none is left; a larger base adds fewer
{{ check: sum(wavelengths(512, base=1000) <= 512) > sum(wavelengths(512) <= 512) >
sum(wavelengths(512, base=100000) <= 512) > sum(wavelengths(512, base=1000000) <= 512) }}.
"""
ALT = """
Rising dots on straight lines over the length on a logarithmic axis, one line for each of the bases
{{ 1000 : ,d }}, {{ 10000 : ,d }}, {{ 100000 : ,d }} and {{ 1000000 : ,d }}. All lines start at
length {{ 2 * pi : .2f }}. At length {{ 512 : d }} the dots stand at
{{ sum(wavelengths(512, base=1000) <= 512) : d }}, {{ sum(wavelengths(512) <= 512) : d }},
{{ sum(wavelengths(512, base=100000) <= 512) : d }} and
{{ sum(wavelengths(512, base=1000000) <= 512) : d }} of {{ len(wavelengths(512)) : d }} pairs.
Where they reach {{ len(wavelengths(512)) : d }}, they go on level.
"""


@dataclass(frozen=True)
class Data:
    """Counts at powers of two, and the ends of each base's line."""

    bases: np.ndarray  # (bases,)
    lengths: np.ndarray  # (lengths,)
    pairs: np.ndarray  # (bases, lengths) pairs that finish a turn
    line_lengths: np.ndarray  # (bases, 2)
    line_pairs: np.ndarray  # (2,)


def data() -> Data:
    """The numbers of the figure."""
    bases = np.array([1000, 10_000, 100_000, 1_000_000])
    lengths = 2 ** np.arange(3, 18)
    waves = np.array([posenc.wavelengths(512, base=base) for base in bases])
    return Data(
        bases=bases,
        lengths=lengths,
        pairs=(waves[:, np.newaxis, :] <= lengths[:, np.newaxis]).sum(axis=-1),
        line_lengths=2 * np.pi * np.stack([np.ones(4), bases], axis=-1),
        line_pairs=np.array([0, 256]),
    )


def lines(data: Data) -> list[Line]:
    """For each base the approximation, and dots for the counted pairs."""
    made = []
    for k, base in enumerate(data.bases):
        name, ends, mark = f"base {base:,}", data.line_lengths[k], "osD^"[k]
        hover = f"{name}<br>length %{{x:,}} steps<br>%{{y}} pairs finish a turn"
        made += [
            Line(f"{name}, line", ends, data.line_pairs, color=k, under=name),
            Line(name, data.lengths, data.pairs[k], hover, color=k, dash=None, mark=mark),
        ]
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the length, one for each base."""
    counts = zip(data.bases, data.pairs, strict=True)
    return {"length": data.lengths, **{f"base {base}": count for base, count in counts}}


def static(data: Data) -> Figure:
    """Dots on lines; the legend names the dots."""
    figure, ax = _style.canvas(height=3.3)
    drawn = plot(ax, lines(data), width=0.9)
    _style.logarithmic(ax.xaxis)
    ax.set(xlabel="length of the text (steps)", ylabel="pairs that finish a turn")
    ax.set_yticks([0, 64, 128, 192, 256])
    ax.legend(handles=drawn[1::2], loc="lower right", bbox_to_anchor=(0.94, 0))
    _style.mark_for_sliders(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same dots and lines, with base, length and count in the hover text."""
    figure = traces(go.Figure(), lines(data), width=1, size=7)
    _style.layout(figure, x="length of the text (steps)", y="pairs that finish a turn", log="x")
    return figure.update_yaxes(tickvals=[0, 64, 128, 192, 256])
