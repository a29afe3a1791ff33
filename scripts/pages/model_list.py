"""The table of models as Markdown: what posenc reads in the published files of tests/data/corpus.

A row has what a plan says of one kind of layers. The files of a model must agree on all cells, so
that the model needs no second row.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import numpy as np

from posenc.plans import Group, Plan
from scripts.files import ROOT, BuildError, relative
from scripts.vectors import configs

MODELS = ROOT / "tests" / "data" / "corpus" / "models.toml"
_TABLE = """
All files were read by `{day}`.

<div class="sortable models" data-live="models/start" markdown>

| model | layers | positions | base | features turned | layout | scaling, factor, length | file in |
|---|---|---|---|---|---|---|---|
{rows}

</div>
"""
_OTHERS = ("vision", "audio", "encoder")  # these parts have encodings of their own
_NAMES = {"rotary": "RoPE", "t5": "biases in buckets", "learned": "a learned table"}
_NAMES |= {"recurrent": "none: recurrence or convolution", "relative": "embeddings of distances"}
_SECTIONS = {"sections": "M-RoPE in blocks", "sections in turn": "M-RoPE in turn"}
_SCALINGS = {"YaRN": "YaRN", "Llama3": "llama3", "LongRoPE": "LongRoPE", "Linear": "linear"}
_SCALINGS |= {"Proportional": "proportional"}


def markdown() -> str:
    """The day on which the files were read, and a table of all models."""
    listed = tomllib.loads(MODELS.read_text("utf-8"))
    files = configs.files()
    rows = (row for name, keys in listed["models"].items() for row in _rows(name, keys, files))
    return _TABLE.format(day=listed["read"], rows="\n".join(rows))


def cells(config: dict[str, Any]) -> list[tuple[str, ...]]:
    """The cells between name and file: a tuple for each kind of layers in the plan of `config`."""
    groups = [group for group in Plan.from_dict(config) if not group.name.startswith(_OTHERS)]
    total = sum(len(group.layers or ()) for group in groups)
    return [(_layers(group, total, len(groups)), *_encoding(group)) for group in groups]


def _rows(name: str, keys: list[str], files: dict[str, Any]) -> Iterator[str]:
    first, *others = keys
    made = cells(files[first]["config"])
    for other in others:
        if cells(files[other]["config"]) != made:
            raise BuildError(f"{relative(MODELS)}: {name}: {first} and {other} differ")
    source = files[first]["source"]
    repository, path = source["repository"], quote(source["path"])
    link = f"https://github.com/{repository}/blob/{source['commit']}/{path}"
    for row in made:
        yield f"| [{name}]({link}) | {' | '.join(row)} | `{repository}` |"


def _layers(group: Group, total: int, groups: int) -> str:
    """Which layers these are, with their window or chunk."""
    count = len(group.layers or ())
    which = group.name.removeprefix("layers ").replace("_", " ")
    which = "all" if groups == 1 else f"`{count}` of `{total}`" if count else which
    seen = {", window": group.window, ", chunks of": group.chunk}
    return which + "".join(f"{word} `{size:,}`" for word, size in seen.items() if size)


def _encoding(group: Group) -> tuple[str, ...]:
    """Positions, base, features that turn, layout and scaling."""
    name = _NAMES.get(group.encoding, group.encoding)
    if not group.turns:
        return name, "", "", "", ""
    frequencies = np.asarray(group.rotary.frequencies())
    turning = 2 * np.count_nonzero(frequencies)
    return (
        f"{_SECTIONS.get(group.rule or '', name)}{_axes(group)}",
        f"`{group.base:,.10g}`",
        f"`{turning}` of `{_width(group)}`",
        group.layout or "",
        _scaling(group),
    )


def _axes(group: Group) -> str:
    """The pairs of each coordinate, if there are several."""
    pairs = zip(group.axes, group.sections, strict=True)
    counts = ", ".join(f"{axis} `{count}`" for axis, count in pairs)
    return f": {counts} pairs" if counts else ""


def _width(group: Group) -> int | None:
    """The features of a head that a score multiplies, all of those that turn if it is not known."""
    if group.score is None or group.score.scale is None:
        return group.head_dim
    return round((group.score.factor / group.score.scale) ** 2)


def _scaling(group: Group) -> str:
    """The scaling with its factor and the length of the first training."""
    if group.scaling is None:
        return "none"
    name = _SCALINGS[type(group.scaling).__name__]
    factor = getattr(group.scaling, "factor", None)
    length = getattr(group.scaling, "original_max_position_embeddings", None)
    numbers = [f"`{factor:,g}`"] if factor not in (None, 1) else []
    numbers += [f"`{length:,.0f}`"] if length else []
    return f"{name} {', '.join(numbers)}".strip()
