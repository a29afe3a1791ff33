"""Rotary encodings that libraries compute differ from ours by the rounding of the libraries."""

from __future__ import annotations

import numpy as np
import pytest

from tests import rotary_reference as reference

pytestmark = pytest.mark.filterwarnings("ignore:length must be given")  # far positions

LIBRARIES = sorted({name.partition("/")[0] for name in reference.ROTARY})


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_difference_is_the_one_recorded_when_the_data_were_made(library):
    """Two independent evaluations in float64 agree on the effect of the library's rounding."""
    others = {}
    for name in (name for name in reference.ROTARY if name.startswith(f"{library}/")):
        record, array = reference.RECORDS[name], reference.ARRAYS[name].astype(np.float64)
        if "xpos" in record["spec"]:  # posenc has no decay of scores
            continue
        made = np.asarray(reference.reproduced(record["spec"], record["spec_kind"]))
        assert made.shape == array.shape
        found, recorded = np.abs(array - made).max(), record["max_difference"]
        same = abs(found - recorded) <= 1e-3 * recorded + 1e-11 * np.abs(array).max()
        if not same or recorded > record["float32_bound"]:
            others[name] = found, recorded
    assert not others, others


def test_the_records_that_are_no_rotary_encodings_are_of_these_kinds_only():
    others = {r["spec_kind"] for n, r in reference.RECORDS.items() if n not in reference.ROTARY}
    assert others == {"alibi", "alibi_slopes", "t5_bucket", "deberta_bucket", "permute_rows"}
    assert len(reference.RECORDS) == 422
    assert sorted(reference.RECORDS) == sorted(reference.ARRAYS)
    assert all(record["version"] for record in reference.RECORDS.values())
