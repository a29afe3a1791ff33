"""The hands at two positions keep their angles when both positions move on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _clocks, _colors, _style
from scripts.figures._lines import Line, plot

CAPTION = """
**Move both positions on: the hands turn, and the angles between them stay.** The walls of $p$ and
$p + 3$ at $d = 8$, for two $p$, and the matrix of cosines and sines of these angles,
{{ shift_matrix(3, 8)[0, 2] : .0f }} away from the diagonal blocks.
"""
ALT = """
Two columns of four clocks, from the fastest pair on top to the slowest. Each clock has a hand for
position p and a dotted one for position p + {{ 3 : d }}, and the wedge between them is shaded. In
the first column p is {{ 0 : d }}, in the second {{ 20 : d }}: the hands stand elsewhere, the
wedges are as wide: {{ 3 * frequencies(8)[0] : .2f }}, {{ 3 * frequencies(8)[1] : .2f }},
{{ 3 * frequencies(8)[2] : .2f }} and {{ 3 * frequencies(8)[3] : .3f }} radians. Beside them a
heatmap of {{ len(shift_matrix(3, 8)) : d }} by {{ len(shift_matrix(3, 8)) : d }} entries. Only its
two-by-two blocks on the diagonal differ from {{ shift_matrix(3, 8)[0, 2] : .0f }}. The first block
has {{ shift_matrix(3, 8)[0, 0] : .2f }} on its diagonal, the last {{ shift_matrix(3, 8)[7, 7] :
.4f }}.
"""
OFFSET, POSITIONS, TITLE = 3, (0, 20), "M for k = 3"
NAMES = [f"pair {i}" for i in range(4)]
ACROSS, DOWN = 3.0, -2.3  # from wall to wall, and from pair to pair, in radii
FIRST, SECOND, ANGLE = 0, 1, 2  # colours of the hands at p and p + k, and of the angle
SCALE = _colors.Scale(-1, 1, ticks=(-1, 0, 1))


@dataclass(frozen=True)
class Data:
    """Two walls of clocks, one below the other, and the shift matrix."""

    positions: np.ndarray  # (clocks,) of the first hand
    pairs: np.ndarray  # (clocks,)
    turns: np.ndarray  # (clocks,) from the first hand to the second, in radians
    angles: np.ndarray  # (clocks, 2) of both hands
    walls: np.ndarray  # (walls,) where each wall stands
    rows: np.ndarray  # (pairs,) where the clocks of each pair stand
    faces: np.ndarray  # (clocks, 2, points) x and y
    wedges: np.ndarray  # (clocks, 2, points)
    hands: np.ndarray  # (clocks, 2, 2, 2) first or second hand, x and y, centre and tip
    matrix: np.ndarray  # (d_model, d_model)


def data() -> Data:
    """The numbers of the figure."""
    walls, rows = ACROSS * np.arange(2), DOWN * np.arange(4)
    positions, pairs = np.repeat(POSITIONS, 4), np.tile(np.arange(4), 2)
    speeds = np.tile(posenc.frequencies(8), 2)
    angles = speeds[:, None] * (positions[:, None] + np.array([0, OFFSET]))
    places = [(x, y) for x in walls for y in rows]
    drawn = list(zip(places, angles, strict=True))
    return Data(
        positions=positions,
        pairs=pairs,
        turns=OFFSET * speeds,
        angles=angles,
        walls=walls,
        rows=rows,
        faces=np.array([_clocks.face(*place) for place in places]),
        wedges=np.array([_clocks.wedge(*place, *pair, radius=0.8) for place, pair in drawn]),
        hands=np.array([[_clocks.hand(*place, a) for a in pair] for place, pair in drawn]),
        matrix=posenc.shift_matrix(OFFSET, 8),
    )


def lines(data: Data) -> tuple[list[Line], list[Line], list[Line]]:
    """The faces, the wedges, and the hands, from wall to wall and from pair to pair."""
    faces, wedges, hands = [], [], []
    for clock, (p, i) in enumerate(zip(data.positions, data.pairs, strict=True)):
        name = f"pair {i}, p = {p}"
        (x, y), (across, up) = data.faces[clock], data.wedges[clock]
        faces.append(Line(f"{name}, face", x, y, color=_style.FACE))
        wedges.append(Line(f"{name}, wedge", across, up, color=ANGLE))
        for hand, (at, color) in enumerate(((p, FIRST), (p + OFFSET, SECOND))):
            x, y = data.hands[clock, hand]
            hands.append(Line(f"{name}, hand at {at}", x, y, color=color, dash=4 * hand))
    return faces, wedges, hands


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each clock."""
    return {
        "position": data.positions,
        "pair": data.pairs,
        "angle at p": data.angles[:, 0],
        f"angle at p + {OFFSET}": data.angles[:, 1],
        "angle between": data.turns,
    }


def static(data: Data) -> Figure:
    """The walls in one plane, and the matrix beside them."""
    figure, (ax, beside) = _style.canvas(height=5, columns=2, width_ratios=(5, 3))
    faces, wedges, hands = lines(data)
    plot(ax, faces, width=0.8)
    shades = [ax.fill(line.x, line.y, _style.SERIES[ANGLE], alpha=0.3, lw=0)[0] for line in wedges]
    moving = [*shades, *plot(ax, wedges, width=1.2), *plot(ax, hands, width=2)]
    for x, p in zip(data.walls, POSITIONS, strict=True):
        for up, text, color in ((1.85, f"p = {p}", FIRST), (1.25, f"p + k = {p + OFFSET}", SECOND)):
            moving.append(ax.text(x, up, text, color=_style.SERIES[color], ha="center"))
    _clocks.bare(ax)
    ax.set_yticks(data.rows, NAMES)
    ax.tick_params(length=0)
    ax.set(xlim=(-1.6, ACROSS + 1.6), ylim=(3 * DOWN - 1.1, 2.3))
    _style.mark_for_sliders(ax, *moving)
    image = _colors.image(beside, data.matrix, SCALE, aspect="equal")
    beside.set_title(TITLE, pad=5)
    beside.spines[:].set_visible(True)
    beside.set(xticks=[], yticks=[], xlabel="column", ylabel="row")
    _style.mark_for_sliders(beside, image, beside.title)
    _colors.bar(figure, image, SCALE, ax=beside, location="bottom", shrink=0.7)
    return figure
