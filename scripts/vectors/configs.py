"""The inputs of the test vectors: what the files of published models say about their layers.

The files are those of tests/data, where the answers of libraries are beside them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from posenc.plans import Group, Plan
from posenc.rotary import YaRN
from posenc.rotary._scalings import Scaling
from scripts.files import ROOT
from scripts.vectors.cases import Case, Options

_NAMES = {"SteppedNTK": "stepped", "DynamicNTK": "dynamic"}
_RULES = {"sections": "sections", "sections in turn": "interleaved"}
_SAME = ("blocks", "pixtral", "dinov3", "alternate")
_ENCODERS = ("vision_config", "audio_config")  # no case is about them
_WIDEST = 512  # wider heads would make the files large
_PLACES: dict[int, list[list[float]]] = {
    2: [[1.0, 2.0], [17.0, 40.0]],
    3: [[1, 2, 3], [9, 30, 17]],
    4: [[0, 1, 2, 0], [0, 30, 17, 9]],
}


def files() -> dict[str, dict[str, Any]]:
    """Each published file: where it is published, and its keys that bear on positions of texts."""
    found = {}
    for prefix, path in (("", "corpus/configs.json"), ("published ", "rotary/published.json")):
        for name, held in json.loads((ROOT / "tests/data" / path).read_text("utf-8")).items():
            config = {key: one for key, one in held["config"].items() if key not in _ENCODERS}
            found[prefix + name] = {"source": held["source"], "config": config}
    return found


def cases() -> Iterator[Case]:
    """The layers of each file whose rotation posenc knows, at most two lengths of texts each."""
    for name, held in files().items():
        try:
            plan = Plan.from_dict(held["config"])
        except ValueError:
            continue
        for group in plan:
            if not _is_known(group):
                continue
            options = _options(group)
            kind = "axial" if "rule" in options else "rotary"
            count = len(group.axes) if kind == "axial" else 1
            for length, last in _lengths(group):
                text = "" if length is None else f"/length_{length:g}"
                yield Case(
                    f"config/{name}/{group.name}{text}",
                    kind,
                    {**options, "length": length},
                    [[1.0], [last]] if kind == "rotary" else _PLACES[count],
                    name,
                    group.name,
                )


def _is_known(group: Group) -> bool:
    sizes = group.base is not None and group.layout is not None
    rules = (None, *_RULES, *_SAME)
    kinds = type(group.scaling).__name__ != "Given"
    narrow = group.head_dim is not None and group.head_dim <= _WIDEST
    return group.turns and sizes and kinds and narrow and group.rule in rules


def _lengths(group: Group) -> list[tuple[float | None, float]]:
    """None, and twice the training texts' length where the scaling asks; and the last position."""
    longest = math.inf if group.scaling is None else group.scaling.longest()
    if math.isinf(longest):
        return [(None, 4097.0)]
    return [(None, longest - 1), (2 * longest, 2 * longest - 1)]


def _options(group: Group) -> Options:
    options = {
        "head_dim": group.head_dim,
        "rotary_dim": group.rotary_dim or group.head_dim,
        "base": group.base,
        "layout": group.layout,
        "scaling": scaling(group.scaling),
        "score": _score(group),
    }
    if not group.axes:
        return options
    rule = _RULES.get(str(group.rule), str(group.rule))
    sections = list(group.sections)
    if rule == "blocks":
        dims = [2 * pairs for pairs in sections]
        return {**options, "rule": rule, "dims": dims, "rotary_dim": sum(dims)}
    return {**options, "rule": rule, **({"pairs": sections} if sections else {})}


def scaling(given: Scaling | None) -> Options | None:
    """A scaling as its type and its fields, without those that are None."""
    if given is None:
        return None
    name = type(given).__name__
    fields = {key: value for key, value in vars(given).items() if key != "_" and value is not None}
    fields = {key: list(one) if isinstance(one, tuple) else one for key, one in fields.items()}
    return {"type": _NAMES.get(name, name.lower()), **fields}


def _score(group: Group) -> Options | None:
    """How scores are multiplied, None if the plan does not know it."""
    if group.score is None or group.score.scale is None:
        return None
    factor, scale = group.score.factor, group.score.scale
    width = round((factor / scale) ** 2)
    if factor == 1:
        return {"width": width}
    found = group.scaling
    if isinstance(found, YaRN) and found.mscale_all_dim:
        warmth = 0.1 * found.mscale_all_dim * math.log(found.factor) + 1
        if math.isclose(warmth**2, factor, rel_tol=1e-12):
            return {"width": width, "mscale": found.mscale_all_dim, "factor": found.factor}
    return {"width": width, "scale": scale}
