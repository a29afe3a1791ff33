"""The files of the test vectors: cases and their schema in JSON, arrays in safetensors' format."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from scripts import files as project
from scripts.files import ROOT
from scripts.vectors import cases, configs
from scripts.vectors.cases import Case
from scripts.vectors.exact import Array, exact
from scripts.vectors.mutants import mutants
from scripts.vectors.tolerances import RELATIVE, RULES, tolerances

VERSION = 1
_ABOUT = "Test vectors for positional encodings: inputs, exact outputs, and outputs of slips."
_LICENCE = "CC0-1.0"


@dataclass(frozen=True)
class _Made:
    """What all cases share: the outputs, the outputs of slips, and lists of digits."""

    doubles: Pool
    singles: Pool
    digits: dict[tuple[str, ...], int]


class Pool:
    """Arrays of one dtype, one after the other, each of them once."""

    def __init__(self, dtype: str) -> None:
        self.dtype, self.size = np.dtype(dtype), 0
        self._places: dict[bytes, int] = {}

    def place(self, array: npt.NDArray[Any]) -> list[int]:
        """Where an array with two axes begins, and its shape."""
        content = np.ascontiguousarray(array, self.dtype).tobytes()
        if content not in self._places:
            self._places[content] = self.size
            self.size += array.size
        return [self._places[content], *array.shape]

    def content(self) -> bytes:
        """All arrays."""
        return b"".join(self._places)


def files() -> dict[str, bytes]:
    """The files of version 1, by name."""
    made = _Made(Pool("<f8"), Pool("<f4"), {})
    entries, known = [], {}
    for number, case in enumerate(chain(cases.single(), configs.cases())):
        same = _json([case.kind, case.options, case.positions])  # published files repeat each other
        if same not in known:
            known[same] = _results(case, number, made)
        origin = {"config": case.config, "group": case.group} if case.config else {}
        entries.append({"name": case.name, **origin, "kind": case.kind, **known[same]})
    used = {entry["config"] for entry in entries if "config" in entry}
    content = {
        "name": "posenc-vectors",
        "version": VERSION,
        "about": _ABOUT,
        "license": _LICENCE,
        "relative": list(RELATIVE),
        "tolerance_rules": RULES,
        "configs": {name: held for name, held in configs.files().items() if name in used},
        "digits": [list(texts) for texts in made.digits],
        "cases": entries,
    }
    return {
        "cases.json": _lines(content),
        "arrays.safetensors": _packed({"float64": made.doubles, "float32": made.singles}),
        "schema.json": (ROOT / "scripts" / "vectors" / "schema.json").read_bytes(),
        **{path.name: path.read_bytes() for path in project.matching("examples/vectors/*")},
    }


def inputs(case: Case) -> tuple[Array, Array]:
    """Queries and keys of a case: numbers that bfloat16 holds, between -2 and 2."""
    shape = len(case.positions), int(case.options.get("head_dim", 0))
    order = np.arange(shape[0] * shape[1], dtype=np.int64).reshape(shape)
    mixed = [
        (order * order * a + order * b + c) % 127 - 63 for a, b, c in ((5, 37, 11), (3, 59, 2))
    ]
    return mixed[0] / 32, mixed[1] / 32


def _results(case: Case, number: int, made: _Made) -> dict[str, Any]:
    """An entry of the file, without its name."""
    queries, keys = inputs(case)
    found = exact(case, queries, keys)
    allowed = tolerances(case, found, queries, keys)
    entry: dict[str, Any] = {"options": case.options}
    if case.positions:
        entry["positions"] = case.positions
    if queries.size:
        entry["input"] = {"q": made.doubles.place(queries), "k": made.doubles.place(keys)}
    entry["output"] = {name: made.doubles.place(one) for name, one in found.outputs.items()}
    if found.digits:
        entry["digits"] = made.digits.setdefault(found.digits, len(made.digits))
    entry["tolerance"] = {dtype: _rounded(one) for dtype, one in allowed.items()}
    wrongs = mutants(case, number, found.outputs, allowed, queries)
    entry["mutants"] = [
        {**vars(wrong), "values": made.singles.place(wrong.values)} for wrong in wrongs
    ]
    return entry


def _rounded(tolerance: dict[str, list[float]]) -> dict[str, list[float]]:
    """Two digits are enough."""
    return {name: [float(f"{row:.2g}") for row in rows] for name, rows in tolerance.items()}


def _lines(content: dict[str, Any]) -> bytes:
    """JSON with one line for each entry of a list or a dict at the top."""
    parts = []
    for name, value in content.items():
        if isinstance(value, list):
            inner = ",\n".join(map(_json, value))
            text = f"[\n{inner}\n]"
        elif isinstance(value, dict):
            inner = ",\n".join(f"{_json(key)}: {_json(one)}" for key, one in value.items())
            text = f"{{\n{inner}\n}}"
        else:
            text = _json(value)
        parts.append(f"{_json(name)}: {text}")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _packed(pools: dict[str, Pool]) -> bytes:
    """A file of safetensors: the length of a JSON header, the header, the numbers."""
    header, end = {}, 0
    for name, pool in pools.items():
        begin, end = end, end + pool.size * pool.dtype.itemsize
        kind = f"F{8 * pool.dtype.itemsize}"
        header[name] = {"dtype": kind, "shape": [pool.size], "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    numbers: Iterable[bytes] = (pool.content() for pool in pools.values())
    return b"".join([len(text).to_bytes(8, "little"), text, *numbers])
