"""`identify` names what generated tables are, and says nothing false about others."""

from __future__ import annotations

import numpy as np
import pytest

from tests.identification_judge import faults
from tests.identification_tables import known, others

COUNT = 2210  # tables of each kind; `make bench` looks at all of them
SAMPLE, PARTS, EVERY = 30, 10, 5
MAKE = {"known": known, "other": others}


def wrong(kind, seeds):
    """The tables of these seeds with an answer that is wrong or lacks something."""
    made = [(seed, MAKE[kind](seed)) for seed in seeds]
    return {(seed, one.family): found for seed, one in made if (found := faults(one))}


@pytest.mark.parametrize("kind", MAKE)
def test_a_sample_of_tables_gets_true_answers(kind):
    assert wrong(kind, range(SAMPLE)) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", MAKE)
def test_a_fifth_of_all_tables_gets_true_answers(kind, part):
    assert wrong(kind, range(part * EVERY, COUNT, PARTS * EVERY)) == {}


@pytest.mark.parametrize("kind", MAKE)
def test_a_seed_makes_the_same_table_each_time(kind):
    for seed in range(30):
        one, again = MAKE[kind](seed), MAKE[kind](seed)
        assert one.family == again.family
        for a, b in zip(*map(values, (one, again)), strict=True):
            np.testing.assert_array_equal(a, b)


def values(made):
    return made.table.values() if isinstance(made.table, dict) else [made.table]
