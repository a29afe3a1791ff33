"""A sine and its cosine over the position, and the clock hand that both make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _clocks, _style
from scripts.figures._lines import Line, plot

CAPTION = """
**A sine and its cosine are one clock hand.** Its reach to the right is the sine, its height the
cosine. At positions $1$ and $5$ the sines are equal
{{ check: abs(sin(pi / 6) - sin(5 * pi / 6)) < 1e-12 }}, but the hands differ
{{ check: cos(pi / 6) > 0 > cos(5 * pi / 6) }}.
"""
ALT = """
A sine and a cosine over positions {{ 0 : d }} to {{ 12 : d }}, one whole turn. A dotted line joins
the sines at positions {{ 1 : d }} and {{ 5 : d }}, both at {{ sin(pi / 6) : .1f }}. Below each
position stands a clock; its hand points up at {{ 0 : d }}, to the right at {{ 3 : d }}, down at
{{ 6 : d }}, to the left at {{ 9 : d }} and up again at {{ 12 : d }}.
"""
CLOCKS = -2.1  # height of the centres


@dataclass(frozen=True)
class Data:
    """The waves at real positions and the hands at whole ones."""

    positions: np.ndarray  # (13,)
    fine: np.ndarray  # (points,) positions between them too
    sine: np.ndarray  # (points,)
    cosine: np.ndarray  # (points,)
    hand_x: np.ndarray  # (13, 2) from the centre to the tip
    hand_y: np.ndarray
    face_x: np.ndarray  # (13, 61) once around
    face_y: np.ndarray


def data() -> Data:
    """The numbers of the figure."""
    positions, fine = np.arange(13), np.arange(97) / 8
    angles = np.pi / 6 * positions
    hands = [_clocks.hand(p, CLOCKS, a, length=0.42) for p, a in enumerate(angles)]
    face_x, face_y = _clocks.face(positions[:, None], CLOCKS, radius=0.42)
    return Data(
        positions=positions,
        fine=fine,
        sine=np.sin(np.pi / 6 * fine),
        cosine=np.cos(np.pi / 6 * fine),
        hand_x=np.array([x for x, _ in hands]),
        hand_y=np.array([y for _, y in hands]),
        face_x=face_x,
        face_y=np.broadcast_to(face_y, face_x.shape),
    )


def waves(data: Data) -> list[Line]:
    """Both waves, and the level that two positions share."""
    return [
        Line("sine", data.fine, data.sine, color=_style.SINE),
        Line("cosine", data.fine, data.cosine, color=_style.COSINE),
        Line("same sine", data.fine[[8, 40]], data.sine[[8, 40]], dash=2, mark="o"),
    ]


def clocks(data: Data) -> list[Line]:
    """The faces, then the hands."""
    faces = [
        Line(f"face {p}", x, y, color=_style.FACE)
        for p, x, y in zip(data.positions, data.face_x, data.face_y, strict=True)
    ]
    hands = [
        Line(f"hand {p}", x, y, color=_style.PAPER_BASE)
        for p, x, y in zip(data.positions, data.hand_x, data.hand_y, strict=True)
    ]
    return faces + hands


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each wave."""
    return {"position": data.fine, "sine": data.sine, "cosine": data.cosine}


def static(data: Data) -> Figure:
    """The waves above, the clocks below, in one plane."""
    figure, ax = _style.canvas(height=2.4)
    plot(ax, waves(data), size=4)
    for line in waves(data)[:2]:
        place = {"textcoords": "offset points", "va": "center", "color": _style.SERIES[line.color]}
        ax.annotate(line.label, (line.x[-1], line.y[-1]), (6, 0), **place)
    plot(ax, clocks(data), width=1.3)
    ax.set_aspect("equal")
    ax.set(xticks=data.positions, yticks=[-1, 0, 1], xlabel="position", xlim=(-0.6, 13.9))
    ax.spines[:].set_visible(False)
    ax.grid(False)
    ax.hlines([-1, 0, 1], -0.6, 12, color=_style.GRID, linewidth=0.7, zorder=0)  # up to the names
    return figure
