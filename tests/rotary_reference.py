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
from posenc.rotary import NTK, DynamicNTK, Linear, Llama3, LongRoPE, Proportional, YaRN, axes

FOLDER = Path(__file__).parent / "data" / "rotary"
_REFERENCE = json.loads((FOLDER / "reference.json").read_text(encoding="utf-8"))
with np.load(FOLDER / "reference.npz") as _file:
    ARRAYS: dict[str, np.ndarray] = dict(_file)
RECORDS: dict[str, dict[str, Any]] = {record["name"]: record for record in _REFERENCE["arrays"]}
# ALiBi, T5 and DeBERTa buckets and the orders of rows are no rotary encodings.
ROTARY = [n for n, r in RECORDS.items() if r["spec_kind"] in ("inv", "table", "rotated", "scores")]


def scaling(options: dict[str, Any] | None, base: float, width: int) -> Any:
    """The scaling of a spec."""
    if options is None or options["type"] == "base_times":
        return None
    kind, factor = options["type"], options.get("factor")
    if kind == "linear":
        return Linear(factor)
    if kind == "power_linear":  # keras-hub calls it dynamic
        return Linear(factor ** (width / (width - 2)))
    if kind == "ntk":
        return NTK(factor)
    if kind == "dynamic":
        return DynamicNTK(factor, options["max"])
    if kind == "proportional":
        return Proportional(options["partial"], factor)
    if kind == "llama3":
        return Llama3(
            factor,
            low_freq_factor=options["low"],
            high_freq_factor=options["high"],
            original_max_position_embeddings=options["original"],
        )
    if kind == "longrope":
        return LongRoPE(
            options["factors"],
            options["factors"],
            original_max_position_embeddings=options["original"],
            factor=options["max"] / options["original"],
        )
    names = ("beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim", "attention_factor")
    yarn = YaRN(
        factor,
        original_max_position_embeddings=options["original"],
        **{name: options[name] for name in names if name in options},
    )
    return _inverted(yarn, base, width) if options.get("inverted") else yarn


def _inverted(yarn: YaRN, base: float, width: int) -> LongRoPE:
    """The ramp the other way round, as litgpt 0.5.13 has it, as one factor for each pair."""
    kept = Rotary(width, base=base).frequencies()
    ramp_reversed = kept + kept / yarn.factor - Rotary(width, base=base, scaling=yarn).frequencies()
    factors = kept / ramp_reversed
    attention = 1.0 if yarn.mscale_all_dim == 0 and yarn.mscale == 1 else yarn.attention(None)
    return LongRoPE(
        factors, factors, original_max_position_embeddings=1, attention_factor=attention
    )


def rotary(spec: dict[str, Any]) -> Rotary:
    """The rotary encoding of one coordinate that a spec describes."""
    options = spec.get("scaling")
    times = options["factor"] if options and options["type"] == "base_times" else 1.0
    base = spec["base"] * times
    return Rotary(
        spec.get("head_dim", spec["dim"]),
        base=base,
        rotary_dim=spec["dim"],
        layout=spec.get("layout", "halves"),
        scaling=scaling(options, base, spec["dim"]),
    )


def length(spec: dict[str, Any]) -> float | None:
    return (spec.get("scaling") or {}).get("seq_len")


def axial(spec: dict[str, Any]) -> axes.AxialRotary:
    """The rotary encoding of several coordinates that a spec describes."""
    layout = spec.get("layout", "halves")
    rule, width, base = spec["rule"], spec.get("dim"), spec.get("base")
    if rule == "blocks":
        return axes.blocks(spec["dims"], base=base, layout=layout)
    if rule == "mrope_interleaved":
        return axes.sections(rotary(spec), spec["sections"], interleaved=True)
    if rule == "pixtral":
        return axes.pixtral(width, base=base)
    if rule == "pixel":
        return axes.pixels(width, max_freq=spec["max_freq"], layout=layout)
    if rule == "alternate":
        return axes.alternate(width, base=base)
    assert rule == "ltx"
    return axes.ltx(width, base=base)


def cosine_sine(spec: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and sine of a spec's positions, `(rows, pairs)`, times the attention factor."""
    if "rule" in spec:
        coordinates = np.array(spec["coords"], np.float64)
        mapped = 2 * coordinates - 1 if spec["rule"] == "ltx" else coordinates
        return axial(spec).cosine_sine(mapped)
    encoding = rotary(spec)
    factor = encoding.attention_factor(length(spec))
    cosine, sine = encoding.cosine_sine(spec["positions"], length(spec))
    return cosine * factor, sine * factor


def reproduced(spec: dict[str, Any], kind: str) -> np.ndarray | float:
    """The values of a record, in float64."""
    if kind == "inv":
        encoding = rotary(spec)
        if spec.get("attention"):
            return encoding.attention_factor(length(spec))
        return encoding.frequencies(length(spec))
    if kind == "table":
        return _table(spec, *cosine_sine(spec))
    if kind == "rotated":
        return _rotated(spec, spec["which"])
    queries, keys = _rotated(spec, 0), _rotated(spec, 1)
    return np.array([queries[q] @ keys[k] for q, k in spec["pairs"]])


def _table(spec: dict[str, Any], cosine: np.ndarray, sine: np.ndarray) -> np.ndarray:
    """The columns of a cache: `form` repeats each pair's, `part` says which of the two."""

    def columns(values: np.ndarray, padding: float) -> np.ndarray:
        if spec["form"] == "cat":
            values = np.concatenate([values, values], axis=-1)
        if spec["form"] == "repeat":
            values = np.repeat(values, 2, axis=-1)
        return np.pad(values, [(0, 0), (spec.get("pad", 0), 0)], constant_values=padding)

    cosines, sines = columns(cosine, 1.0), columns(sine, 0.0)
    if spec["part"] in ("cos", "sin"):
        return cosines if spec["part"] == "cos" else sines
    if spec["part"] == "stack":
        return np.stack([cosines, sines], axis=-1)
    both = [cosines, sines] if spec["part"] == "cos|sin" else [sines, cosines]
    return np.concatenate(both, axis=-1)


def features(spec: dict[str, Any], which: int) -> np.ndarray:
    """The query (0) or key (1) that was rotated, `(rows, head_dim)`."""
    rows = len(spec["coords"] if "rule" in spec else spec["positions"])
    shape = (2, rows, spec["head_dim"])
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)[which]


def _rotated(spec: dict[str, Any], which: int) -> np.ndarray:
    x = features(spec, which).astype(np.float64)
    if "rule" in spec:
        return axial(spec).rotate(x, spec["coords"])
    turned = rotary(spec).rotate(x, spec["positions"], length(spec))
    if "xpos" in spec:
        turned *= _xpos_scale(spec) ** (1 if which == 0 else -1)
    if spec.get("out") == "halves":  # DeepSeek-V3 reads neighbours and writes halves
        turned = np.concatenate([turned[:, 0::2], turned[:, 1::2]], axis=-1)
    return turned


def _xpos_scale(spec: dict[str, Any]) -> np.ndarray:
    """The decay of xPos, `(rows, head_dim)`."""
    width, options = spec["dim"], spec["xpos"]
    zeta = (np.arange(0, width, 2) + 0.4 * width) / (1.4 * width)
    power = (np.array(spec["positions"]) - options["center"]) / options["scale_base"]
    return np.repeat(zeta ** power[:, np.newaxis], 2, axis=-1)
