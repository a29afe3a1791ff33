"""What each figure must show, computed by tests/oracle.py alone: one module a figure.

Each has `expected()`, which gives an Expected:
`fields` are those of the figure's Data; `lines` and `images` what both renderings draw, in order;
`texts`, where there are any, the values that the static one writes on its image.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests import oracle


@dataclass(frozen=True)
class Expected:
    """The arrays of a figure."""

    fields: dict[str, Any]
    lines: list[tuple[str, Any, Any]] = field(default_factory=list)  # label, x, y
    images: list[Any] = field(default_factory=list)  # heatmaps and surfaces
    texts: list[str] = field(default_factory=list)  # on the cells of a heatmap


def floats(exact: Any) -> np.ndarray:
    """The float64 nearest to each exact number."""
    return np.asarray(exact).astype(np.float64)


def matrix(length: int, d_model: int, *, base: float = 10_000) -> Expected:
    """A heatmap of the encoding matrix."""
    values = floats(oracle.positional_encoding(length, d_model, base=base))
    return Expected(
        fields={
            "positions": list(range(length)),
            "dimensions": list(range(d_model)),
            "values": values,
            "pairs": [j // 2 for j in range(d_model)],
            "wavelengths": [
                float(oracle.wavelengths(d_model, base=base)[j // 2]) for j in range(d_model)
            ],
        },
        images=[values],
    )
