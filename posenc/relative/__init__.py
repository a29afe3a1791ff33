"""Other schemes of relative positions: ALiBi, T5, DeBERTa, Swin; and diffusion time steps.

None of these belongs to the paper's encoding; they are here for comparison with it, as
libraries compute them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.conventions import Convention, IntArray, Order

__all__ = [
    "alibi_slopes",
    "deberta_buckets",
    "swin_coordinates",
    "swin_indices",
    "t5_buckets",
    "time_steps",
]
_NEAR = 1e-9  # a logarithm that should be a whole number may miss it by rounding


def alibi_slopes(heads: int) -> FloatArray:
    """Slope of each head's penalty per position of distance, shape `(heads,)`.

    A power of two H has slopes `2 ** (-8 h / H)`, h = 1 .. H (Press et al. 2022, section 3).
    Any other number takes those of the next lower power of two H, then every second one of
    2H, as the authors' code does.

    Raises TypeError or ValueError if `heads` is not a positive integer.

    >>> np.log2(alibi_slopes(12))
    array([-1. , -2. , -3. , -4. , -5. , -6. , -7. , -8. , -0.5, -1.5, -2.5,
           -3.5])
    """
    heads = _arguments.integer("heads", heads, least=1)
    whole = 2 ** (heads.bit_length() - 1)
    exponents = np.concatenate(
        [
            8 / whole * np.arange(1, whole + 1),
            4 / whole * np.arange(1, 2 * (heads - whole), 2),
        ]
    )
    slopes: FloatArray = 2.0**-exponents
    return slopes


def t5_buckets(
    offset: npt.ArrayLike,
    *,
    buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
) -> IntArray:
    """Bucket of each `offset` (key position minus query position), in the shape of `offset`.

    The encoder's buckets are `bidirectional`: a later key takes the upper half of them. The
    decoder's are not: all later keys share bucket 0. The nearest distances have a bucket each;
    from half of a side's buckets on, their width grows in proportion to the distance, and the
    last bucket holds everything from about `max_distance` on (Raffel et al. 2020, section 2.1).

    Raises TypeError if `offset` holds no integers or an option is of another type, ValueError
    if `buckets` is not a positive multiple of 4 (of 2 if not `bidirectional`), or if
    `max_distance` is not more than half of a side's buckets.

    >>> t5_buckets([-128, -20, -1, 0, 1, 20, 128])
    array([15, 10,  1,  0, 17, 26, 31])
    >>> t5_buckets([-128, -20, -1, 0, 1], bidirectional=False)
    array([31, 17,  1,  0,  0])
    """
    distance = -_integers("offset", offset)
    both = _arguments.flag("bidirectional", bidirectional)
    side = _even("buckets", buckets, 4 if both else 2) // (2 if both else 1)
    exact = side // 2
    furthest = _arguments.integer("max_distance", max_distance, least=exact + 1)
    far = np.abs(distance) if both else np.maximum(distance, 0)
    shares = np.log(np.maximum(far, exact) / exact) / np.log(furthest / exact)
    rough = exact + np.floor(shares * (side - exact) + _NEAR).astype(np.intp)
    found = np.where(far < exact, far, np.minimum(rough, side - 1))
    return found + side * (distance < 0) if both else found


def deberta_buckets(
    offset: npt.ArrayLike, *, buckets: int = 256, max_distance: int = 512
) -> IntArray:
    """Signed bucket of each `offset` (query position minus key position), in its shape.

    Offsets up to half of `buckets` keep their value; beyond, buckets widen in proportion to
    the distance, and `max_distance - 1` has the bucket `buckets - 1` (DeBERTa-v2 and v3 in
    transformers, `make_log_bucket_position`).

    Raises TypeError if `offset` holds no integers, ValueError if `buckets` is not a multiple of
    2 of at least 4, or `max_distance` not at least 2 more than its half.

    >>> deberta_buckets([-511, -128, -5, 0, 5, 128, 129, 511])
    array([-255, -128,   -5,    0,    5,  128,  129,  255])
    """
    distance = _integers("offset", offset)
    middle = _even("buckets", buckets, 2, least=4) // 2
    furthest = _arguments.integer("max_distance", max_distance, least=middle + 2) - 1
    far = np.maximum(np.abs(distance), middle)
    shares = np.log(far / middle) / np.log(furthest / middle)
    rough = middle + np.ceil(shares * (middle - 1) - _NEAR).astype(np.intp)
    return np.where(np.abs(distance) <= middle, distance, np.sign(distance) * rough)


def swin_indices(height: int, width: int) -> IntArray:
    """Row of the bias table for each pair of points of a window, `(points, points)`.

    The table has `(2 height - 1) * (2 width - 1)` rows, one for each offset (y, x) between two
    points, listed from the most negative on (Liu et al. 2021, section 3.2).

    Raises TypeError or ValueError if `height` or `width` is not a positive integer.

    >>> swin_indices(1, 3)
    array([[2, 1, 0],
           [3, 2, 1],
           [4, 3, 2]])
    """
    height, width = _window(height, width)
    y, x = np.divmod(np.arange(height * width), width)
    rows = np.subtract.outer(y, y) + height - 1
    return rows * (2 * width - 1) + np.subtract.outer(x, x) + width - 1


def swin_coordinates(
    height: int, width: int, *, trained: tuple[int, int] | None = None
) -> FloatArray:
    """Log-spaced offsets (y, x) between points of a window, `(2 height - 1, 2 width - 1, 2)`.

    Offsets are scaled to ±8 at the edge of the window that the model was `trained` with (by
    default this one), then `sign(x) * log2(1 + abs(x)) / 3`, so that the edge lies at about
    ±1.06 (Swin V2: Liu et al. 2022, section 3.3, and the authors' code).

    Raises TypeError or ValueError if `height`, `width` or a part of `trained` is not an integer
    of at least 2.

    >>> swin_coordinates(2, 2)[0].round(4)
    array([[-1.0566, -1.0566],
           [-1.0566,  0.    ],
           [-1.0566,  1.0566]])
    """
    height, width = _window(height, width, least=2)
    edges = (height, width) if trained is None else trained
    if not isinstance(edges, (tuple, list)) or len(edges) != 2:
        raise TypeError(f"trained must be (height, width), got {_arguments.shown(trained)}")
    spans = [_arguments.integer("trained", edge, least=2) - 1 for edge in edges]
    y = 8 * np.arange(1 - height, height) / spans[0]
    x = 8 * np.arange(1 - width, width) / spans[1]
    offsets = np.stack(np.meshgrid(y, x, indexing="ij"), axis=-1)
    coordinates: FloatArray = np.sign(offsets) * np.log2(1 + np.abs(offsets)) / 3
    return coordinates


def time_steps(
    steps: npt.ArrayLike,
    d_model: int,
    *,
    order: Order = "cos_first",
    freq_shift: float = 0.0,
    scale: float = 1.0,
    base: float = 10_000.0,
    dtype: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Encoding of diffusion time steps of shape `(...)`, as shape `(..., d_model)`.

    In halves, with the angles `scale * t * base ** (-i / (d_model / 2 - freq_shift))`; an odd
    width ends with a column of zeros. The defaults are Stable Diffusion's; DDPM has sines first
    and `freq_shift` 1 (Ho et al. 2020; diffusers, `get_timestep_embedding`).

    Raises as `posenc.Convention.encode` does.

    >>> time_steps([0, 999], 4).round(4)
    array([[ 1.    ,  1.    ,  0.    ,  0.    ],
           [ 0.9996, -0.8445, -0.0265, -0.5356]])
    """
    kind = Convention(
        arrangement="halves",
        order=order,
        freq_shift=freq_shift,
        angle_scale=scale,
        base=base,
        odd="pad",
    )
    return kind.encode(steps, d_model, dtype=dtype)


def _integers(name: str, values: npt.ArrayLike) -> IntArray:
    _arguments.reals(name, values)  # refuses integers beyond 2**53
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold integers, got dtype {array.dtype}")
    return array.astype(np.intp)


def _even(name: str, value: object, divisor: int, *, least: int = 2) -> int:
    number = _arguments.integer(name, value, least=least)
    if number % divisor:
        raise ValueError(f"{name} must be a multiple of {divisor}, got {number}")
    return number


def _window(height: object, width: object, *, least: int = 1) -> tuple[int, int]:
    number = _arguments.integer("height", height, least=least)
    return number, _arguments.integer("width", width, least=least)
