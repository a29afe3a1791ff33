"""Rotary encodings that libraries compute, reproduced to within the rounding of the libraries."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from tests import rotary_reference as reference

pytestmark = pytest.mark.filterwarnings("ignore:length must be given")  # far positions


def differences(name, spec=None):
    """How far the library is from posenc with `spec`, and how far it may be."""
    record = reference.RECORDS[name]
    spec, kind = spec or record["spec"], record["spec_kind"]
    array = reference.ARRAYS[name].astype(np.float64)
    made = np.asarray(reference.reproduced(spec, kind))
    assert made.shape == array.shape
    allowed = np.broadcast_to(reference.bound(record["spec"], kind, name), array.shape)
    return np.abs(array - made), allowed


LIBRARIES = sorted({name.partition("/")[0] for name in reference.ROTARY})


def arrays_of(library):
    """The names of the arrays that `library` made."""
    return [name for name in reference.ROTARY if name.startswith(f"{library}/")]


@pytest.mark.parametrize("library", LIBRARIES)
def test_posenc_makes_what_the_library_makes_within_its_own_rounding(library):
    further = {}
    for name in arrays_of(library):
        difference, allowed = differences(name)
        if not (difference <= allowed).all():
            worst = np.argmax(difference - allowed)
            further[name] = difference.flat[worst], allowed.flat[worst]
    assert not further, further


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_difference_is_the_one_recorded_when_the_data_were_made(library):
    """Two independent evaluations in float64 agree on the effect of the library's rounding."""
    others = {}
    for name in arrays_of(library):
        recorded = reference.RECORDS[name]["max_difference"]
        size = np.abs(reference.ARRAYS[name]).max()
        found = differences(name)[0].max()
        if not abs(found - recorded) <= 1e-3 * recorded + 1e-11 * size:
            others[name] = found, recorded
    assert not others, others


def test_the_records_that_are_no_rotary_encodings_are_of_these_kinds_only():
    others = {r["spec_kind"] for n, r in reference.RECORDS.items() if n not in reference.ROTARY}
    assert others == {"alibi", "alibi_slopes", "t5_bucket", "deberta_bucket", "permute_rows"}
    assert len(reference.RECORDS) == 422
    assert sorted(reference.RECORDS) == sorted(reference.ARRAYS)
    assert all(record["version"] for record in reference.RECORDS.values())


def wrong(spec):
    """The same options with one of them changed: the layout, the base, a factor."""
    changed = copy.deepcopy(spec)
    if "layout" in spec:
        other = {"halves": "interleaved", "interleaved": "halves"}
        yield {**changed, "layout": other[spec["layout"]]}
    if "base" in spec and not spec.get("attention"):
        yield {**changed, "base": spec["base"] * 1.01}
    options = spec.get("scaling") or {}
    if options.get("factor", 1) != 1 and not spec.get("attention"):
        longer = {**options, "factor": options["factor"] * 1.05}
        if options.get("seq_len", 2**62) > options.get("max", 0):  # else dynamic changes nothing
            yield {**changed, "scaling": longer}


def test_other_options_than_the_library_s_are_noticed_in_most_arrays():
    """A bound that lets a wrong base or layout pass would prove nothing."""
    tried, noticed = 0, 0
    for name in reference.ROTARY:
        for spec in wrong(reference.RECORDS[name]["spec"]):
            difference, allowed = differences(name, spec)
            tried, noticed = tried + 1, noticed + bool((difference > allowed).any())
    assert tried > 500
    assert noticed > 0.95 * tried
