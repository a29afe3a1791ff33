"""The errors of tests/data/planted/ can still be planted; tests/planted.py plants them."""

import shlex

import pytest

from scripts.files import ROOT
from tests import planted

NUMBERED = [pytest.param(error, id=f"{n}-{error.kind}") for n, error in planted.numbered().items()]


@pytest.mark.parametrize("error", NUMBERED)
def test_an_error_has_places_that_exist_once_and_a_check_or_a_reason_why_there_is_none(error):
    for file, old, new in error.changes:
        assert (ROOT / file).read_text("utf-8").count(old) == 1, (file, old)
        assert new != old
    assert error.what.endswith(".")
    assert bool(error.check) != bool(error.beyond)
    if error.check:
        tool, *arguments = shlex.split(error.check)
        assert tool in planted.COMMANDS
        for selection in (text for text in arguments if text.startswith(("tests/", "posenc/"))):
            file, _, name = selection.partition("::")
            code = (ROOT / file).read_text("utf-8")
            assert f"def {name.partition('[')[0]}(" in code or not name


def test_no_error_is_planted_twice():
    places = [tuple(error.changes) for error in planted.numbered().values()]
    assert len(set(places)) == len(places)


def test_a_sample_is_some_of_the_errors_in_their_order_and_another_seed_chooses_others():
    one, other = (list(planted.sample(planted.numbered(), 40, seed)) for seed in (1, 2))
    assert len(set(one)) == 40
    assert one == sorted(one) != other
    assert planted.sample(planted.numbered(), 1000, 1) == planted.numbered()
