"""Sinusoidal tables, grids, ALiBi and T5's buckets in plain NumPy.

`kind` is np.float64 or np.float32: each step is computed in it.
"""

import numpy as np


def waves(angles, o, kind):
    """Columns of a sinusoidal table: one axis of angles more than positions have."""
    height = kind(o["amplitude"] * o["width"] ** o["amplitude_power"])
    both = [height * np.sin(angles), height * np.cos(angles)]
    both = both if o["order"] == "sin_first" else both[::-1]
    if o["arrangement"] == "halves":
        table = np.concatenate(both, axis=-1)
    else:
        table = np.stack(both, axis=-1).reshape(len(angles), -1)
    missing = max(o["columns"] - table.shape[1], 0)
    return np.pad(table, [(0, 0), (0, missing)])[:, : o["columns"]]


def speeds(o, kind):
    over = kind(o["spread"] / 2 - o["freq_shift"])
    return kind(o["angle_scale"]) * kind(o["base"]) ** (-np.arange(o["pairs"], dtype=kind) / over)


def sinusoidal(case, kind):
    o = case["options"]
    w = speeds(o, kind)
    return {"frequencies": w, "table": waves(np.array(case["positions"], kind) * w, o, kind)}


def grid(case, kind):
    o = case["options"]
    sides = []
    for size, step in zip((o["height"], o["grid_width"]), o["spacing"], strict=True):
        places = (o["start"] + np.arange(size)) * step
        if o["normalized"]:
            places = places / (places[-1] + 1e-6) * 2 * np.pi
        sides.append(places)
    y, x = np.meshgrid(*sides, indexing="ij")
    order = "C" if o["listed"] == "rows" else "F"
    y, x = (side.ravel(order).astype(kind)[:, None] * speeds(o, kind) for side in (y, x))
    one, two = (waves(side, o, kind) for side in ((y, x) if o["axes"] == "yx" else (x, y)))
    parts = {"axes": 1, "kinds": 2, "pairs": o["pairs"]}[o["blocks"]]
    cut = [np.split(half, parts, axis=1) for half in (one, two)]
    return {
        "table": np.concatenate([part for both in zip(*cut, strict=True) for part in both], axis=1)
    }


def alibi(case, kind):
    heads, length = case["options"]["heads"], case["options"]["length"]
    whole = 2 ** int(np.log2(heads))
    powers = [8 * h / whole for h in range(1, whole + 1)]
    powers += [4 * h / whole for h in range(1, 2 * (heads - whole), 2)]
    slopes = kind(2) ** -np.array(powers, kind)
    return {"slopes": slopes, "bias": -np.outer(slopes, np.arange(length)[::-1])}


def t5(case, _kind):
    o = case["options"]
    offsets = np.array(case["positions"], int)[:, 0]
    side = o["buckets"] // (2 if o["bidirectional"] else 1)
    far = np.abs(offsets) if o["bidirectional"] else np.maximum(-offsets, 0)
    near = side // 2
    share = np.log(np.maximum(far, near) / near) / np.log(o["max_distance"] / near)
    large = np.minimum(near + np.floor(share * (side - near) + 1e-9).astype(int), side - 1)
    upper = side * (offsets > 0) if o["bidirectional"] else 0
    return {"buckets": np.where(far < near, far, large) + upper}
