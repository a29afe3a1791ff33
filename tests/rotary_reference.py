"""The outputs of libraries in data/rotary/, and the values of posenc for the same options.

`reproduced` evaluates a record's `spec` with `posenc.rotary`. See the README there for the
vocabulary.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from posenc import Rotary
from posenc.rotary import LongRoPE
from posenc.rotary._caches import held
from scripts.vectors import encodings

FOLDER = Path(__file__).parent / "data" / "rotary"
_REFERENCE = json.loads((FOLDER / "reference.json").read_text(encoding="utf-8"))
with np.load(FOLDER / "reference.npz") as _file:
    ARRAYS: dict[str, np.ndarray] = dict(_file)
RECORDS: dict[str, dict[str, Any]] = {record["name"]: record for record in _REFERENCE["arrays"]}
# ALiBi, T5 and DeBERTa buckets and the orders of rows are no rotary encodings.
ROTARY = [n for n, r in RECORDS.items() if r["spec_kind"] in ("inv", "table", "rotated", "scores")]


NAMES = {
    **{"low": "low_freq_factor", "high": "high_freq_factor", "partial": "partial_rotary_factor"},
    **{"max": "max_position_embeddings", "original": "original_max_position_embeddings"},
}
FORMS = {"half": "once", "cat": "halves", "repeat": "interleaved"}
PARTS = {"cos": "cos", "sin": "sin", "stack": "both", "cos|sin": "cos|sin", "sin|cos": "sin|cos"}
RULES = {"mrope_interleaved": "interleaved", "pixel": "pixels"}


def length(spec: dict[str, Any]) -> float | None:
    return (spec.get("scaling") or {}).get("seq_len")


def rotary(spec: dict[str, Any]) -> Any:
    """The rotary encoding that a spec describes, of one coordinate or several."""
    scaling = dict(spec.get("scaling") or {})
    base = spec.get("base", 1.0)
    for name in ("seq_len", "clamp_high", "inverted"):
        scaling.pop(name, None)
    if scaling.get("type") == "base_times":
        base, scaling = base * scaling["factor"], {}
    if scaling.get("type") == "longrope":
        scaling["factor"] = scaling.pop("max") / scaling["original"]
        scaling["short_factor"] = scaling["long_factor"] = scaling.pop("factors")
    rule, width = spec.get("rule"), spec.get("dim") or sum(spec["dims"])
    options = {
        **{name: spec.get(name) for name in ("dims", "max_freq")},
        **{"rule": RULES.get(rule, rule), "pairs": spec.get("sections"), "length": length(spec)},
        **{"head_dim": spec.get("head_dim", width), "rotary_dim": width, "base": base},
        "layout": spec.get("layout", "halves"),
        "scaling": {NAMES.get(name, name): value for name, value in scaling.items()} or None,
    }
    found = encodings.rotary(options)
    if (spec.get("scaling") or {}).get("inverted"):  # the ramp of litgpt 0.5.13
        plain, ramp = Rotary(width, base=base).frequencies(), found.frequencies()
        divisors = plain / (plain + plain / scaling["factor"] - ramp)
        lists = LongRoPE(
            *(divisors, divisors), original_max_position_embeddings=1, attention_factor=1.0
        )
        return Rotary(found.head_dim, rotary_dim=width, base=base, scaling=lists)
    return found


def reproduced(spec: dict[str, Any], kind: str) -> np.ndarray | float:
    """The values of a record, in float64."""
    if kind == "inv":
        found = rotary(spec)
        of = found.attention_factor if spec.get("attention") else found.frequencies
        return of(length(spec))
    if kind == "table":
        return _table(spec)
    if kind == "rotated":
        return _rotated(spec, spec["which"])
    queries, keys = _rotated(spec, 0), _rotated(spec, 1)
    return np.array([queries[q] @ keys[k] for q, k in spec["pairs"]])


def _table(spec: dict[str, Any]) -> np.ndarray:
    """The columns of a cache: `form` repeats each pair's, `part` says which of the two."""
    if "rule" in spec:
        points = np.array(spec["coords"], np.float64)
        pairs = rotary(spec).cosine_sine(2 * points - 1 if spec["rule"] == "ltx" else points)
    else:
        pairs = rotary(spec).cosine_sine(spec["positions"], length(spec), attention=True)
    made = held(*pairs, PARTS[spec["part"]], FORMS[spec["form"]], 1.0)
    if spec["part"] == "stack":
        return np.moveaxis(made, 0, -1)
    return np.pad(made, [(0, 0), (spec.get("pad", 0), 0)], constant_values=spec["part"] == "cos")


def features(spec: dict[str, Any], which: int) -> np.ndarray:
    """The query (0) or key (1) that was rotated, `(rows, head_dim)`."""
    rows = len(spec["coords"] if "rule" in spec else spec["positions"])
    shape = (2, rows, spec["head_dim"])
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)[which]


def _rotated(spec: dict[str, Any], which: int) -> np.ndarray:
    x, found = features(spec, which).astype(np.float64), rotary(spec)
    if "rule" in spec:
        return found.rotate(x, spec["coords"])
    turned = found.rotate(x, spec["positions"], length(spec))
    if spec.get("out") == "halves":  # DeepSeek-V3 reads neighbours and writes halves
        turned = np.concatenate([turned[:, 0::2], turned[:, 1::2]], axis=-1)
    return turned
