"""The benchmarks say so if they cannot find what they look for, or do not measure a claim."""

from types import SimpleNamespace

import pytest

from benchmarks.conftest import CLAIMS, Claim, is_whole
from scripts.files import ROOT


def run(*paths, keyword="", markexpr="", collectonly=False):
    """The settings of a run of pytest with these arguments."""
    option = SimpleNamespace(keyword=keyword, markexpr=markexpr, collectonly=collectonly)
    return SimpleNamespace(args=list(paths), option=option)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.text)
def test_a_claim_that_nothing_measured_fails_a_whole_run(claim):
    line, holds = claim.line({}, whole=True)
    assert line.endswith("not measured")
    assert not holds
    assert claim.line({}, whole=False) == (line, True)


def test_a_measured_claim_holds_up_to_its_bound():
    most = Claim("errors", lambda measured: measured["errors"], 2)
    least = Claim("times as fast", lambda measured: measured["fast"], 4, at_least=True)
    for number, claims in ((2, (True, False)), (4, (False, True))):
        measured = {"errors": number, "fast": number}
        for claim, holds in zip((most, least), claims, strict=True):
            line, held = claim.line(measured, whole=True)
            assert held == holds
            assert line.endswith("holds" if holds else "MISSED")


def test_a_run_is_whole_unless_a_part_is_selected(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert is_whole(run("benchmarks"))
    assert is_whole(run(str(ROOT / "benchmarks")))
    assert not is_whole(run("benchmarks/test_speed.py"))
    assert not is_whole(run("benchmarks/test_speed.py", "benchmarks/test_accuracy.py"))
    assert not is_whole(run("benchmarks", keyword="rotate"))
    assert not is_whole(run("benchmarks", markexpr="slow"))
    assert not is_whole(run("benchmarks", collectonly=True))
