"""Each row of the tables of docs/conventions.md follows from the data and CONVENTIONS."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc import CONVENTIONS, Convention, Rotary, rotary_row_order
from posenc.rotary import DynamicNTK
from posenc.rotary._layouts import INTERLEAVED
from tests import rotary_reference as rotary
from tests.reference import ONE_DIMENSIONAL, RECORDS, library

PAGE = Path(__file__).parent.parent / "docs" / "conventions.md"
ODD = {
    "truncate": "last column dropped",
    "ceil": "last column dropped, frequencies of $d + 1$",
    "pad": "a column of zeros",
    "overflow": "$d + 1$ columns",
}
WITHOUT_VERSION = {  # another record of the same code names the version
    "fairseq2 with": ("fairseq2", "fairseq2__L16_d8"),
    "flax wmt": ("google/flax", "flax_wmt__L16_d8"),
    "facebookresearch/mae": ("facebookresearch/mae", "mae_2d__3x3_d16_cls"),
    "bmild/nerf Emb": ("bmild/nerf", "nerf_L10_xyz__N16_d63"),
}
GIVEN = {  # the caller passes times or coordinates
    *("diffusers_timestep_sd_t999_981_1__d320", "keras_ddim__N16_d8", "nerf_L6_1d__N16_d12"),
}
SOURCE = (
    r"(?:github )?(?P<project>[\w./-]+?)(?:@| )(?P<version>[0-9][0-9.]+|[0-9a-f]{12}) (?P<where>.+)"
)


def origin(array: str) -> tuple[str, str, str]:
    """Project, version or commit, and place of the code that made the `array`."""
    source = RECORDS[array]["source"]
    for start, (project, record) in WITHOUT_VERSION.items():
        if source.startswith(start):
            known = re.fullmatch(SOURCE, RECORDS[record]["source"])
            return project, known["version"], source.removeprefix(project).strip()
    found = re.fullmatch(SOURCE, source)
    return found["project"], found["version"], found["where"]


def formula(kind: Convention) -> str:
    scale = {1: "", 2: r"2 \cdot ", 1000: r"1{,}000 \cdot "}.get(kind.angle_scale, r"2\pi \cdot ")
    if kind == Convention(base=1 / 2, spread=2):
        return "$2^i$"
    base = f"{kind.base:,g}".replace(",", "{,}")
    return f"${scale}{base}^{{-2i/{'(d - 2)' if kind.freq_shift else 'd'}}}$"


def layout(kind: Convention) -> str:
    first = "sine" if kind.order == "sin_first" else "cosine"
    return f"{kind.arrangement}, {first} first"


def row(array: str) -> str:
    kind, options = CONVENTIONS[library(array)], RECORDS[array]["options"]
    project, version, where = origin(array)
    first = "as given" if array in GIVEN else f"`{kind.start:g}`"
    first = "backwards" if options.get("positions", "").startswith("L") else first
    first = f"{first}, tokens from `2`" if options.get("zero_rows") == [1] else first
    first = "to zero and back" if "sign lost" in options.get("positions", "") else first
    odd = ODD[options["odd"]] if "odd" in options else "not read"
    cells = (f"`{library(array)}`", project, f"`{version}`", formula(kind), layout(kind))
    return "| " + " | ".join((*cells, first, odd, f"`{where}`")) + " |"


def test_every_row_of_the_table_is_what_the_data_say():
    lines = PAGE.read_text(encoding="utf-8").partition("{ #rotary }")[0].splitlines()
    rows = [line for line in lines if line.startswith("| `")]
    assert rows == sorted(row(array) for array in ONE_DIMENSIONAL)


# The table of rotary encodings

SHORT = {"gemma (jax)": "gemma", "keras-hub (jax)": "keras-hub"}  # the page omits the framework
VERSION = re.compile(r"[\d. +]*\d")
KINDS = {"base_times": "base times factor"}
TYPES = ("linear", "ntk", "base_times", "dynamic", "yarn", "llama3", "longrope", "proportional")


def of_one_coordinate() -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The records of each library and call, where something was rotated by one coordinate."""
    calls: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for name in rotary.ROTARY:
        record = rotary.RECORDS[name]
        if "rule" not in record["spec"]:
            call = re.split(r"[ (,]", record["function"])[0].removesuffix(".forward")
            calls.setdefault((record["library"], call), []).append(record)
    return {key: found for key, found in calls.items() if any(map(rotated, found))}


def rotated(record: dict[str, Any]) -> bool:
    return record["spec_kind"] in ("rotated", "scores")


def rotary_layout(records: list[dict[str, Any]]) -> str:
    """Layouts of what was rotated, and of what came out if it is another."""
    specs = [record["spec"] for record in records if rotated(record)]
    found = {(spec.get("layout", "halves"), spec.get("out", "")) for spec in specs}
    words = [f"{layout} in, {out} out" if out else layout for layout, out in sorted(found)]
    return " or ".join(words)


def rotary_row(library: str, call: str, records: list[dict[str, Any]]) -> str:
    specs = [record["spec"] for record in records]
    part = sorted({(s["dim"], s["head_dim"]) for s in specs if s["dim"] < s.get("head_dim", 0)})
    types = {spec["scaling"]["type"] for spec in specs if spec.get("scaling")}
    version = VERSION.match(records[0]["version"])
    assert version
    bases = sorted({spec["base"] for spec in specs})
    cells = (
        SHORT.get(library, library),
        f"`{version[0]}`",
        f"`{call}`",
        rotary_layout(records),
        ", ".join(f"`{base:.0f}`" for base in bases),
        ", ".join(f"`{dim}` of `{width}`" for dim, width in part) or "all",
        ", ".join(KINDS.get(kind, kind) for kind in TYPES if kind in types) or "none",
    )
    return "| " + " | ".join(cells) + " |"


def rotary_section() -> str:
    return PAGE.read_text(encoding="utf-8").partition("{ #rotary }")[2]


def test_every_row_of_the_rotary_table_is_what_the_data_say():
    lines = rotary_section().partition("</div>")[0].splitlines()
    rows = [line for line in lines if "| `" in line]
    wanted = [rotary_row(*key, records) for key, records in of_one_coordinate().items()]
    assert rows == sorted(wanted, key=str.lower)


def spec(name: str) -> dict[str, Any]:
    return rotary.RECORDS[name]["spec"]


def angle(name: str, row: int, pair: int) -> float:
    """The angle of one pair in a table of cosines."""
    return float(np.arccos(rotary.ARRAYS[name][row, pair]))


SURPRISES = {
    "litgpt/yarn_deepseek/cos": lambda name: np.isclose(
        angle(name, 1, 0), 1 / spec(name)["scaling"]["factor"], rtol=1e-3
    ),
    "hf/llama/dynamic_sticky/inv_freq": lambda name: np.allclose(
        rotary.ARRAYS[name],
        Rotary(64, scaling=DynamicNTK(2, 2048)).frequencies(8192),
        rtol=1e-6,
    ),
    "hf/deepseek_v3/yarn_mscale0.707_all0.0/attention_factor": lambda name: np.isclose(
        rotary.ARRAYS[name], 0.1 * np.log(40) + 1
    ),
    "megatron/yarn_mscale0.707_all0/attention_factor": lambda name: np.isclose(
        rotary.ARRAYS[name], 0.0707 * np.log(40) + 1
    ),
    "mlx/longrope_d64/q": lambda name: (
        np.allclose(rotary.ARRAYS[name], rotary.reproduced(spec(name), "rotated"), atol=0.05)
        and min(spec(name)["positions"]) == 0
    ),
    "diffusers/1d_ntk4_d8/cos": lambda name: np.isclose(
        angle(name, 1, 2), (4 * 10_000) ** (-2 / 8), rtol=1e-3
    ),
    "hf/proportional_0.25_f1_d64/inv_freq": lambda name: (
        not rotary.ARRAYS[name][8:].any() and np.isclose(rotary.ARRAYS[name][1], 1e6 ** (-2 / 64))
    ),
    "hf/deepseek_v3/yarn_mscale1_all1/q": lambda name: spec(name)["out"] == "halves",
    "megatron/mla/q": lambda name: spec(name)["out"] == "halves",
    "permute/transformers_convert_llama_weights_to_hf/k_rows": lambda name: np.array_equal(
        rotary.ARRAYS[name], rotary_row_order(8, heads=2)
    ),
}


def test_the_page_names_an_array_for_every_surprise():
    assert re.findall(r"`([\w.]+(?:/[\w.]+)+)`", rotary_section().partition("</div>")[2]) == list(
        SURPRISES
    )


@pytest.mark.filterwarnings("ignore:length must be given")  # a library takes no length
@pytest.mark.parametrize("name", SURPRISES)
def test_a_surprise_is_in_the_data(name):
    assert SURPRISES[name](name)


def test_the_page_lists_the_model_types_that_pair_neighbours():
    page = PAGE.read_text(encoding="utf-8")
    after = page.partition("all others that it knows.")[2]
    listed = re.findall(r"`(\w+)`", after.partition("#")[0])
    assert listed == sorted(INTERLEAVED)
