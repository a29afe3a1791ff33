"""Random integers that any language can repeat: xorshift with 32 bits (Marsaglia 2003)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
Draw = Callable[[int, tuple[int, ...]], IntArray]  # integers below a bound, in a shape
_SKIPPED = 16  # draws after which states that began alike have nothing in common


def xorshift(state: int) -> Draw:
    """Integers below a bound, in row-major order, from a state between 1 and 2**32 - 1.

    Each draw changes the state x by `x ^= x << 13; x ^= x >> 17; x ^= x << 5`, in 32 bits, and
    gives `floor(x * below / 2**32)`. The first 16 draws are thrown away.

    >>> xorshift(1)(16, (2, 4))
    array([[ 3, 12,  1, 15],
           [ 8, 14,  5, 13]])
    """
    if not 0 < state < 2**32:
        raise ValueError(f"state must be between 1 and 2**32 - 1, got {state}")

    def next_state() -> int:
        nonlocal state
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        return state

    def draw(below: int, shape: tuple[int, ...]) -> IntArray:
        count = int(np.prod(shape))
        drawn = (next_state() * below >> 32 for _ in range(count))
        return np.fromiter(drawn, np.int64, count).reshape(shape)

    draw(1, (_SKIPPED,))
    return draw
