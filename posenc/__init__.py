"""Sinusoidal positional encoding (Vaswani et al. 2017, section 3.5), exact and fast.

One notation throughout: `position` p is any real number, `d_model` d the even width,
`i` counts the pairs (0 <= i < d/2), `base` n is the geometric progression's base
(10000 in the paper), `start` the first position of a table and `offset` k the distance
between two positions. Column 2i holds sin(p * w_i) and column 2i + 1 holds cos(p * w_i),
where w_i = n ** (-2i / d).

Begin with `positional_encoding`. The other functions of the paper's encoding follow, then
low precision, then the encodings of libraries (`Convention`, `Grid`), which have the same
methods. `Rotary` rotates queries and keys by the same clocks, with the scalings of
`posenc.rotary`. `posenc.relative` holds other schemes of relative positions. `identify` names what
made a table, and `check` what is wrong with another program.
"""

from posenc import relative as relative
from posenc.checking import Verdict, check
from posenc.conventions import Convention
from posenc.conversion import column_order, convert, rotary_row_order
from posenc.encoding import encode, frequencies, positional_encoding, wavelengths
from posenc.geometry import distance, shift_matrix, similarity
from posenc.grids import Grid
from posenc.identification import (
    AxialCache,
    Finding,
    Identification,
    Match,
    NearMiss,
    RotaryCache,
    identify,
)
from posenc.libraries import CONVENTIONS, conventions_like
from posenc.library_grids import GRIDS, grid_encoding
from posenc.precision import distinct_rows, encode_low, precision_error
from posenc.rotary import Rotary
from posenc.steps import time_steps

__all__ = [  # noqa: RUF022 - the paper's core comes first
    "positional_encoding",
    "encode",
    "frequencies",
    "wavelengths",
    "shift_matrix",
    "similarity",
    "distance",
    "encode_low",
    "precision_error",
    "distinct_rows",
    "Convention",
    "CONVENTIONS",
    "conventions_like",
    "time_steps",
    "Grid",
    "GRIDS",
    "grid_encoding",
    "convert",
    "column_order",
    "rotary_row_order",
    "Rotary",
    "identify",
    "Identification",
    "Match",
    "NearMiss",
    "Finding",
    "RotaryCache",
    "AxialCache",
    "check",
    "Verdict",
]
__version__ = "0.2.0"
