"""The pages on libraries: their tables have what the arrays in tests/data and posenc say."""

from __future__ import annotations

import re

import numpy as np
import pytest

from posenc import GRIDS, Rotary
from posenc.rotary import axes
from scripts.files import DOCS
from scripts.pages import library_list
from tests import page_text
from tests import rotary_reference as rotary
from tests.reference import ARRAYS, ONE_DIMENSIONAL, RECORDS, library, positions
from tests.test_grids import RUN

OF_A_TURN = {"rotated", "scores"}
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
    wanted = {}
    for one in records:
        call = re.split(r"[ (,]|\.forward", one["function"])[0]
        wanted.setdefault((one["library"].removesuffix(" (jax)"), call), []).append(one)
    found = {(row[0], row[2]): row for row in map(plain, TURNED)}
    turned = {key for key, own in wanted.items() if {one["spec_kind"] for one in own} & OF_A_TURN}
    assert found.keys() == turned
    for key, (*_, layout, bases, _, scalings) in found.items():
        specs = [one["spec"] for one in wanted[key]]
        assert {float(base) for base in bases.split(", ")} == {spec["base"] for spec in specs}
        kinds = {spec["scaling"]["type"] for spec in specs if spec.get("scaling")} or {"none"}
        assert set(scalings.replace("base times factor", "base_times").split(", ")) == kinds
        own = [one["spec"] for one in wanted[key] if one["spec_kind"] in OF_A_TURN]
        assert all(spec.get("layout", "halves") in layout for spec in own)


def test_the_page_names_an_array_of_the_data_for_every_surprise():
    """tests/test_rotary_reference.py makes each array again."""
    section = (DOCS / "conventions.md").read_text("utf-8").partition("{ #surprises }")[2]
    named = re.findall(r"`([\w.]+(?:/[\w.]+)+)`", section)
    assert len(named) == 10
    assert {*named} <= rotary.ARRAYS.keys()


# docs/engines.md


CONFIGS = {  # the rows of the table of YaRN's factors
    "f 4": {"factor": 4},
    "f 40, both mscale 1": {"factor": 40, "mscale": 1, "mscale_all_dim": 1},
    "f 40, mscale 0.707, all_dim 0": {"factor": 40, "mscale": 0.707, "mscale_all_dim": 0},
    "f 40, mscale 0.707 only": {"factor": 40, "mscale": 0.707},
    "f 4, attention_factor 1": {"factor": 4, "attention_factor": 1},
    "f 4, attn_factor 0.878": {"factor": 4, "attn_factor": 0.8782488562869419},
}


def test_the_first_column_of_the_table_is_the_attention_factor_of_the_config():
    article = page_text.article(page_text.pages()["engines/index.html"])
    (table,) = article.xpath(".//table[@class='numbers']")
    lines = table.xpath("./tbody/tr")
    assert [line.xpath("string(./th)") for line in lines] == list(CONFIGS)
    for line, own in zip(lines, CONFIGS.values(), strict=True):
        scaling = {"rope_type": "yarn", "original_max_position_embeddings": 4096, **own}
        config = {"model_type": "llama", "head_dim": 64, "rope_theta": 10_000}
        rotary = Rotary.from_config({**config, "rope_scaling": scaling})
        shown = float(line.xpath(".//data/@value")[0])
        assert shown == pytest.approx(rotary.attention_factor(), rel=1e-9)


# docs/images.md


IMAGES = (DOCS / "images.md").read_text("utf-8")
GRID_ROW = re.compile(r"^\| `(\w+)`: (.+) \| ([xy]) \| (.+) \|$", re.M)
FUNCTION_ROW = re.compile(r"^\| `(\w+)`: .+ \| (.+) \|$", re.M)
GRID_ROWS = {name: cells for name, *cells in GRID_ROW.findall(IMAGES)}
FUNCTION_ROWS = dict(FUNCTION_ROW.findall(IMAGES.partition("{#rotary}")[2]))
RULES = {"pixels": "pixel", "sections": "mrope_interleaved"}  # other names in the data


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
    records = rotary.RECORDS.values()
    for name, cell in FUNCTION_ROWS.items():
        assert name in axes.__all__
        rule = RULES.get(name, name)
        run = {record["version"] for record in records if record["spec"].get("rule") == rule}
        wanted = {"5.24.0"} if name == "dinov3" else run  # tests/test_positions.py has what it made
        assert versions(cell) - {"256"} == wanted, name  # 256 is a base


@pytest.mark.torch
@pytest.mark.parametrize(("mode", "kernel"), [("bilinear", "linear"), ("bicubic", "cubic")])
def test_the_page_interpolates_as_pytorch_does(mode, kernel):
    torch = pytest.importorskip("torch")
    (block,) = re.findall(
        r"```python\n(import numpy(?:(?!```).)+?def resampling.+?)```", IMAGES, re.S
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
    message = re.search(r"^```text\n(.+)\n```$", IMAGES, re.M).group(1)
    with pytest.raises(RuntimeError, match=re.escape(message)):
        torch.zeros(1, 197, 768) + torch.zeros(1, 196, 768)


def test_llama_4_has_x_first_counts_from_1_and_gives_the_class_token_angle_0():
    coordinates = rotary.RECORDS["hf/llama4/vision_freqs_ci"]["spec"]["coords"]
    assert (coordinates[:2], coordinates[-1]) == ([[1, 1], [2, 1]], [0, 0])
