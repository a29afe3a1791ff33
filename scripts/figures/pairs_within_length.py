"""Clocks over a ruler of text lengths: how far each turns within a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _clocks, _style
from scripts.figures._lines import Line, plot

CAPTION = """
**In a text, the clocks whose wavelength fits into it come round.** Every {{ 32 : d }}nd clock at $d
= 512$ stands above its wavelength; the arc is its way through a text of $512$ steps. Left of the
text's end all have come round {{ check: sum(wavelengths(512)[0::32] <= 512) == 4 and
wavelengths(512)[96] < 512 < wavelengths(512)[128] }}.
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
    faces: np.ndarray  # (clocks, 2, points) x and y
    ways: np.ndarray  # (clocks, 2, points) of the hands, at most once around
    hands: np.ndarray  # (clocks, 2, 2) from centre to tip
    bar: np.ndarray  # (2, 2) the text on the ruler
    ticks: np.ndarray  # (ticks,) places of TICKS


def data() -> Data:
    """The numbers of the figure."""
    pairs = np.arange(0, 256, 32)
    waves = posenc.wavelengths(512)[pairs]
    clocks = list(zip(np.log10(waves), 2 * np.pi * LENGTH / waves, strict=True))
    ways = [_clocks.arc(x, HEIGHT, 0, min(a, 2 * np.pi), radius=RADIUS) for x, a in clocks]
    return Data(
        pairs=pairs,
        wavelengths=waves,
        turns=LENGTH / waves,
        faces=np.array([_clocks.face(x, HEIGHT, radius=RADIUS) for x, _ in clocks]),
        ways=np.array(ways),
        hands=np.array([_clocks.hand(x, HEIGHT, a, length=RADIUS) for x, a in clocks]),
        bar=np.array([[START, np.log10(LENGTH)], [BAR, BAR]]),
        ticks=np.log10(TICKS),
    )


def groups(data: Data) -> list[tuple[list[Line], float]]:
    """Faces, ways of the hands, hands and the bar, each group with its width."""
    faces, ways, hands = [], [], []
    for k, color in enumerate(_style.pair_colors(len(data.pairs))):
        name = f"pair {data.pairs[k]}"
        (face_x, face_y), (x, y), (hand_x, hand_y) = data.faces[k], data.ways[k], data.hands[k]
        faces.append(Line(f"{name}, face", face_x, face_y, color=_style.FACE))
        ways.append(Line(f"{name}, way", x, y, color=color))
        hands.append(Line(name, hand_x, hand_y, color=color))
    text = Line("text", data.bar[0], data.bar[1], color=_style.PAPER_BASE)
    return [(faces, 1.2), (ways, 3.2), (hands, 1.5), ([text], 5)]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each clock."""
    return {"pair": data.pairs, "wavelength": data.wavelengths, "turns": data.turns}


def static(data: Data) -> Figure:
    """Dials above a ruler, on which a bar is the text."""
    figure, ax = _style.canvas(height=1.75)
    _, *moving = [plot(ax, lines, width=width) for lines, width in groups(data)]
    _clocks.bare(ax)
    ax.set(xlim=(0.5, 5.02), ylim=(0, 0.78), xlabel="length of the text (steps)")
    ax.set_xticks(data.ticks, [f"{tick:,}" for tick in TICKS])
    ax.spines.bottom.set_visible(True)
    size = ax.text(START, 0.17, f"a text of {LENGTH} steps")
    _style.mark_for_sliders(ax, *(line for lines in moving for line in lines), size)
    return figure
