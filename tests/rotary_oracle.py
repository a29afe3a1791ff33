"""Rotary encodings from their definitions, in balls: posenc.rotary is checked against them.

Nothing here comes from `posenc`. A scaling is a dict with `type` and the names of a Hugging
Face config.json; frequencies are lists of balls. Sources: Su et al. 2021 (RoFormer)
section 3.4.2, Chen et al. 2023 (position interpolation), Peng et al. 2023 (YaRN) sections
3.1 to 3.4, Ding et al. 2024 (LongRoPE), and the code that Meta published with Llama 3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests import balls
from tests.balls import ball

Numbers = list[Any]


def plain(base: Any, width: int) -> Numbers:
    """theta_i = base ** (-2 i / width)."""
    return [ball(base) ** (-ball(2 * i) / width) for i in range(width // 2)]


def frequencies(
    width: int, base: Any, scaling: dict[str, Any] | None = None, length: float | None = None
) -> Numbers:
    """Radians per position of each pair."""
    if scaling is None:
        return plain(base, width)
    return _RULES[scaling["type"]](width, ball(base), scaling, length)


def _linear(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    return [frequency / ball(scaling["factor"]) for frequency in plain(base, width)]


def _ntk(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    return plain(base * ball(scaling["factor"]) ** (ball(width) / (width - 2)), width)


def _dynamic(width: int, base: Any, scaling: dict[str, Any], length: float | None) -> Numbers:
    trained, factor = ball(scaling["max_position_embeddings"]), ball(scaling["factor"])
    if length is None or length <= trained:
        return plain(base, width)
    stretch = factor * ball(length) / trained - (factor - 1)
    return plain(base * stretch ** (ball(width) / (width - 2)), width)


def _stepped(width: int, base: Any, scaling: dict[str, Any], length: float | None) -> Numbers:
    """As in the code published with Qwen 1: the factor is 1, 3, 7, ... by the text's length."""
    ratio, power = (length or 0) / scaling["max_position_embeddings"], 2
    while power < 2 * ratio:
        power *= 2
    return plain(base * ball(power - 1) ** (ball(width) / (width - 2)), width)


def _llama3(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    """As in Meta's code: by wavelengths, and smoothly between the two limits."""
    old = ball(scaling["original_max_position_embeddings"])
    low, high = ball(scaling["low_freq_factor"]), ball(scaling["high_freq_factor"])
    scaled = []
    for frequency in plain(base, width):
        wavelength = 2 * balls.pi / frequency
        if wavelength < old / high:
            scaled.append(frequency)
        elif wavelength > old / low:
            scaled.append(frequency / ball(scaling["factor"]))
        else:
            smooth = (old / wavelength - low) / (high - low)
            scaled.append((1 - smooth) * frequency / ball(scaling["factor"]) + smooth * frequency)
    return scaled


def _yarn(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    """The pair that turns `rotations` times, the range between two of them, and the ramp."""

    def pair_that_turns(rotations: float) -> Any:
        wavelength = ball(scaling["original_max_position_embeddings"]) / ball(rotations)
        return width * balls.log(wavelength / (2 * balls.pi)) / (2 * balls.log(base))

    fast, slow = scaling.get("beta_fast", 32), scaling.get("beta_slow", 1)
    low = pair_that_turns(fast)
    high = low if fast == slow else pair_that_turns(slow)
    if scaling.get("truncate", True):
        low, high = balls.floor(low), -balls.floor(-high)
    low, high = max(low, ball(0)), min(high, ball(width - 1))
    if low == high:
        high += ball("0.001")
    scaled = []
    for i, frequency in enumerate(plain(base, width)):
        interpolated = min(max((i - low) / (high - low), ball(0)), ball(1))
        divided = frequency / ball(scaling["factor"])
        scaled.append(interpolated * divided + (1 - interpolated) * frequency)
    return scaled


def _longrope(width: int, base: Any, scaling: dict[str, Any], length: float | None) -> Numbers:
    original = scaling["original_max_position_embeddings"]
    factors = scaling["short_factor" if length is None or length <= original else "long_factor"]
    pairs = zip(plain(base, width), factors, strict=True)
    return [frequency / ball(factor) for frequency, factor in pairs]


def _proportional(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    turning = int(scaling["partial_rotary_factor"] * width // 2)
    factor = ball(scaling.get("factor", 1))
    kept = [frequency / factor for frequency in plain(base, width)[:turning]]
    return kept + [ball(0)] * (width // 2 - turning)


_RULES: dict[str, Callable[[int, Any, dict[str, Any], float | None], Numbers]] = {
    "linear": _linear,
    "ntk": _ntk,
    "dynamic": _dynamic,
    "stepped": _stepped,
    "llama3": _llama3,
    "yarn": _yarn,
    "longrope": _longrope,
    "proportional": _proportional,
}


def attention_factor(scaling: dict[str, Any] | None, length: float | None = None) -> Any:
    """The factor that multiplies cosine and sine: YaRN section 3.4, LongRoPE's code."""
    if scaling is None or scaling["type"] not in ("yarn", "longrope"):
        return ball(1)
    long = length is not None and length > scaling["original_max_position_embeddings"]
    if (mscale := scaling.get("long_mscale" if long else "short_mscale")) is not None:
        return ball(mscale)
    if scaling.get("attention_factor") is not None:
        return ball(scaling["attention_factor"])
    factor = ball(scaling["factor"])
    if factor <= 1:
        return ball(1)
    if scaling["type"] == "longrope":
        original = ball(scaling["original_max_position_embeddings"])
        return balls.sqrt(1 + balls.log(factor) / balls.log(original))

    def warmth(mscale: float) -> Any:
        return ball(mscale) * balls.log(factor) / 10 + 1

    return warmth(scaling.get("mscale", 1)) / warmth(scaling.get("mscale_all_dim", 0))


def axial(rule: str, width: int, base: Any, **options: Any) -> list[tuple[int, Any]]:
    """Coordinate and frequency of each pair, for rules of two or three coordinates.

    Pair by pair and from the definitions that the libraries' own code follows.
    """
    base, half = ball(base), width // 2
    if rule == "blocks":
        dims = options["dims"]
        return [(axis, w) for axis, dim in enumerate(dims) for w in plain(base, dim)]
    if rule == "sections":
        ends = [sum(options["pairs"][: axis + 1]) for axis in range(len(options["pairs"]))]
        which = [next(axis for axis, end in enumerate(ends) if i < end) for i in range(half)]
        return list(zip(which, plain(base, width), strict=True))
    if rule == "interleaved":
        pairs = options["pairs"]
        which = [i % 3 if i < 3 * pairs[i % 3] else 0 for i in range(half)]
        return list(zip(which, plain(base, width), strict=True))
    if rule == "alternate":
        return [(i % 2, base ** (-ball(4 * (i // 2)) / width)) for i in range(half)]
    if rule == "pixtral":
        heights = [(0, base ** (-ball(4 * j) / width)) for j in range(half // 2)]
        return heights + [(1, base ** (-ball(4 * j + 2) / width)) for j in range(half // 2)]
    if rule == "dinov3":
        turns = [2 * balls.pi * base ** (-ball(4 * j) / width) for j in range(half // 2)]
        return [(axis, turn) for axis in (0, 1) for turn in turns]
    if rule == "pixels":
        steps = balls.steps(1, ball(options["max_freq"]) / 2, half // 2)
        return [(axis, balls.pi * step) for axis in (0, 1) for step in steps]
    assert rule == "ltx"
    steps = balls.steps(0, 1, half // 3)
    return [(axis, balls.pi / 2 * base**step) for step in steps for axis in (0, 1, 2)]
