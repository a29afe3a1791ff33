"""Counts the wrong answers of `identify` about generated tables."""

from __future__ import annotations

import pytest

from tests.test_identification_tables import COUNT, wrong


@pytest.mark.parametrize("kind", ["known", "other"])
def test_answers(measured, kind):
    measured[f"answers of identify about {kind} tables that are wrong"] = len(
        wrong(kind, range(COUNT))
    )
