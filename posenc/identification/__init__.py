"""Find what made a table of positions: `identify` and its answers."""

from posenc.identification._answer import Identification, Match, NearMiss
from posenc.identification._identify import identify
from posenc.identification._words import Finding
from posenc.rotary._caches import AxialCache, RotaryCache

__all__ = [
    "AxialCache",
    "Finding",
    "Identification",
    "Match",
    "NearMiss",
    "RotaryCache",
    "identify",
]
