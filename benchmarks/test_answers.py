"""Counts the wrong answers of `identify` and of `check` about generated tables and programs."""

from __future__ import annotations

import pytest

from tests import test_check
from tests.test_identification_tables import COUNT, wrong


@pytest.mark.parametrize("kind", ["known", "other"])
def test_answers(measured, kind):
    measured[f"answers of identify about {kind} tables that are wrong"] = len(
        wrong(kind, range(COUNT))
    )


@pytest.mark.parametrize("kind", ["not_named", "called_wrong"])
def test_verdicts(measured, kind):
    found = getattr(test_check, kind)(range(test_check.COUNT))
    measured[f"verdicts of check: {kind.replace('_', ' ')}, of {test_check.COUNT}"] = len(found)
