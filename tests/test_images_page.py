"""docs/images.md: its tables of grids and functions, and what PyTorch does with a table."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from posenc import GRIDS
from posenc.rotary import axes
from tests import rotary_reference
from tests.reference import RECORDS
from tests.test_grids import RUN

PAGE = (Path(__file__).parent.parent / "docs" / "images.md").read_text("utf-8")
GRID_ROW = re.compile(r"^\| `(\w+)`: (.+) \| ([xy]) \| (.+) \|$", re.M)
FUNCTION_ROW = re.compile(r"^\| `(\w+)`: .+ \| (.+) \|$", re.M)
GRID_ROWS = {name: cells for name, *cells in GRID_ROW.findall(PAGE)}
FUNCTION_ROWS = dict(FUNCTION_ROW.findall(PAGE.partition("{#rotary}")[2]))
RULES = {  # the rule of the arrays in the data that a function reproduces
    "blocks": "blocks",
    "pixtral": "pixtral",
    "alternate": "alternate",
    "pixels": "pixel",
    "sections": "mrope_interleaved",
    "ltx": "ltx",
}


def versions(cell):
    """Words in code that hold a digit and no underscore: versions and commits."""
    return {word for word in re.findall(r"`([\w.]+)`", cell) if re.match(r"[0-9a-f.]*\d", word)}


def test_the_table_of_grids_says_what_the_libraries_made():
    assert len(GRID_ROWS) == len(GRIDS)
    for name, (libraries, first, columns) in GRID_ROWS.items():
        assert first == GRIDS[name].axes[0]
        assert GRIDS[name].axis.start == columns.endswith("counted from one")
        sources = " ".join(RECORDS[one]["source"] for one, (grid, _) in RUN.items() if grid == name)
        assert versions(libraries)
        assert all(version in sources for version in versions(libraries)), name


def test_the_table_of_functions_names_the_versions_in_the_data():
    assert len(FUNCTION_ROWS) == 7
    records = rotary_reference.RECORDS.values()
    for name, cell in FUNCTION_ROWS.items():
        assert name in axes.__all__
        rule = RULES.get(name)
        run = {record["version"] for record in records if record["spec"].get("rule") == rule}
        wanted = {"5.24.0"} if name == "dinov3" else run  # tests/test_positions.py has what it made
        assert versions(cell) - {"256"} == wanted, name  # 256 is a base


@pytest.mark.torch
@pytest.mark.parametrize(("mode", "kernel"), [("bilinear", "linear"), ("bicubic", "cubic")])
def test_the_page_interpolates_as_pytorch_does(mode, kernel):
    torch = pytest.importorskip("torch")
    (block,) = re.findall(
        r"```python\n(import numpy(?:(?!```).)+?def resampling.+?)```", PAGE, re.S
    )
    names = {}
    exec(block, names)
    image = np.random.default_rng(0).standard_normal((14, 14))
    for new in (16, 24):
        weights, _ = names["resampling"](14, new, names[kernel])
        theirs = torch.nn.functional.interpolate(
            torch.from_numpy(image)[None, None], size=(new, new), mode=mode, align_corners=False
        )
        assert np.abs(weights @ image @ weights.T - theirs[0, 0].numpy()).max() < 1e-12


@pytest.mark.torch
def test_a_table_without_a_class_row_raises_the_message_on_the_page():
    torch = pytest.importorskip("torch")
    message = re.search(r"^```text\n(.+)\n```$", PAGE, re.M).group(1)
    with pytest.raises(RuntimeError, match=re.escape(message)):
        torch.zeros(1, 197, 768) + torch.zeros(1, 196, 768)
