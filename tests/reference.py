"""Real outputs of libraries, from data/conventions/ (see the README there)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "data" / "conventions"
RECORDS: dict[str, dict[str, Any]] = json.loads(
    (FOLDER / "reference.json").read_text(encoding="utf-8")
)["arrays"]
with np.load(FOLDER / "reference.npz") as _file:
    ARRAYS: dict[str, np.ndarray] = dict(_file)
ONE_DIMENSIONAL = [name for name, record in RECORDS.items() if record.get("options")]


def library(array: str) -> str:
    """The name in `posenc.CONVENTIONS` of the library that made the one-dimensional `array`."""
    name: str = RECORDS[array]["convention"]
    return name


def options(array: str) -> dict[str, Any]:
    """The options of a one-dimensional `array`, in the words of `posenc.Convention`."""
    recorded = dict(RECORDS[array]["options"])
    recorded.pop("zero_rows", None), recorded.pop("positions", None)
    for old, name in (("offset", "start"), ("arrangement", "layout")):
        if old in recorded:
            recorded[name] = recorded.pop(old)
    return recorded


def positions(array: str) -> np.ndarray:
    """The positions of the rows of a one-dimensional `array`."""
    record = RECORDS[array]
    length = record["shape"][0]
    special = {
        "diffusers_timestep_sd_t999_981_1__d320": [999, 981, 1],
        "keras_ddim__N16_d8": np.linspace(0, 1, 16, dtype=np.float32),
        "nerf_L6_1d__N16_d12": np.linspace(-1, 1, 16, dtype=np.float32),
    }
    if array in special:
        return np.array(special[array], np.float64)
    counted = record["options"].get("positions")
    if counted is None:
        return np.arange(length) + float(record["options"].get("offset", 0))
    backwards = np.arange(record["L"] - 1.0, -record["L"], -1)
    return np.abs(backwards) if "sign lost" in counted else backwards
