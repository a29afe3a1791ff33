"""Dials with a query and a key as arrows, turned to their positions, and the wedge between them.

The first feature of a pair points up, the second to the right, so RoPE turns clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from scripts.figures import _clocks, _style
from scripts.figures._lines import Line, plot

QUERY, KEY, WEDGE = 0, 1, 2  # colours


@dataclass(frozen=True)
class Data:
    """One dial for each pair of arrows."""

    columns: np.ndarray  # (dials,) where they stand
    products: np.ndarray  # (dials,) of query and key
    face_x: np.ndarray  # (dials, 61)
    face_y: np.ndarray
    wedge_x: np.ndarray  # (dials, 23)
    wedge_y: np.ndarray
    query_x: np.ndarray  # (dials, 5)
    query_y: np.ndarray
    key_x: np.ndarray
    key_y: np.ndarray


def dials(columns: np.ndarray, queries: np.ndarray, keys: np.ndarray) -> dict[str, np.ndarray]:
    """The fields of `Data`, from pairs of turned features, both of shape `(dials, 2)`."""
    query, key = (np.arctan2(pairs[:, 1], pairs[:, 0]) for pairs in (queries, keys))
    between = np.pi - (key - query + np.pi) % (2 * np.pi)  # from the key, the shorter way round
    lengths = (np.hypot(*pairs.T) for pairs in (queries, keys))
    made = {
        "face": [_clocks.face(x, 0) for x in columns],
        "wedge": [
            _clocks.wedge(x, 0, start, start + turn, points=21)
            for x, start, turn in zip(columns, key, between, strict=True)
        ],
    }
    for name, angles, reach in zip(("query", "key"), (query, key), lengths, strict=True):
        given = zip(columns, angles, reach, strict=True)
        made[name] = [_clocks.arrow(x, 0, angle, length=length) for x, angle, length in given]
    outlines = {
        f"{name}_{letter}": np.array([outline[axis] for outline in drawn])
        for name, drawn in made.items()
        for axis, letter in enumerate("xy")
    }
    return {"columns": columns, "products": (queries * keys).sum(axis=1), **outlines}


def lines(data: Data, names: list[str]) -> list[Line]:
    """Face, wedge, query and key of each dial."""
    made = []
    for k, name in enumerate(names):
        for part, color in {
            "face": _style.FACE,
            "wedge": WEDGE,
            "query": QUERY,
            "key": KEY,
        }.items():
            x, y = getattr(data, f"{part}_x")[k], getattr(data, f"{part}_y")[k]
            made.append(Line(f"{part}, {name}", x, y, color=color))
    return made


def draw(ax: Axes, drawn: list[Line]) -> tuple[list[Polygon], list[Line2D]]:
    """The dials in Matplotlib: the shades of the wedges, and the lines without the faces."""
    color = _style.SERIES[WEDGE]
    wedges = [one for one in drawn if one.color == WEDGE]
    shades = [ax.fill(one.x, one.y, fc=color, ec="none", alpha=0.3)[0] for one in wedges]
    made = plot(ax, drawn)
    for line, one in zip(made, drawn, strict=True):
        line.set_linewidth({_style.FACE: 1.2, WEDGE: 1.4}.get(one.color, 2))
    _clocks.bare(ax)
    ax.set(ylim=(-1.15, 1.15))
    return shades, [line for line, one in zip(made, drawn, strict=True) if one.color != _style.FACE]


def above(ax: Axes, x: float, words: str) -> None:
    """Words above a dial, each line for itself: the browser's letters have other widths."""
    for k, line in enumerate(reversed(words.split("\n"))):
        place: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
        ax.annotate(line, (x, 1.3), (0, 13 * k), ha="center", va="bottom", **place)
