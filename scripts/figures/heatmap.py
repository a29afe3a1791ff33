"""The encoding matrix of 50 positions by 128 dimensions."""

from __future__ import annotations

from scripts.figures import _matrix
from scripts.figures._matrix import Data, interactive, static, table

__all__ = ["ALT", "CAPTION", "Data", "data", "interactive", "static", "table"]

CAPTION = """
**On the left every row differs from the next; on the right the rows look alike**
{{ check: min(abs(positional_encoding(50, 128)[1:, 0] - positional_encoding(50, 128)[:-1, 0]))
> 0.05 and max(abs(positional_encoding(50, 128)[:, -2])) < 0.01 }}.
The matrix of {{ len(positional_encoding(50, 128)) : d }} positions (down) and
{{ len(encode(0, 128)) : d }} dimensions (across). The stripes on the right are sines near
$0$ and cosines near $1$.
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
