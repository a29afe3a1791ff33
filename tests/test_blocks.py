"""Blocks of rows, and the exact phases that they start from."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from posenc import Rotary, encode, positional_encoding
from posenc._blocks import WIDE
from posenc.rotary import Linear


def test_a_position_has_the_same_bits_beside_a_distant_one():
    positions = np.linspace(-(2.0**34), 2.0**34, 9999)
    beside = encode([*positions, 2.0**40], 64)[:-1]
    near = np.abs(positions) <= 2.0**24
    assert encode(positions, 64).tobytes() == beside.tobytes()
    assert encode(positions[near], 64).tobytes() == beside[near].tobytes()


@pytest.mark.parametrize(("start", "length"), [(0, 2), (5, 1), (1000, 40), (150, 100), (192, 0)])
def test_a_wide_row_has_the_same_bits_in_every_table(start, length):
    wide = 2 * WIDE + 2
    table = positional_encoding(start % 192 + length, wide, start=start - start % 192)
    part = positional_encoding(length, wide, start=start)
    assert part.tobytes() == table[start % 192 :].tobytes()


def test_no_block_of_a_wide_table_is_made_or_kept():
    tracemalloc.start()
    positional_encoding(1, 8 * WIDE, start=3)
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 30e6  # the block would have 50 MB
    assert kept < 5e6  # frequencies


def test_a_rotary_value_that_rounds_past_1_is_clipped():
    for position in range(193, 217):
        for quarters in range(1, 6):  # at `position` a part of the pair is 1 or nearly so
            rotary = Rotary(2, scaling=Linear(position / (quarters * np.pi / 2)))
            assert np.abs(rotary.cosine_sine([position, position + 1])).max() <= 1
