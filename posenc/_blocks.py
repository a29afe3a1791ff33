"""Rows of consecutive positions in blocks of 96: one rotation takes a block to the next.

Position `96 a + b` is position `b` rotated by `96 a` (the shift property), so only one row
in 96 needs new sines. Blocks start at multiples of 96 whatever the first position is, so a
row has the same bits in every table (docs/decisions/0003-rows-in-blocks-of-96.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from posenc._phase import ComplexArray, Frequencies, sine_and_cosine, within_one

BLOCK = 96  # rows; a block stays in the cache, as measured by `make bench`


def blocks(
    start: int, length: int, frequency: Frequencies, out: ComplexArray | None = None
) -> Iterator[tuple[slice, ComplexArray]]:
    """`sin + 1j * cos` of positions `start` to `start + length - 1`, block after block.

    Yields the rows of the table that a block covers, and their values `(rows, pairs)`. The
    values lie in `out` `(length, pairs)`, or else in scratch memory that the next block
    overwrites.
    """
    stop = start + length
    firsts = range(start - start % BLOCK, stop, BLOCK)
    heads = sine_and_cosine(np.array(firsts, np.float64), frequency)
    within = _rotations_within_a_block(frequency)
    scratch = np.empty((min(BLOCK, length), within.shape[1] if out is None else 0), np.complex128)
    for first, head in zip(firsts, heads, strict=True):
        low, high = max(first, start), min(first + BLOCK, stop)
        rows = slice(low - start, high - start)
        pairs = scratch[: high - low] if out is None else out[rows]
        np.multiply(within[low - first : high - first], head, out=pairs)
        within_one(pairs)
        yield rows, pairs


@lru_cache(maxsize=8)
def _rotations_within_a_block(frequency: Frequencies) -> ComplexArray:
    """`exp(-1j * b * w)` for b = 0 .. BLOCK - 1, shape `(BLOCK, pairs)`."""
    rotations: ComplexArray = -1j * sine_and_cosine(np.arange(BLOCK, dtype=np.float64), frequency)
    rotations.flags.writeable = False
    return rotations
