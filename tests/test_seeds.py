"""Quantities that draw at random: a quantity and its oracle would agree on any seed."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from scripts.numbers import quantities

# Arguments, some places in the answer, and the values that the pages were written for.
DRAWN = {
    "fresh_cosines": (
        (50, 101, 768),
        [0, 49, 51, 100],
        [0.0023095107, -0.0179420396, -0.0140151414, 0.0072728589],
    ),
    "speeds": (("random", 32), [0, 1, 31], [0.9972099358, 0.9808353388, 0.0027385002]),
    "targets_found": ((64, 512, 3, 0.3), (), 41),
}


def test_every_quantity_that_draws_has_values_here():
    functions = {name: getattr(quantities, name) for name in quantities.__all__}
    drawing = {key for key, made in functions.items() if "random." in inspect.getsource(made)}
    assert drawing == set(DRAWN)


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_a_quantity_draws_the_values_that_the_pages_were_written_for(name):
    arguments, places, values = DRAWN[name]
    drawn = getattr(quantities, name)(*arguments)
    np.testing.assert_allclose(np.asarray(drawn)[places], values, rtol=0, atol=1e-9)
