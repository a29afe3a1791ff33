"""Walls of clocks, and the rows of numbers that they become."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _clocks, _colors, _style
from scripts.figures._lines import Line, plot

CAPTION = """
**A wall of clocks turns into a row of colours.** Each line of clocks is the wall of one position at
$d = 8$, laid flat. Below a clock, on the line of its position, stand its sine and its cosine.
"""
ALT = """
Three lines of four clocks, the walls of positions {{ 1 : d }}, {{ 10 : d }} and {{ 100 : d }}, and
below them three rows of eight coloured cells. Each clock stands above its sine and its cosine. The
first hand of position {{ 1 : d }} has the sine {{ encode(1, 8)[0] : .2f }} and the cosine
{{ encode(1, 8)[1] : .2f }}, and so have the second hand of position {{ 10 : d }} and the third of
position {{ 100 : d }}
{{ check: all(max(abs(encode(10 ** i, 8)[2 * i:2 * i + 2] - encode(1, 8)[:2])) < 0.000001 for i in
range(3)) }}.
"""
SCALE = _colors.Scale(-1, 1, ticks=(-1, 0, 1), title="value")
PITCH, CELL = 1.4, 0.7  # from a line of clocks to the next, and from a row of cells to the next
PAIRS = range(4)


@dataclass(frozen=True)
class Data:
    """Clocks above the cells of their pairs: the unit of the plane is the width of a cell."""

    positions: np.ndarray  # (rows,)
    dimensions: np.ndarray  # (d_model,)
    values: np.ndarray  # (rows, d_model)
    levels: np.ndarray  # (rows,) of the rows of cells
    faces: np.ndarray  # (clocks, 2, 61)
    hands: np.ndarray  # (clocks, 2, 2) from the centre to the tip


def data() -> Data:
    """The numbers of the figure."""
    positions = np.array([1, 10, 100])
    angles = positions[:, None] * posenc.frequencies(8)
    places = [_centre(row, i) for row in range(3) for i in PAIRS]
    turned = zip(places, angles.ravel(), strict=True)
    return Data(
        positions=positions,
        dimensions=np.arange(8),
        values=posenc.encode(positions, 8),
        levels=-3 * PITCH - CELL * np.arange(3),
        faces=np.array([_clocks.face(*place, radius=0.6) for place in places]),
        hands=np.array([_clocks.hand(*place, angle, length=0.6) for place, angle in turned]),
    )


def _centre(row: int, pair: int) -> tuple[float, float]:
    return 2 * pair + 0.5, -PITCH * row


def lines(data: Data) -> list[Line]:
    """Face and hand of each clock."""
    colors, drawn = _style.pair_colors(len(PAIRS)), []
    clocks = [(p, i) for p in data.positions for i in PAIRS]
    for k, (p, i) in enumerate(clocks):
        name = f"pair {i}, position {p}"
        (face_x, face_y), (hand_x, hand_y) = data.faces[k], data.hands[k]
        drawn += [
            Line(f"{name}, face", face_x, face_y, color=_style.FACE),
            Line(name, hand_x, hand_y, color=colors[i]),
        ]
    return drawn


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each dimension."""
    columns = {f"dimension {j}": data.values[:, j] for j in data.dimensions}
    return {"position": data.positions, **columns}


def _labels(data: Data) -> tuple[list[float], list[str]]:
    """Where the positions are named at the left: beside the clocks, and beside the cells."""
    clocks = [_centre(row, 0)[1] for row in range(3)]
    return [*clocks, *data.levels], [f"{p}" for p in data.positions] * 2


def _edges(data: Data) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of all cells."""
    return -0.5, len(data.dimensions) - 0.5, data.levels[-1] - CELL / 2, data.levels[0] + CELL / 2


def static(data: Data) -> Figure:
    """Clocks and cells in one plane, each clock above its two cells."""
    figure, ax = _style.canvas(height=4.9)
    image = _colors.image(ax, data.values, SCALE, aspect="equal")
    left, right, bottom, top = _edges(data)
    image.set_extent((left, right, bottom, top))
    plot(ax, lines(data), width=1.6)
    ax.vlines([1.5, 3.5, 5.5], bottom, top, color=_style.INK, linewidth=1)
    _clocks.bare(ax)
    ax.set(xlim=(left, right), ylim=(bottom, 0.7))
    ax.set_xticks(data.dimensions, ["sin", "cos"] * 4)
    ax.set_yticks(*_labels(data))
    ax.tick_params(length=0)
    ax.set_ylabel("position")
    for i in PAIRS:
        ax.text(_centre(0, i)[0], 0.85, f"pair {i}", ha="center")
    _colors.bar(figure, image, SCALE, ax=ax, pad=0.02, shrink=0.29, anchor=(0, 0.05))
    return figure
