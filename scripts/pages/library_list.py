"""The tables of libraries as Markdown: what the arrays in tests/data say that was run.

`sinusoidal` has a row for each name of `posenc.CONVENTIONS`, `rotary` one for each call that turned
something by one coordinate, and `interleaved` lists the types of models that pair neighbours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from math import pi
from typing import Any

from posenc import CONVENTIONS, Convention
from posenc.rotary._layouts import INTERLEAVED
from scripts.files import ROOT

SINUSOIDAL = ROOT / "tests" / "data" / "conventions" / "reference.json"
ROTARY = ROOT / "tests" / "data" / "rotary" / "reference.json"
_TABLE = """
<div class="sortable" data-live="site/sortable" markdown>

{rows}

</div>
"""
_SINUSOIDAL = "name", "project", "version", "frequency $w_i$", "layout", "first position"
_ROTARY = "project", "version", "call", "layout", "base", "part of a head", "scalings"
_ODD = {
    "truncate": "last column dropped",
    "ceil": "last column dropped, frequencies of $d + 1$",
    "pad": "a column of zeros",
    "overflow": "$d + 1$ columns",
}
_FRAMEWORK = re.compile(r" \(jax\)$")
_VERSION = re.compile(r"[\d. +]*\d")
_KINDS = {"base_times": "base times factor"}
_SCALINGS = ["linear", "ntk", "base_times", "dynamic", "yarn", "llama3", "longrope", "proportional"]


def sinusoidal() -> str:
    """A table with a row for each convention of a library."""
    return _table((*_SINUSOIDAL, "odd $d$", "where"), sinusoidal_rows())


def sinusoidal_rows() -> list[tuple[str, ...]]:
    """The cells of the table of conventions."""
    records = json.loads(SINUSOIDAL.read_text("utf-8"))["arrays"].values()
    rows = (_sinusoidal_row(record) for record in records if "convention" in record)
    return sorted(rows, key=lambda row: row[0].strip("`"))


def rotary() -> str:
    """A table with a row for each library and call that turned something by one coordinate."""
    return _table(_ROTARY, rotary_rows())


def rotary_rows() -> list[tuple[str, ...]]:
    """The cells of the table of rotary encodings; none in a project without the arrays."""
    if not ROTARY.is_file():
        return []
    calls: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for record in json.loads(ROTARY.read_text("utf-8"))["arrays"]:
        if "rule" not in record["spec"]:
            call = re.split(r"[ (,]", record["function"])[0].removesuffix(".forward")
            calls.setdefault((record["library"], call), []).append(record)
    found = [
        _rotary_row(*key, records) for key, records in calls.items() if any(map(_turned, records))
    ]
    return sorted(found, key=lambda row: " ".join(row).lower())


def interleaved() -> str:
    """The types of models that pair neighbours, two paragraphs of names."""
    names = [f"`{name}`" for name in sorted(INTERLEAVED)]
    half = (len(names) + 1) // 2
    return "\n\n".join(f"{', '.join(part)}." for part in (names[:half], names[half:]))


def _sinusoidal_row(record: dict[str, Any]) -> tuple[str, ...]:
    name, options = record["convention"], record["options"]
    kind = CONVENTIONS[name]
    first = record.get("first", f"`{kind.start:g}`")
    first += ", tokens from `2`" if options.get("zero_rows") == [1] else ""
    odd = _ODD[options["odd"]] if "odd" in options else "not read"
    order = "sine" if kind.order == "sin_first" else "cosine"
    return (
        f"`{name}`",
        record["project"],
        f"`{record['version']}`",
        _frequency(kind),
        f"{kind.layout}, {order} first",
        first,
        odd,
        f"`{record['where']}`",
    )


def _frequency(kind: Convention) -> str:
    """The formula of the frequencies in TeX."""
    if kind == Convention(base=1 / 2, spread=2):
        return "$2^i$"
    times = "" if kind.angle_scale == 1 else rf"{_number(kind.angle_scale)} \cdot "
    return f"${times}{_number(kind.base)}^{{-2i/{'(d - 2)' if kind.freq_shift else 'd'}}}$"


def _number(value: float) -> str:
    return r"2\pi" if value == 2 * pi else f"{value:,g}".replace(",", "{,}")


def _turned(record: dict[str, Any]) -> bool:
    return record["spec_kind"] in ("rotated", "scores")


def _rotary_row(library: str, call: str, records: list[dict[str, Any]]) -> tuple[str, ...]:
    specs = [record["spec"] for record in records]
    part = sorted({(s["dim"], s["head_dim"]) for s in specs if s["dim"] < s.get("head_dim", 0)})
    types = {spec["scaling"]["type"] for spec in specs if spec.get("scaling")}
    version = _VERSION.match(records[0]["version"])
    assert version
    return (
        _FRAMEWORK.sub("", library),
        f"`{version[0]}`",
        f"`{call}`",
        _layout(records),
        ", ".join(f"`{base:.0f}`" for base in sorted({spec["base"] for spec in specs})),
        ", ".join(f"`{dim}` of `{width}`" for dim, width in part) or "all",
        ", ".join(_KINDS.get(kind, kind) for kind in _SCALINGS if kind in types) or "none",
    )


def _layout(records: list[dict[str, Any]]) -> str:
    """Layouts of what was turned, and of what came out if it is another."""
    specs = [record["spec"] for record in records if _turned(record)]
    found = sorted({(spec.get("layout", "halves"), spec.get("out", "")) for spec in specs})
    return " or ".join(f"{first} in, {out} out" if out else first for first, out in found)


def _table(names: Sequence[str], rows: Iterable[tuple[str, ...]]) -> str:
    cells = [f"| {' | '.join(row)} |" for row in (names, ["---"] * len(names), *rows)]
    return _TABLE.format(rows="\n".join(cells))
