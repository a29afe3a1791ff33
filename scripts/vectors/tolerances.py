"""How far right code in float64, float32 or bfloat16 may be from the exact outputs.

`RULES` say it in words for the files. The bounds hold for code that rounds each of its steps once.
"""

from __future__ import annotations

import numpy as np

from scripts.vectors.cases import Case, Options
from scripts.vectors.exact import Array, Exact

Tolerance = dict[str, list[float]]
UNITS = {"float64": 2.0**-53, "float32": 2.0**-24, "bfloat16": 2.0**-8}
RELATIVE = ("frequencies", "attention_factor", "score_scale", "score_factor", "slopes")
_OWN_SPEEDS = ("dinov3", "pixels", "ltx")

RULES = {
    "units": "u is the largest relative error of one rounding: 2^-53, 2^-24, 2^-8. bfloat16 means "
    "that frequencies, angles, cosines and sines are computed in float32, and that the table, the "
    "products and their sums are rounded to bfloat16.",
    "frequencies": "Relative. The frequency w = base^-e is off by e = 4 |ln w| + c roundings of "
    "float32 or float64: its exponent, the power and the division. c is 4 without a scaling and 40 "
    "with one. A mixture of kept and divided frequencies (Llama 3, YaRN) has the error of the kept "
    "one, so that its relative error grows with the factor.",
    "cos, sin": "Absolute, one number for each position p. The angle p w is off by p times the "
    "error of w, and by 2 roundings; A is the largest such error of a row, at most 2. Cosine and "
    "sine are off by (A + 4 u) times the attention factor; in bfloat16 by one more rounding.",
    "q, k": "Absolute. With X the largest feature, 2 X times the error of cosine and sine; in "
    "bfloat16 the table, two products and their sum add 6 u X times the attention factor.",
    "scores": "Absolute. |q| |k| times the scale, the attention factor squared, and the errors of "
    "both rotations, A + 6 u for each, and d u for the sum of d products; 13 u more in bfloat16.",
    "table": "Absolute. As for cosine and sine, with the amplitude for the attention factor.",
    "slopes, bias": "Relative to the largest: 4 u; in bfloat16 2 u of its own.",
    "factors": "Relative: 16 u in float64 or float32.",
    "buckets": "0: whole numbers.",
}


def tolerances(case: Case, found: Exact, queries: Array, keys: Array) -> dict[str, Tolerance]:
    """For each dtype and each output one number for each row, all absolute but `RELATIVE`."""
    made = {}
    for dtype, unit in UNITS.items():
        fine, last = (UNITS["float32"], unit) if dtype == "bfloat16" else (unit, 0.0)
        if case.kind in ("rotary", "axial"):
            made[dtype] = _of_rotation(case, found, (queries, keys), fine, last)
        else:
            made[dtype] = _of_table(case, found, fine, last)
    return made


def _of_table(case: Case, found: Exact, fine: float, last: float) -> Tolerance:
    """`fine` is the unit of most steps, `last` that of the last ones if it is another."""
    if case.kind == "t5":
        return {"buckets": [0.0]}
    if case.kind == "alibi":
        own = 4 * fine + 2 * last
        return {"slopes": [own], "bias": _listed(own * np.abs(found.outputs["bias"]).max(axis=1))}
    options, table = case.options, found.outputs["table"]
    if case.kind == "grid":
        sizes = options["start"] + max(options["height"], options["grid_width"])
        furthest = 2 * np.pi if options["normalized"] else sizes
        return {"table": [(40 * furthest + 4) * fine + last] * len(table)}
    height = options["amplitude"] * options["width"] ** options["amplitude_power"]
    relative, off = _off(case, found, fine)
    return {"frequencies": [relative], "table": _listed(height * (off + 4 * fine + last))}


def _of_rotation(
    case: Case, found: Exact, given: tuple[Array, Array], fine: float, last: float
) -> Tolerance:
    factor = found.outputs["attention_factor"][0, 0]
    relative, off = _off(case, found, fine)
    largest = [float(np.abs(x).max()) for x in given]
    turned = [_listed(factor * x * (2 * off + 8 * fine + 6 * last)) for x in largest]
    waves = _listed(factor * (off + 4 * fine + last))
    made = {"frequencies": [relative], "cos": waves, "sin": waves, "q": turned[0], "k": turned[1]}
    made["attention_factor"] = [16 * fine]
    if "scores" in found.outputs:
        own = off + (6 + given[0].shape[1] / 2) * fine + 6.5 * last
        scale = abs(found.outputs["score_scale"][0, 0]) * factor**2
        lengths = [np.linalg.norm(x, axis=1) for x in given]
        both = np.add.outer(own, own) * np.outer(*lengths) * scale
        made |= {"scores": _listed(both.max(axis=1)), "score_scale": [16 * fine]}
        made["score_factor"] = [16 * fine]
    return made


def _off(case: Case, found: Exact, unit: float) -> tuple[float, Array]:
    """The relative error of the frequencies, and the largest error of an angle in each row."""
    speeds = found.outputs["frequencies"][0]
    turning, kept = speeds > 0, _kept(case.options, speeds)
    simple = case.options.get("scaling") is None and case.options.get("rule") not in _OWN_SPEEDS
    count = 4 if simple and case.options.get("angle_scale", 1) == 1 else 40
    logarithms = np.log(kept, where=turning, out=np.zeros_like(kept))
    error = (4 * np.abs(logarithms) + count) * kept * turning * unit
    relative = float((error[turning] / speeds[turning]).max())
    places = np.abs(np.array(case.positions, np.float64))
    places = places[:, found.axes] if found.axes else places
    return relative, np.minimum((places * (error + 2 * unit * speeds)).max(axis=1), 2.0)


def _kept(options: Options, speeds: Array) -> Array:
    """The frequencies that rounding errors are proportional to: those that a scaling mixes."""
    if (options.get("scaling") or {}).get("type") not in ("llama3", "yarn"):
        return speeds
    plain: Array = options["base"] ** (-np.arange(len(speeds)) / len(speeds))
    return plain


def _listed(rows: Array) -> list[float]:
    return [float(row) for row in rows]
