"""Dials: the outlines of faces, hands, arcs and wedges, and axes to draw them on.

Angles are in radians, clockwise from the top, as the hands of the course turn: the sine of an angle
is the reach to the right, the cosine the height. The outlines are arrays of points for
`_lines.Line`, so that both renderings draw the same.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

Outline = tuple[np.ndarray, np.ndarray]  # x and y of the points
Place = float | np.ndarray  # a column of centres gives a row of points for each
POINTS = 61  # along a whole turn: chords leave the circle by 1/700 of its radius


def arc(
    x: Place, y: Place, start: float, end: float, *, radius: float = 1.0, points: int = POINTS
) -> Outline:
    """The arc of a dial with its centre at `x`, `y`, from the angle `start` to `end`.

    >>> across, up = arc(2, 0, 0, np.pi / 2)
    >>> across[[0, -1]].round(9), up[[0, -1]].round(9)
    (array([2., 3.]), array([1., 0.]))
    """
    angles = np.linspace(start, end, points)
    return x + radius * np.sin(angles), y + radius * np.cos(angles)


def face(x: Place, y: Place, *, radius: float = 1.0) -> Outline:
    """The whole circle of a dial."""
    return arc(x, y, 0, 2 * np.pi, radius=radius)


def hand(x: float, y: float, angle: float, *, length: float = 1.0) -> Outline:
    """The hand of a dial, from its centre to its tip.

    >>> across, up = hand(0, 0, np.pi / 2)
    >>> across.round(9), up.round(9)
    (array([0., 1.]), array([0., 0.]))
    """
    return np.array([x, x + length * np.sin(angle)]), np.array([y, y + length * np.cos(angle)])


def arrow(x: float, y: float, angle: float, *, length: float = 1.0) -> Outline:
    """A hand with a head: centre, tip, one barb, tip, the other barb.

    >>> across, up = arrow(0, 0, 0)
    >>> across.round(2), up.round(2)
    (array([ 0.  ,  0.  , -0.11,  0.  ,  0.11]), array([0.  , 1.  , 0.79, 1.  , 0.79]))
    """
    turns = np.array([0, angle, angle - 0.14, angle, angle + 0.14])
    reach = length * np.array([0, 1, 0.8, 1, 0.8])
    return x + reach * np.sin(turns), y + reach * np.cos(turns)


def wedge(
    x: float, y: float, start: float, end: float, *, radius: float = 0.5, points: int = POINTS
) -> Outline:
    """The outline of the sector between two hands: centre, arc, and back to the centre."""
    across, up = arc(x, y, start, end, radius=radius, points=points)
    return np.array([x, *across, x]), np.array([y, *up, y])


def reached(
    x: float, y: float, met: float, end: float, *, points: int = POINTS
) -> dict[str, Outline]:
    """The arcs of a dial: those met up to the angle `met`, and the new ones up to `end`, if any.

    >>> list(reached(0, 0, 1, 2)), list(reached(0, 0, 1, 0.5)), list(reached(0, 0, 7, 9))
    (['met', 'new'], ['met'], ['met'])
    """
    turn = 2 * np.pi
    arcs = {"met": arc(x, y, 0, min(met, turn), points=points)}
    if met < turn and end > met * (1 + 1e-9):
        arcs["new"] = arc(x, y, met, min(end, turn), points=points)
    return arcs


def bare(ax: Axes) -> None:
    """Axes on which circles are round, without ticks and frame."""
    ax.set_aspect("equal")
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.grid(False)
