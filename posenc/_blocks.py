"""Rows of consecutive positions in blocks of 192: one rotation takes a block to the next.

Position `192 a + b` is position `b` rotated by `192 a` (the shift property), so only one row
in 192 needs new sines. Blocks start at multiples of 192 whatever the first position is, so a
row has the same bits in every table (docs/decisions/0003-rows-in-blocks-of-192.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from posenc._phase import ComplexArray, FloatArray, Frequencies, sine_and_cosine, within_one

BLOCK = 192  # rows; shorter blocks need more sines, longer ones more memory
PART = 64  # rows of a block in scratch memory; must divide BLOCK
WIDE = 1 << 12  # pairs: the first block of a wider table has more than 12 MB and is not kept


def blocks(
    start: int, length: int, frequency: Frequencies, out: ComplexArray | None = None
) -> Iterator[tuple[slice, ComplexArray]]:
    """`sin + 1j * cos` of positions `start` to `start + length - 1`, block after block.

    Yields rows of the table that lie in one block, and their values `(rows, pairs)`, which
    may exceed 1 by a rounding. The values lie in `out` `(length, pairs)`, or else in scratch
    memory that the next part overwrites.
    """
    stop = start + length
    skipped, within = _in_the_first_block(start % BLOCK, length, frequency)
    turns = _turns(range(start - start % BLOCK, stop, BLOCK), frequency)
    scratch = np.empty((PART, within.shape[1]), np.complex128)
    step = PART if out is None else BLOCK
    for top in range(start - start % step, stop, step):
        first = top - top % BLOCK
        low, high = max(top, start), min(top + step, stop)
        rows = slice(low - start, high - start)
        pairs = scratch[: high - low] if out is None else out[rows]
        here = within[low - first - skipped : high - first - skipped]
        if here.size == 1:  # NumPy may round the product of a single number differently
            pairs[:] = (np.repeat(here, 2, axis=0) * turns[first])[:1]
        else:
            np.multiply(here, turns[first], out=pairs)
        yield rows, pairs


def rows_at(positions: FloatArray, frequency: Frequencies) -> ComplexArray:
    """`sin + 1j * cos` of each position (n,), shape `(n, pairs)`; fast if they count up by 1."""
    length = len(positions)
    first = float(positions[0]) if length > 1 else np.inf
    counts = first.is_integer() and abs(first) + length <= 2**53  # larger sums would be rounded
    if not (counts and np.array_equal(positions, first + np.arange(length))):
        return sine_and_cosine(positions, frequency)
    out = np.empty((length, len(frequency.high)), np.complex128)
    with np.errstate(under="ignore"):
        for _, pairs in blocks(int(first), length, frequency, out):
            within_one(pairs)
    return out


def _turns(firsts: range, frequency: Frequencies) -> dict[int, ComplexArray | complex]:
    """The factor `exp(-1j * first * w)` that turns the block at 0 to the one at `first`."""
    away = [first for first in firsts if first]
    turns: dict[int, ComplexArray | complex] = {0: 1.0}
    if away:
        heads = sine_and_cosine(np.array(away, np.float64), frequency)
        heads *= -1j
        turns.update(zip(away, heads, strict=True))
    return turns


def _in_the_first_block(low: int, length: int, frequency: Frequencies) -> tuple[int, ComplexArray]:
    """Rows of the first block, and how many before them are left out.

    A wide table within one block, which begins `low` rows after its start, needs only `length`.
    """
    if len(frequency.high) <= WIDE:
        return 0, _first_block(frequency)
    low, high = (low, low + length) if low + length <= BLOCK else (0, BLOCK)
    return low, sine_and_cosine(np.arange(low, high, dtype=np.float64), frequency)


@lru_cache(maxsize=8)
def _first_block(frequency: Frequencies) -> ComplexArray:
    """`sin + 1j * cos` of positions 0 to BLOCK - 1, shape `(BLOCK, pairs)`."""
    block = sine_and_cosine(np.arange(BLOCK, dtype=np.float64), frequency)
    block.flags.writeable = False
    return block
