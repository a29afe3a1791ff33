"""The benchmarks say so if they do not measure a claim."""

import pytest

from benchmarks.conftest import CLAIMS, Claim


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.text)
def test_a_claim_that_nothing_measured_fails_a_whole_run(claim):
    line, holds = claim.line({}, whole=True)
    assert line.endswith("not measured")
    assert not holds
    assert claim.line({}, whole=False) == (line, True)


@pytest.mark.parametrize("at_least", [False, True])
def test_a_measured_claim_holds_up_to_its_bound(at_least):
    claim = Claim("errors", lambda measured: measured["errors"], 3, at_least)
    for number, wanted in ((2, not at_least), (3, True), (4, at_least)):
        line, holds = claim.line({"errors": number}, whole=True)
        assert holds == wanted
        assert line.endswith("holds" if holds else "MISSED")
