"""The numbers of each figure, computed with tests/oracle.py and without posenc.

A function named after a figure, in one of the modules, gives its Expected. Numbers may be of any
kind: the tests round to float64 where they compare.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests import oracle

Line = tuple[str, Any, Any]  # label, x, y


@dataclass(frozen=True)
class Expected:
    """The arrays of a figure."""

    columns: dict[str, Any]  # of the CSV, by heading, in order
    lines: list[Line] = field(default_factory=list)  # in both renderings, in order
    images: list[Any] = field(default_factory=list)  # heatmaps and surfaces, in order
    texts: list[str] = field(default_factory=list)  # on the cells of a static heatmap
    others: dict[str, Any] = field(default_factory=dict)  # fields of Data that are none of these
    layout: tuple[str, ...] = ()  # fields of Data with boxes and arrows, which have their own rule


def floats(exact: Any) -> np.ndarray:
    """The float64 nearest to each exact number."""
    return np.asarray(exact).astype(np.float64)


def of_curves(head: str, x: Any, curves: dict[str, Any], *others: Line) -> Expected:
    """Lines over the same x, which are the columns of the CSV under their labels, and others."""
    lines = [(label, x, y) for label, y in curves.items()]
    return Expected({head: x, **curves}, [*lines, *others])


def numbered(name: str, matrix: Any) -> dict[str, Any]:
    """The columns of a matrix as `name 0`, `name 1`, ..."""
    return {f"{name} {j}": column for j, column in enumerate(zip(*matrix, strict=True))}


def matrix(length: int, d_model: int, *, base: float = 10_000) -> Expected:
    """A heatmap of the encoding matrix."""
    values = floats(oracle.positional_encoding(length, d_model, base=base))
    pairs, wavelengths = [j // 2 for j in range(d_model)], oracle.wavelengths(d_model, base=base)
    return Expected(
        columns={"position": range(length), **numbered("dimension", values)},
        images=[values],
        others={"pairs": pairs, "wavelengths": [wavelengths[i] for i in pairs]},
    )
