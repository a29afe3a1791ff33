"""The errors of tests/data/planted/ can still be planted; tests/planted.py plants them."""

import shlex

from scripts.files import ROOT
from tests import planted


def test_an_error_has_places_that_exist_once_and_a_check_or_a_reason_why_there_is_none():
    errors = planted.numbered().values()
    assert len({tuple(error.changes) for error in errors}) == len(errors)
    for error in errors:
        for file, old, new in error.changes:
            assert (ROOT / file).read_text("utf-8").count(old) == 1, (file, old)
            assert new != old
        assert bool(error.check) != bool(error.beyond)
        tool, *arguments = shlex.split(error.check or "build")
        assert tool in planted.COMMANDS
        for selection in (text for text in arguments if text.startswith(("tests/", "posenc/"))):
            file, _, name = selection.partition("::")
            code = (ROOT / file).read_text("utf-8")
            assert not name or f"def {name.partition('[')[0]}(" in code, selection
