"""The encoding matrix of 50 positions by 128 dimensions."""

from __future__ import annotations

from scripts.figures import _matrix
from scripts.figures._matrix import Data, interactive, static, table

__all__ = ["ALT", "CAPTION", "Data", "data", "interactive", "static", "table"]

CAPTION = """
The encoding matrix of {{ len(positional_encoding(50, 128)) : d }} positions (down) and
{{ len(encode(0, 128)) : d }} dimensions (across). On the left the values change with every
position; towards the right a column changes ever more slowly
{{ check: min(wavelengths(128)[1:] - wavelengths(128)[:-1]) > 0 and
max(abs(positional_encoding(50, 128)[:, -2])) < 0.01 }},
until it looks like the plain
stripes of $\\sin 0 = 0$ and $\\cos 0 = 1$.
"""
ALT = """
Heatmap of the encoding matrix, {{ len(positional_encoding(50, 128)) : d }} positions by
{{ len(encode(0, 128)) : d }} dimensions. The first pair of columns repeats every
{{ wavelengths(128)[0] : .2f }} positions, the tenth every {{ wavelengths(128)[9] : .1f }};
the last pair, with a wavelength of {{ wavelengths(128)[-1] : ,.0f }} positions, hardly changes.
"""


def data() -> Data:
    """The numbers of the figure."""
    return _matrix.data(50, 128)
