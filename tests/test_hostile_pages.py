"""A small sample of `make fuzz`; the tests of each page have the cases that once broke it."""

import pytest

from tests import fuzz

pytestmark = pytest.mark.browser

SEED = 2026


def test_a_sample_of_hostile_cases_is_answered_or_refused(visit):
    visited = visit("404.html")
    for name, kind in fuzz.KINDS.items():
        result = fuzz.examine(visited, name, SEED, range(8 if kind.function else 1))
        assert result.wrong == [], name
        assert result.answered + result.refused, name
