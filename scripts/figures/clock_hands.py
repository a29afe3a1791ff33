"""Words in a row, and under each word its wall of clocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _clocks, _style
from scripts.figures._lines import Line, plot

CAPTION = """
**Under each word stands the wall of clocks of its place.** A hand's reach to the right is a sine,
its height a cosine: {{ len(encode(0, 8)) : d }} numbers a place. In the strong rings, each clock
has turned by one radian
{{ check: all(frequencies(8)[i] * 10 ** i == 1 for i in range(4)) }}.
"""
ALT = """
A grid of clocks with one hand each. The columns are the places of the words the, dog, bites, the
and man, positions {{ 0 : d }} to {{ 4 : d }}, and later the positions {{ 10 : d }}, {{ 100 : d }}
and {{ 1000 : ,d }}. The lines are four clocks, with wavelengths of {{ wavelengths(8)[0] : .2f }},
{{ wavelengths(8)[1] : .1f }}, {{ wavelengths(8)[2] : .0f }} and {{ wavelengths(8)[3] : ,.0f }}
positions. At position {{ 0 : d }} all hands point up. Under the five words the last two lines have
hardly turned {{ check: max(abs(encode(4, 8)[4::2])) < 0.1 }}. Rings mark the same hand, {{
encode(1, 8)[0] : .2f }} right and {{ encode(1, 8)[1] : .2f }} up, in the first line at position {{
1 : d }}, in the second at {{ 10 : d }}, in the third at {{ 100 : d }} and in the fourth at {{ 1000
: ,d }}.
"""
WORDS = ("the", "dog", "bites", "the", "man")


@dataclass(frozen=True)
class Data:
    """One clock for each position and pair, laid out in a grid."""

    positions: np.ndarray  # (clocks,)
    pairs: np.ndarray  # (clocks,)
    wavelengths: np.ndarray  # (clocks,)
    sines: np.ndarray  # (clocks,)
    cosines: np.ndarray  # (clocks,)
    hand_x: np.ndarray  # (clocks, 2) from the centre to the tip
    hand_y: np.ndarray
    face_x: np.ndarray  # (clocks, 61) once around
    face_y: np.ndarray
    ringed: np.ndarray  # (clocks,) whether the hand has turned by one radian
    columns: np.ndarray  # (positions,) where the clocks of each position stand
    rows: np.ndarray  # (pairs,) where the clocks of each pair stand


def data() -> Data:
    """The numbers of the figure."""
    shown, pairs = np.array([0, 1, 2, 3, 4, 10, 100, 1000]), np.arange(4)
    columns, rows = 2.5 * np.arange(8) + (np.arange(8) > 4), -2.5 * pairs
    positions, pair = np.repeat(shown, 4), np.tile(pairs, 8)
    hands = posenc.encode(shown, 8).reshape(-1, 2)
    x, y = np.repeat(columns, 4), np.tile(rows, 8)
    face_x, face_y = _clocks.face(x[:, None], y[:, None])
    return Data(
        positions=positions,
        pairs=pair,
        wavelengths=np.tile(posenc.wavelengths(8), 8),
        sines=hands[:, 0],
        cosines=hands[:, 1],
        hand_x=np.stack([x, x + hands[:, 0]], axis=1),
        hand_y=np.stack([y, y + hands[:, 1]], axis=1),
        face_x=face_x,
        face_y=face_y,
        ringed=positions == 10**pair,
        columns=columns,
        rows=rows,
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each clock."""
    return {
        "position": data.positions,
        "pair": data.pairs,
        "wavelength": data.wavelengths,
        "sine": data.sines,
        "cosine": data.cosines,
    }


def faces(data: Data) -> list[Line]:
    """The circles, with a ring where the hand has turned by one radian."""
    return [
        Line(f"{name}, face", x, y, color=_style.PAPER_BASE if ringed else _style.FACE)
        for name, x, y, ringed in zip(
            _names(data), data.face_x, data.face_y, data.ringed, strict=True
        )
    ]


def hands(data: Data) -> list[Line]:
    """The hands; the colour tells the pairs."""
    made = []
    for k, (name, pair) in enumerate(zip(_names(data), data.pairs, strict=True)):
        color = _style.pair_colors(4)[pair]
        made.append(Line(name, data.hand_x[k], data.hand_y[k], color=color))
    return made


def _names(data: Data) -> list[str]:
    return [f"pair {i}, position {p}" for i, p in zip(data.pairs, data.positions, strict=True)]


def _ticks(data: Data) -> tuple[list[str], list[str]]:
    """Positions, and wavelengths with as many digits as tell them apart."""
    return [f"{p:,}" for p in data.positions[::4]], [
        f"{w:,.3g}" if w < 100 else f"{w:,.0f}" for w in data.wavelengths[:4]
    ]


def static(data: Data) -> Figure:
    """All clocks in one plane, words above, positions below, wavelengths at the left."""
    figure, ax = _style.canvas(height=3.4)
    circles = plot(ax, faces(data), width=1.2)
    drawn = plot(ax, hands(data), width=2)
    for line in drawn:
        line.set(marker="o", markersize=3.5, markevery=[1])
    _clocks.bare(ax)
    positions, wavelengths = _ticks(data)
    ax.set_xticks(data.columns, positions)
    ax.set_yticks(data.rows, wavelengths)
    ax.tick_params(length=0)
    ax.set(xlabel="position", ylabel="wavelength (positions)")
    for word, x in zip(WORDS, data.columns, strict=False):
        ax.annotate(word, (x, 1), (0, 6), textcoords="offset points", ha="center")
    _style.mark_for_sliders(ax, circles[-1], *drawn[-4:], ax.get_xticklabels()[-1])  # 1,000 moves
    return figure
