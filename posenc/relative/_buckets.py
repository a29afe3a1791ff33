"""Buckets of offsets, which widen with the distance: T5 and DeBERTa."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._columns import IntArray

_NEAR = 1e-9  # a logarithm that should be a whole number may miss it by rounding


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
    from half of a side's buckets on, their width grows in proportion to the distance. The last
    bucket begins at `max_distance` or before it: by default at a distance of 91, and in the
    decoder at 113 (Raffel et al. 2020, section 2.1).

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
    beyond: IntArray = np.floor(shares * (side - exact) + _NEAR).astype(np.intp)
    found: IntArray = np.minimum(np.minimum(far, exact) + beyond, side - 1)
    return found + side * (distance < 0) if both else found


def deberta_buckets(
    offset: npt.ArrayLike, *, buckets: int = 256, max_distance: int = 512
) -> IntArray:
    """Signed bucket of each `offset` (query position minus key position), in its shape.

    Offsets up to half of `buckets` keep their value; beyond, buckets widen in proportion to
    the distance, and `max_distance - 1` has the bucket `buckets - 1`. The buckets do not stop
    there: a longer distance has a larger one (DeBERTa-v2 and v3 in transformers,
    `make_log_bucket_position`, whose attention limits them).

    Raises TypeError if `offset` holds no integers, ValueError if `buckets` is not a multiple of
    2 of at least 4, or `max_distance` not at least 2 more than its half.

    >>> deberta_buckets([-511, -128, -5, 0, 5, 128, 129, 511])
    array([-255, -128,   -5,    0,    5,  128,  129,  255])
    """
    distance = _integers("offset", offset)
    middle = _even("buckets", buckets, 2, least=4) // 2
    furthest = _arguments.integer("max_distance", max_distance, least=middle + 2) - 1
    far = np.abs(distance)
    shares = np.log(np.maximum(far, middle) / middle) / np.log(furthest / middle)
    beyond: IntArray = np.ceil(shares * (middle - 1) - _NEAR).astype(np.intp)
    found: IntArray = np.sign(distance) * (np.minimum(far, middle) + beyond)
    return found


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
