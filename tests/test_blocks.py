"""Blocks of rows, and the exact phases that they start from."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import Convention, encode, positional_encoding


def test_the_first_block_has_the_bits_of_encode():
    table, exact = positional_encoding(384, 64), encode(range(384), 64)
    assert table[:192].tobytes() == exact[:192].tobytes()
    assert not np.array_equal(table[192:], exact[192:])


def test_a_position_has_the_same_bits_beside_a_distant_one():
    positions = np.linspace(-(2.0**34), 2.0**34, 9999)
    beside = encode([*positions, 2.0**40], 64)[:-1]
    near = np.abs(positions) <= 2.0**24
    assert encode(positions, 64).tobytes() == beside.tobytes()
    assert encode(positions[near], 64).tobytes() == beside[near].tobytes()


@pytest.mark.parametrize("arrangement", ["interleaved", "halves"])
def test_a_value_that_rounds_past_1_is_clipped(arrangement):
    for position in range(193, 288):
        for quarters in range(1, 21):  # at `position` a part of the pair is 1 or nearly so
            scale = quarters * np.pi / 2 / position
            kind = Convention(arrangement=arrangement, angle_scale=scale)
            assert np.abs(kind.table(1, 2, start=position)).max() <= 1
