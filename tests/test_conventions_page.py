"""The tables of the page on libraries have the rows that the arrays in tests/data ask for."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from posenc.rotary._layouts import INTERLEAVED
from scripts.pages import library_list
from tests import page_text
from tests import rotary_reference as rotary
from tests.reference import ARRAYS, ONE_DIMENSIONAL, RECORDS, library, positions

PAGE = Path(__file__).parent.parent / "docs" / "conventions.md"


SINUSOIDAL, TURNED = library_list.sinusoidal_rows(), library_list.rotary_rows()


def plain(row):
    return [cell.replace("`", "") for cell in row]


def test_the_page_has_the_tables_with_all_their_cells():
    assert [plain(row)[0] for row in SINUSOIDAL] == sorted(map(library, ONE_DIMENSIONAL))
    page = page_text.pages()["conventions/index.html"]
    tables = page.xpath("//*[contains(@class, 'sortable')]")
    for table, wanted in zip(tables, (SINUSOIDAL, TURNED), strict=True):
        rows = [row for row in table.iter("tr") if row.find("td") is not None]
        assert [len(row.findall("td")) for row in rows] == list(map(len, wanted))
        assert ["".join(row[0].itertext()).strip() for row in rows] == [plain(r)[0] for r in wanted]


def shown(tex, pair, width):
    """The frequency of a pair in the formula of a cell."""
    tex = tex.strip("$").replace("{,}", "").replace(r"\pi", f" {np.pi}")
    scale, _, power = tex.rpartition(r" \cdot ")
    if power == "2^i":
        return 2.0**pair
    base, under = re.fullmatch(r"([\d.]+)\^\{-2i/(d|\(d - 2\))\}", power).groups()
    scale = np.prod([float(number) for number in re.findall(r"[\d.]+", scale)])
    return scale * float(base) ** (-2 * pair / (width - 2 * (under != "d")))


@pytest.mark.parametrize("array", ONE_DIMENSIONAL)
def test_the_frequencies_layout_and_first_position_of_a_row_give_the_array(array):
    cells, record = {row[0]: row for row in SINUSOIDAL}[f"`{library(array)}`"], RECORDS[array]
    made = [record["project"], record["version"], record["where"]]
    assert plain([cells[1], cells[2], cells[7]]) == made
    table = ARRAYS[array].astype(np.float64)
    frequency, layout, first = cells[3:6]
    width = record.get("d", table.shape[1])
    pairs = width // 2
    where = slice(0, 2 * pairs, 2) if layout.startswith("interleaved") else slice(0, pairs)
    speeds = np.array([shown(frequency, pair, width) for pair in range(pairs)])
    angles = positions(array)[:, None] * speeds
    waves = np.sin(angles) if "sine first" in layout and "cosine" not in layout else np.cos(angles)
    size = np.sqrt(width) if library(array) == "x_transformers" else 1
    kept = np.flatnonzero(table.any(axis=1))  # rows of zeros are for padding
    np.testing.assert_allclose(size * table[kept, where], waves[kept], atol=2e-3)
    if re.match(r"`\d", first):
        assert positions(array)[0] == float(first.split("`")[1])


def test_the_table_of_rotary_encodings_has_a_row_for_each_call_that_turned_something():
    records = [one for one in map(rotary.RECORDS.get, rotary.ROTARY) if "rule" not in one["spec"]]
    turned = [one for one in records if one["spec_kind"] in ("rotated", "scores")]
    found = {(row[0], row[2]): row for row in map(plain, TURNED)}
    assert found.keys() == {
        (one["library"].removesuffix(" (jax)"), re.split(r"[ (,]|\.forward", one["function"])[0])
        for one in turned
    }
    for (name, call), row in found.items():

        def own(one, name=name, call=call):
            return one["library"].startswith(name) and one["function"].startswith(call)

        specs = [one["spec"] for one in records if own(one)]
        assert {float(base) for base in row[4].split(", ")} == {spec["base"] for spec in specs}
        kinds = {spec["scaling"]["type"] for spec in specs if spec.get("scaling")} or {"none"}
        assert set(row[6].replace("base times factor", "base_times").split(", ")) == kinds
        for spec in (one["spec"] for one in turned if own(one)):
            assert spec.get("layout", "halves") in row[3]
            assert f", {spec.get('out')} out" in row[3] or "out" not in spec


def test_the_page_names_an_array_of_the_data_for_every_surprise():
    """tests/test_rotary_reference.py makes each array again."""
    section = PAGE.read_text(encoding="utf-8").partition("{ #surprises }")[2]
    named = re.findall(r"`([\w.]+(?:/[\w.]+)+)`", section)
    assert len(named) == 10
    assert {*named} <= rotary.ARRAYS.keys()


def test_the_page_lists_the_model_types_that_pair_neighbours():
    page = page_text.pages()["conventions/index.html"]
    (heading,) = page.xpath("//*[@id='interleaved-types']")
    lists = heading.xpath("./following-sibling::p")[1:3]
    assert [code.text for part in lists for code in part.iter("code")] == sorted(INTERLEAVED)
