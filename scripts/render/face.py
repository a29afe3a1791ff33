"""The face of the site, cut from the matrix: its logo, its stripes and the picture of Home.

The logo shows where the sines of the fastest pairs are negative, position downward and pair to
the right. Each page has its place in the book as a stripe under the header: the sines of the
vector of that position. The edge of a fold is a column. Home has the matrix itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import numpy as np
from PIL import Image

import posenc
from scripts.figures import _style
from scripts.render import packed

LENGTH, D_MODEL = 50, 128  # the matrix on Home
STRIPES = 64  # pages that can have a stripe
_BANDS = ((0.5, 1.0), (1.5, 0.72), (2.5, 0.45))  # turns before the sine is negative; colour
GROUND = mpl.colors.to_hex(mpl.colormaps["viridis"](0.13))


def files() -> dict[str, bytes]:
    """The files of docs/assets/face/, by name."""
    return {
        "logo.svg": logo(),
        "column.png": column(),
        "matrix.png": matrix(),
        "stripes.png": stripes(),
    }


def logo() -> bytes:
    """Three bands in a square, as an SVG: where the sine of each of 17 pairs is negative."""
    bands = ""
    for colour, outline in areas():
        points = " ".join(f"{across:g} {min(down, 72):.1f}" for across, down in outline)
        bands += f'<path fill="{colour}" d="M{points}z"/>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        '<clipPath id="tile"><rect width="64" height="64" rx="12"/></clipPath>'
        f'<g clip-path="url(#tile)"><path fill="{GROUND}" d="M0 0h64v64H0z"/>'
        f"{bands}</g></svg>\n"
    ).encode()


def areas() -> Iterator[tuple[str, np.ndarray]]:
    """The colour and the outline of each band, in a square of 64 by 64 from the top left."""
    wavelengths = posenc.wavelengths(34, base=6)  # (17,)
    x = np.linspace(0, 64, len(wavelengths))
    for turns, shade in _BANDS:
        above, below = (64 * part * wavelengths / 24 for part in (turns, turns + 0.5))
        yield _colour(shade), np.array([np.r_[x, x[::-1]], np.r_[above, below[::-1]]]).T


def stripes() -> bytes:
    """The sines of the positions 0 to 63 as a PNG, one row of pixels for each."""
    return _png(posenc.positional_encoding(STRIPES, D_MODEL)[:, ::2])


def column() -> bytes:
    """The sines of one pair as a PNG: 63 positions, which are one turn of pair 16."""
    turn = round(posenc.wavelengths(D_MODEL)[16])
    return _png(posenc.positional_encoding(turn, D_MODEL)[:, 32:33])


def matrix() -> bytes:
    """The matrix on Home as a PNG, one pixel for each value."""
    return _png(posenc.positional_encoding(LENGTH, D_MODEL))


def _png(values: np.ndarray) -> bytes:
    """Values from -1 to 1 in the colours of the heatmaps."""
    levels = np.minimum((values + 1) * 128, 255).astype(np.uint8)  # as Matplotlib maps them
    used, index = np.unique(levels, return_inverse=True)
    picture = Image.fromarray(index.reshape(levels.shape).astype(np.uint8))
    colours = _style.SIGNED(used, bytes=True)
    picture.putpalette(colours[:, :3].tobytes(), "RGB")
    return packed.png(picture, transparency=colours[:, 3].tobytes())


def _colour(shade: float) -> str:
    return mpl.colors.to_hex(mpl.colormaps["viridis"](shade))
