"""docs/port-weights.md: `convert` does what each cell of the table of pairs says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from posenc import CONVENTIONS, convert

PAGE = Path(__file__).parent.parent / "docs" / "port-weights.md"
SOURCES = ("annotated_transformer", "tensor2tensor")  # in the order of the columns
ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| ([a-z ]+) \| ([a-z ]+) \|$", re.M)
ROWS = {
    name: answers
    for names, *answers in ROW.findall(PAGE.read_text("utf-8"))
    for name in re.findall(r"\w+", names)
}


def answer(source, target, d_model=64):
    """The changes that a port from `source` to `target` needs, in the words of the page."""
    here, there = CONVENTIONS[source], CONVENTIONS[target]
    table = here.table(16, d_model)
    try:
        moved = convert(table, replace(here, start=there.start), there)
    except ValueError as error:
        if "must have the same frequencies" not in str(error):
            raise
        return "carry"
    assert np.allclose(moved, there.encode(here.start + np.arange(16), d_model))
    words = []
    if not np.array_equal(here.columns(d_model), there.columns(d_model)):
        words.append("reorder")
    if (here.amplitude, here.amplitude_power) != (there.amplitude, there.amplitude_power):
        words.append("rescale")
    if here.start != there.start:
        words.append("other rows")
    return " and ".join(words) or "equal"


def test_the_table_is_found():
    assert len(ROWS) > 15


@pytest.mark.parametrize("target", ROWS)
@pytest.mark.parametrize("column", range(2))
def test_a_cell_of_the_table_of_pairs_is_what_convert_does(target, column):
    assert ROWS[target][column] == answer(SOURCES[column], target)


def test_every_library_behaves_like_one_of_the_rows():
    known = {tuple(row) for row in ROWS.values()}
    others = CONVENTIONS.keys() - ROWS.keys() - set(SOURCES)
    assert {tuple(answer(source, name) for source in SOURCES) for name in others} <= known


def test_no_library_turns_its_sines_round():
    assert all(kind.angle_scale > 0 for kind in CONVENTIONS.values())
