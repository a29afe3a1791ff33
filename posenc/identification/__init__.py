"""Find what made a table of positions: `identify` and its answers."""

from posenc.identification._answer import (
    AxialCache,
    Identification,
    Match,
    NearMiss,
    RotaryCache,
)
from posenc.identification._identify import identify
from posenc.identification._words import Finding

__all__ = [
    "AxialCache",
    "Finding",
    "Identification",
    "Match",
    "NearMiss",
    "RotaryCache",
    "identify",
]
