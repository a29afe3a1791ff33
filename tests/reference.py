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
    counted = np.arange(record["shape"][0]) + record["options"].get("offset", 0.0)
    return np.array(record.get("rows", counted), np.float64)
