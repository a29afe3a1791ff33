"""Clocks over a ruler of text lengths: how far each turns within a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _clocks, _style
from scripts.figures._lines import Line, plot, traces

CAPTION = """
**A text uses the clocks whose wavelength fits into it.** Every {{ 32 : d }}nd clock at $d = 512$
stands above its wavelength. The arc is the hand's way through a text of $512$ steps. Left of the
text's end all clocks have come round
{{ check: sum(wavelengths(512)[0::32] <= 512) == 4 and wavelengths(512)[96] < 512 < wavelengths(512)[128] }}.
"""
ALT = """
Eight clocks stand evenly spaced above a logarithmic ruler, each at its wavelength, from
{{ wavelengths(512)[0] : .1f }} to {{ wavelengths(512)[224] : ,.0f }} steps. A bar along the ruler
ends at {{ 512 : d }} steps. The {{ sum(wavelengths(512)[0::32] <= 512) : d }} clocks up to there
have a full coloured circle. To the right the coloured arc covers
{{ 512 / wavelengths(512)[128] : .0%}}, {{ 512 / wavelengths(512)[160] : .0%}},
{{ 512 / wavelengths(512)[192] : .0%}} and {{ 512 / wavelengths(512)[224] : .0%}} of the circle,
and the rest is grey.
"""
LENGTH = 512  # docs/assets/sliders/length.js redraws the arcs, the hands and the bar for others
RADIUS, HEIGHT, BAR = 0.21, 0.5, 0.1  # of a dial, of its centre, of the bar, in tenfold lengths
TICKS = (10, 100, 1000, 10_000)
START = 0.55  # of the bar, left of the first wavelength


@dataclass(frozen=True)
class Data:
    """One clock for each of eight pairs, at the logarithm of its wavelength."""

    pairs: np.ndarray  # (clocks,)
    wavelengths: np.ndarray  # (clocks,) steps
    turns: np.ndarray  # (clocks,) within the text
    face_x: np.ndarray  # (clocks, points)
    face_y: np.ndarray
    arc_x: np.ndarray  # (clocks, points) the way of the hand, at most once around
    arc_y: np.ndarray
    hand_x: np.ndarray  # (clocks, 2)
    hand_y: np.ndarray
    text_x: np.ndarray  # (2,) the bar
    text_y: np.ndarray
    ticks: np.ndarray  # (ticks,) places of TICKS


def data() -> Data:
    """The numbers of the figure."""
    pairs = np.arange(0, 256, 32)
    waves = posenc.wavelengths(512)[pairs]
    x, turns = np.log10(waves), LENGTH / waves
    ways = zip(x, 2 * np.pi * turns, strict=True)
    faces = np.array([_clocks.face(at, HEIGHT, radius=RADIUS) for at in x])
    arcs = [(at, 0, min(angle, 2 * np.pi), angle) for at, angle in ways]
    drawn = np.array([_clocks.arc(at, HEIGHT, 0, end, radius=RADIUS) for at, _, end, _ in arcs])
    hands = np.array([_clocks.hand(at, HEIGHT, angle, length=RADIUS) for at, *_, angle in arcs])
    return Data(
        pairs=pairs,
        wavelengths=waves,
        turns=turns,
        face_x=faces[:, 0],
        face_y=faces[:, 1],
        arc_x=drawn[:, 0],
        arc_y=drawn[:, 1],
        hand_x=hands[:, 0],
        hand_y=hands[:, 1],
        text_x=np.array([START, np.log10(LENGTH)]),
        text_y=np.array([BAR, BAR]),
        ticks=np.log10(TICKS),
    )


def groups(data: Data) -> list[tuple[list[Line], float]]:
    """Faces, ways of the hands, hands and the bar, each group with its width."""
    hover = "pair %{customdata[0]}<br>wavelength %{customdata[1]:,.4~g} steps<br>"
    hover += "%{customdata[2]:,.3~g} turns within the text"
    faces, arcs, hands = [], [], []
    for k, color in enumerate(_style.pair_colors(len(data.pairs))):
        name = f"pair {data.pairs[k]}"
        numbers = [data.pairs[k], data.wavelengths[k], data.turns[k]]
        about = np.tile(numbers, (data.arc_x.shape[1], 1))
        faces.append(Line(f"{name}, face", data.face_x[k], data.face_y[k], color=_style.FACE))
        way = (f"{name}, way", data.arc_x[k], data.arc_y[k], hover)
        arcs.append(Line(*way, color=color, about=about))
        hands.append(Line(name, data.hand_x[k], data.hand_y[k], color=color))
    text = Line("text", data.text_x, data.text_y, color=_style.PAPER_BASE)
    return [(faces, 1.2), (arcs, 3.2), (hands, 1.5), ([text], 5)]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each clock."""
    return {"pair": data.pairs, "wavelength": data.wavelengths, "turns": data.turns}


def static(data: Data) -> Figure:
    """Dials above a ruler, on which a bar is the text."""
    figure, ax = _style.canvas(height=1.75)
    faces, *moving = [plot(ax, lines, width=width) for lines, width in groups(data)]
    _clocks.bare(ax)
    ax.set(xlim=(0.5, 5.02), ylim=(0, 0.78), xlabel="length of the text (steps)")
    ax.set_xticks(data.ticks, [f"{tick:,}" for tick in TICKS])
    ax.spines.bottom.set_visible(True)
    size = ax.text(START, 0.17, f"a text of {LENGTH} steps")
    _style.mark_for_sliders(ax, *(line for lines in moving for line in lines), size)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same dials, with pair, wavelength and turns on the way of the hand."""
    figure = go.Figure()
    for lines, width in groups(data):
        traces(figure, lines, width=width)
    _style.layout(figure, x="length of the text (steps)", y="", showlegend=False)
    _clocks.bare_plotly(figure)
    names = [f"{tick:,}" for tick in TICKS]
    return figure.update_xaxes(visible=True, tickvals=data.ticks, ticktext=names)
