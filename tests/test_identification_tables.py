"""`identify` names what generated tables are, and says nothing false about others."""

from __future__ import annotations

import pytest

from tests.identification_judge import faults
from tests.identification_tables import known, others

COUNT = 2210  # tables of each kind; `make bench` looks at all of them
PARTS, EVERY = 10, 5
MAKE = {"known": known, "other": others}


def wrong(kind, seeds):
    """The tables of these seeds with an answer that is wrong or lacks something."""
    made = [(seed, MAKE[kind](seed)) for seed in seeds]
    return {(seed, one.family): found for seed, one in made if (found := faults(one))}


@pytest.mark.parametrize(("kind", "count"), [("known", 60), ("other", 16)])
def test_some_tables_of_each_family_get_true_answers(kind, count):
    assert wrong(kind, range(count)) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", MAKE)
def test_a_fifth_of_all_tables_gets_true_answers(kind, part):
    assert wrong(kind, range(part * EVERY, COUNT, PARTS * EVERY)) == {}
