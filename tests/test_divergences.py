"""The table of programs in docs/engines.md says what the programs answered, by the test vectors."""

from __future__ import annotations

import json
import tomllib

import numpy as np
import pytest

from scripts.files import ROOT
from scripts.pages import divergence_list
from tests import page_text
from tests.test_vectors import array, held

TOLD = json.loads(divergence_list.ANSWERS.read_text("utf-8"))
PROGRAMS = list(divergence_list.HOW)
AGREES, LONG = "agrees", "long list"


def section():
    """The two tables on the built page, as texts of their cells."""
    article = page_text.article(page_text.pages()["engines/index.html"])
    tables = article.xpath(".//*[@id='files']/following::table")[:2]
    return [[[text(cell) for cell in row.iter("td")] for row in one.iter("tr")] for one in tables]


def text(cell):
    return " ".join("".join(cell.itertext()).split())


def vectors(file, layers):
    """Frequencies and factor of the vectors' cases for these layers: of short and of long texts."""
    name = f"config/{file}/{layers}"
    return [
        [array(case["output"][part]).ravel() for part in ("frequencies", "attention_factor")]
        for case in held()[0]["cases"]
        if case["name"] == name or case["name"].startswith(f"{name}/length_")
    ]


def is_near(answer, case):
    rates, factor = case
    near = np.allclose(answer["rates"], rates, rtol=1e-4, atol=1e-12)
    return near and np.allclose(answer["factor"], factor, rtol=1e-4)


@pytest.mark.parametrize("file", TOLD["answers"])
def test_a_cell_agrees_if_the_answer_is_that_of_the_test_vectors(file):
    name = file.removeprefix("published ")
    rows = [row[1:] for row in section()[1] if row and row[0].partition(",")[0] == name]
    shown = {program: [row[PROGRAMS.index(program)] for row in rows] for program in PROGRAMS}
    for layers, answers in TOLD["answers"][file].items():
        short, *long = vectors(file, layers)
        for program, answer in answers.items():
            if "refuses" in answer:
                expected = "refuses"
            elif is_near(answer, short):
                expected = AGREES
            else:
                expected = LONG if long and is_near(answer, long[0]) else "×"
            assert any(cell.startswith(expected) for cell in shown[program]), (program, layers)
    every = {program for answers in TOLD["answers"][file].values() for program in answers}
    assert {program for program in PROGRAMS[1:] if any(shown[program])} == every


def test_the_counts_are_those_of_the_rows_and_each_program_that_differs_is_named():
    programs, files = section()
    differing = set()
    for column, (name, version, _, count) in enumerate(row for row in programs if row):
        cells = [row[1 + column] for row in files if row and row[1 + column]]
        assert count == f"{cells.count(AGREES)}/{len(cells)}"
        assert name == PROGRAMS[column]
        assert version == {"transformers": "5.24.0", **TOLD["versions"]}[name]
        if any("×" in cell for cell in cells):
            differing.add(name)
    article = page_text.article(page_text.pages()["engines/index.html"])
    named = article.xpath("(.//*[@id='files']/following::ul)[2]//strong")
    assert differing == {one.text for one in named}


def test_the_versions_are_those_at_which_the_pages_were_checked():
    path = ROOT / "tests" / "data" / "versions.toml"
    checked = tomllib.loads(path.read_text("utf-8"))["checked"]
    for program in TOLD["versions"].keys() & checked.keys():
        assert TOLD["versions"][program] in checked[program]
