"""Sinusoidal positional encoding (Vaswani et al. 2017, section 3.5), exact and fast.

One notation throughout: `position` p is any real number, `d_model` d the even width,
`i` counts the pairs (0 <= i < d/2), `base` n is the geometric progression's base
(10000 in the paper) and `offset` k the distance between two positions. Column 2i holds
sin(p * w_i) and column 2i + 1 holds cos(p * w_i), where w_i = n ** (-2i / d).
"""

from posenc.conventions import Convention
from posenc.conversion import convert
from posenc.encoding import encode, frequencies, positional_encoding, wavelengths
from posenc.geometry import distance, shift_matrix, similarity
from posenc.grids import grid_encoding
from posenc.identification import Match, identify
from posenc.libraries import CONVENTIONS
from posenc.precision import distinct_rows, encode_low, precision_error

__all__ = [
    "CONVENTIONS",
    "Convention",
    "Match",
    "convert",
    "distance",
    "distinct_rows",
    "encode",
    "encode_low",
    "frequencies",
    "grid_encoding",
    "identify",
    "positional_encoding",
    "precision_error",
    "shift_matrix",
    "similarity",
    "wavelengths",
]
__version__ = "0.1.0"
