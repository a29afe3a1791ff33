"""The tables of programs beside files as Markdown: what each computes, against the exact values.

tests/libraries/divergences.py asked the programs, tests/libraries/transformers_groups.py asked
transformers. The cells are made here, from their frequencies and the plan that posenc reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import numpy as np

from posenc import Rotary
from posenc.plans import Group, Plan
from scripts.files import ROOT
from scripts.vectors import configs

ANSWERS = ROOT / "tests" / "data" / "divergences" / "answers.json"
_OF_TRANSFORMERS = ROOT / "tests" / "data" / "corpus" / "answers.json"
TOLERANCE = 1e-4  # of a frequency that was measured in float32, relative
HOW = {
    "transformers": "a forward pass of the model, without weights",
    "vLLM": "its `get_rope`, outside of the program; `max_model_len` of `131,072`",
    "SGLang": "its `get_rope`, outside of the program; short texts",
    "mlx-lm": "the model's class, without weights",
    "keras-hub": "the converter of the file, and one layer",
    "litgpt": "its own entry for the model",
    "torchtune": "its own builder for the model",
}
_TEXT = """
A CPU ran all: transformers for the [table of models](which-model.md), the others on `{day}`.

| program | version | what ran | agrees |
|---|---|---|---|
{programs}

<div class="sortable" data-live="site/sortable" data-search-exclude markdown>

| file | {head} |
|{lines}
{rows}

</div>
"""
Row = tuple[str, list[str]]


def markdown() -> str:
    """A row for each program, then one for each file with a column for each program."""
    told = json.loads(ANSWERS.read_text("utf-8"))
    rows = list(_rows(told["answers"]))
    versions = {"transformers": "5.24.0", **told["versions"]}
    programs = []
    for column, (program, how) in enumerate(HOW.items()):
        cells = [cells[column] for _, cells in rows if cells[column]]
        count = f"`{cells.count('agrees')}/{len(cells)}`"
        programs.append(f"| {program} | `{versions[program]}` | {how} | {count} |")
    return _TEXT.format(
        day=told["read"],
        programs="\n".join(programs),
        head=" | ".join(HOW),
        lines="---|" * (len(HOW) + 1),
        rows="\n".join(f"| {file} | {' | '.join(cells)} |" for file, cells in rows),
    )


def _rows(answers: dict[str, Any]) -> Iterator[Row]:
    """The link to each file, and its cells; layers with other cells have another row."""
    files = configs.files()
    for file, kinds in answers.items():
        source = files[file]["source"]
        path = f"{source['repository']}/blob/{source['commit']}/{quote(source['path'])}"
        link = f"[{file.removeprefix('published ')}](https://github.com/{path})"
        made: dict[tuple[str, ...], list[str]] = {}
        for group in Plan.from_dict(files[file]["config"]):
            if group.name in kinds:
                told = {**kinds[group.name], "transformers": of_transformers(file, group)}
                cells = tuple(verdict(group, told.get(program)) for program in HOW)
                made.setdefault(cells, []).append(group.name.replace("_", " "))
        for cells, names in made.items():
            yield link + (f", {' and '.join(names)}" if len(made) > 1 else ""), list(cells)


def of_transformers(file: str, group: Group) -> dict[str, Any] | None:
    """What transformers computes for these layers."""
    told = json.loads(_OF_TRANSFORMERS.read_text("utf-8")).get(file, {"by": ""})
    if told["by"] != "transformers 5.24.0":
        return None
    for found in told["groups"]:
        if found["turn"] and (group.layers is None or set(group.layers) & set(found["layers"])):
            turn = found["turn"]
            still = [0.0] * (turn["span"] // 2 - len(turn["frequencies"]))
            return {"rates": [*turn["frequencies"], *still], "factor": turn["factor"]}
    return None


def verdict(group: Group, told: dict[str, Any] | None) -> str:
    """A cell: agrees, differs and by what, or refuses; empty if the program has no such model."""
    if told is None:
        return ""
    if "refuses" in told:
        return f"refuses: {told['refuses']}"
    found = differences(group, told, None)
    longest = np.inf if group.scaling is None else group.scaling.longest()
    if found and np.isfinite(longest) and not differences(group, told, 2 * longest):
        return "**long list**"
    return ", ".join(found) or "agrees"


def differences(group: Group, told: dict[str, Any], length: float | None) -> list[str]:
    """How the frequencies and the factor differ from those of a text of this length."""
    given = () if group.axes else (length,)  # several coordinates have no scaling
    exact, rates = np.asarray(group.rotary.frequencies(*given)), np.array(told["rates"])
    if len(rates) != len(exact):
        return [f"**`{len(rates)}` pairs** instead of `{len(exact)}`"]
    found = []
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(exact == rates, 1.0, np.maximum(rates / exact, exact / rates))
    off = ratio > 1 + TOLERANCE
    if off.any():
        found.append(f"**×`{ratio.max():.3g}` in `{off.sum()}/{len(exact)}`**")
    own = group.rotary.attention_factor(length) if isinstance(group.rotary, Rotary) else 1.0
    if abs(told["factor"] / own - 1) > TOLERANCE:
        found.append(f"**factor `{told['factor']:.4g}`** instead of `{own:.4g}`")
    return found
