"""Rotary encodings in plain NumPy, in one coordinate or several.

`kind` is np.float64 or np.float32: each step is computed in it.
"""

import numpy as np


def progression(base, width, kind):
    exponents = np.arange(0, width, 2, dtype=kind) / kind(width)
    return kind(1) / kind(base) ** exponents


def rotary_frequencies(o, kind):
    """Radians per position of each pair, and the attention factor."""
    base, d, s, length = float(o["base"]), o["rotary_dim"], o["scaling"] or {}, o["length"]
    name, factor = s.get("type"), s.get("factor", 1)
    if name in ("ntk", "dynamic", "stepped"):
        trained = s.get("max_position_embeddings", 1)
        ratio = max(length or 0, trained) / trained
        if name == "dynamic":
            factor = factor * ratio - (factor - 1)
        if name == "stepped":
            factor = 2 ** np.ceil(np.log2(2 * ratio)) - 1
        return progression(base * factor ** (d / (d - 2)), d, kind), 1
    w, old = progression(base, d, kind), s.get("original_max_position_embeddings")
    if name == "linear":
        return w / kind(factor), 1
    if name == "proportional":
        turning = int(s["partial_rotary_factor"] * d / 2)
        return np.where(np.arange(d // 2) < turning, w / kind(factor), kind(0)), 1
    if name == "llama3":
        low, high = s["low_freq_factor"], s["high_freq_factor"]
        keep = np.clip((old * w / kind(2 * np.pi) - low) / (high - low or 1e-9), 0, 1)
        return w * keep + (1 - keep) * w / kind(factor), 1
    if name == "yarn":
        betas = s.get("beta_fast", 32), s.get("beta_slow", 1)
        first, last = (d * np.log(old / (b * 2 * np.pi)) / (2 * np.log(base)) for b in betas)
        if s.get("truncate", True):
            first, last = np.floor(first), np.ceil(last)
        first, last = max(first, 0), min(last, d - 1)
        ramp = (np.arange(d // 2) - first) / (last - first if last != first else 0.001)
        ramp = np.clip(ramp, 0, 1).astype(kind)
        g = [
            0.1 * m * np.log(max(factor, 1)) + 1
            for m in (s.get("mscale", 1), s.get("mscale_all_dim", 0))
        ]
        return w * ramp / kind(factor) + w * (1 - ramp), s.get("attention_factor", g[0] / g[1])
    if name == "longrope":
        which = "long" if length and length > old else "short"
        rule = np.sqrt(1 + np.log(factor) / np.log(old)) if factor > 1 else 1
        attention = s.get(which + "_mscale", s.get("attention_factor", rule))
        return w / np.array(s[which + "_factor"], kind), attention
    return w, 1


def turning(o, kind):
    """The coordinate and the frequency of each pair, and the attention factor."""
    rule, d = o.get("rule"), o["rotary_dim"]
    n, quarter = d // 2, np.arange(max(d // 4, 1), dtype=kind)
    two = np.arange(n) // max(n // 2, 1)
    if rule in (None, "sections", "interleaved"):
        w, attention = rotary_frequencies(o, kind)
        pairs = o.get("pairs", [n])
        axes = np.repeat(np.arange(len(pairs)), pairs)
        if rule == "interleaved":
            count = len(pairs)
            axes = np.array([j % count if j < count * pairs[j % count] else 0 for j in range(n)])
        return axes, w, attention
    if rule == "blocks":
        axes = np.repeat(np.arange(len(o["dims"])), np.array(o["dims"]) // 2)
        return axes, np.concatenate([progression(o["base"], width, kind) for width in o["dims"]]), 1
    if rule == "alternate":
        return np.arange(n) % 2, np.repeat(progression(o["base"], n, kind), 2), 1
    if rule == "pixtral":
        w = progression(o["base"], d, kind)
        return two, np.concatenate([w[::2], w[1::2]]), 1
    if rule == "dinov3":
        return two, np.tile(kind(2 * np.pi) * progression(o["base"], n, kind), 2), 1
    if rule == "pixels":
        steps = 1 + quarter / kind(max(n // 2 - 1, 1)) * kind(o["max_freq"] / 2 - 1)
        return two, np.tile(kind(np.pi) * steps, 2), 1
    steps = np.arange(n // 3, dtype=kind) / kind(max(n // 3 - 1, 1))  # ltx
    return np.arange(n) % 3, np.repeat(kind(np.pi / 2) * kind(o["base"]) ** steps, 3), 1


def turn(x, cos, sin, layout):
    out, width = x.copy(), 2 * cos.shape[1]
    halves = slice(0, width // 2), slice(width // 2, width)
    one, two = halves if layout == "halves" else (slice(0, width, 2), slice(1, width, 2))
    out[:, one] = x[:, one] * cos - x[:, two] * sin
    out[:, two] = x[:, one] * sin + x[:, two] * cos
    return out


def rotated(case, q, k, kind):
    o = case["options"]
    axes, w, attention = turning(o, kind)
    angles = np.array(case["positions"], kind)[:, axes] * w
    cos, sin = kind(attention) * np.cos(angles), kind(attention) * np.sin(angles)
    q, k = (turn(x.astype(kind), cos, sin, o["layout"]) for x in (q, k))
    out = {"frequencies": w, "attention_factor": attention, "cos": cos, "sin": sin, "q": q, "k": k}
    if o["score"]:
        score = o["score"]
        factor = (0.1 * score.get("mscale", 0) * np.log(score.get("factor", 1)) + 1) ** 2
        scale = score.get("scale", factor / np.sqrt(score["width"]))
        out |= {"score_scale": scale, "score_factor": scale * np.sqrt(score["width"])}
        out["scores"] = q @ k.T * kind(scale)
    return out
