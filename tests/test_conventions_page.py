"""Each row of the table of docs/conventions.md follows from the data and CONVENTIONS."""

from __future__ import annotations

import re
from pathlib import Path

from posenc import CONVENTIONS, Convention
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
    scale = {1: "", 2: r"2 \cdot ", 1000: r"1000 \cdot "}.get(kind.angle_scale, r"2\pi \cdot ")
    if kind == Convention(base=1 / 2, spread=2):
        return "$2^i$"
    return f"${scale}{kind.base:g}^{{-2i/{'(d - 2)' if kind.freq_shift else 'd'}}}$"


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
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| `")]
    assert rows == sorted(row(array) for array in ONE_DIMENSIONAL)
