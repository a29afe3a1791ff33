"""Rotary encodings from their definitions, to 60 digits: posenc.rotary is checked against them.

Nothing here comes from `posenc`. A scaling is a dict with `type` and the names of a Hugging
Face config.json; frequencies are lists of mpmath numbers. Sources: Su et al. 2021 (RoFormer)
section 3.4.2, Chen et al. 2023 (position interpolation), Peng et al. 2023 (YaRN) sections
3.1 to 3.4, Ding et al. 2024 (LongRoPE), and the code that Meta published with Llama 3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import MPContext

mp = MPContext()
mp.dps = 60

Numbers = list[Any]


def plain(base: Any, width: int) -> Numbers:
    """theta_i = base ** (-2 i / width)."""
    return [mp.mpf(base) ** (-mp.mpf(2 * i) / width) for i in range(width // 2)]


def frequencies(
    width: int, base: Any, scaling: dict[str, Any] | None = None, length: float | None = None
) -> Numbers:
    """Radians per position of each pair."""
    if scaling is None:
        return plain(base, width)
    return _RULES[scaling["type"]](width, mp.mpf(base), scaling, length)


def _linear(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    return [frequency / mp.mpf(scaling["factor"]) for frequency in plain(base, width)]


def _ntk(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    return plain(base * mp.mpf(scaling["factor"]) ** (mp.mpf(width) / (width - 2)), width)


def _dynamic(width: int, base: Any, scaling: dict[str, Any], length: float | None) -> Numbers:
    trained, factor = mp.mpf(scaling["max_position_embeddings"]), mp.mpf(scaling["factor"])
    if length is None or length <= trained:
        return plain(base, width)
    stretch = factor * mp.mpf(length) / trained - (factor - 1)
    return plain(base * stretch ** (mp.mpf(width) / (width - 2)), width)


def _llama3(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    """As in Meta's code: by wavelengths, and smoothly between the two limits."""
    old = mp.mpf(scaling["original_max_position_embeddings"])
    low, high = mp.mpf(scaling["low_freq_factor"]), mp.mpf(scaling["high_freq_factor"])
    scaled = []
    for frequency in plain(base, width):
        wavelength = 2 * mp.pi / frequency
        if wavelength < old / high:
            scaled.append(frequency)
        elif wavelength > old / low:
            scaled.append(frequency / mp.mpf(scaling["factor"]))
        else:
            smooth = (old / wavelength - low) / (high - low)
            scaled.append((1 - smooth) * frequency / mp.mpf(scaling["factor"]) + smooth * frequency)
    return scaled


def _yarn(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    """The pair that turns `rotations` times, the range between two of them, and the ramp."""

    def pair_that_turns(rotations: float) -> Any:
        wavelength = mp.mpf(scaling["original_max_position_embeddings"]) / mp.mpf(rotations)
        return width * mp.log(wavelength / (2 * mp.pi)) / (2 * mp.log(base))

    low = pair_that_turns(scaling.get("beta_fast", 32))
    high = pair_that_turns(scaling.get("beta_slow", 1))
    if scaling.get("truncate", True):
        low, high = mp.floor(low), mp.ceil(high)
    low, high = max(low, mp.mpf(0)), min(high, mp.mpf(width - 1))
    if low == high:
        high += mp.mpf("0.001")
    scaled = []
    for i, frequency in enumerate(plain(base, width)):
        interpolated = min(max((i - low) / (high - low), mp.mpf(0)), mp.mpf(1))
        divided = frequency / mp.mpf(scaling["factor"])
        scaled.append(interpolated * divided + (1 - interpolated) * frequency)
    return scaled


def _longrope(width: int, base: Any, scaling: dict[str, Any], length: float | None) -> Numbers:
    original = scaling["original_max_position_embeddings"]
    factors = scaling["short_factor" if length is None or length <= original else "long_factor"]
    pairs = zip(plain(base, width), factors, strict=True)
    return [frequency / mp.mpf(factor) for frequency, factor in pairs]


def _proportional(width: int, base: Any, scaling: dict[str, Any], _: Any) -> Numbers:
    turning = int(scaling["partial_rotary_factor"] * width // 2)
    factor = mp.mpf(scaling.get("factor", 1))
    kept = [frequency / factor for frequency in plain(base, width)[:turning]]
    return kept + [mp.mpf(0)] * (width // 2 - turning)


_RULES: dict[str, Callable[[int, Any, dict[str, Any], float | None], Numbers]] = {
    "linear": _linear,
    "ntk": _ntk,
    "dynamic": _dynamic,
    "llama3": _llama3,
    "yarn": _yarn,
    "longrope": _longrope,
    "proportional": _proportional,
}


def attention_factor(scaling: dict[str, Any] | None) -> Any:
    """The factor that multiplies cosine and sine: YaRN section 3.4, LongRoPE's code."""
    if scaling is None or scaling["type"] not in ("yarn", "longrope"):
        return mp.one
    if scaling.get("attention_factor") is not None:
        return mp.mpf(scaling["attention_factor"])
    factor = mp.mpf(scaling["factor"])
    if factor <= 1:
        return mp.one
    if scaling["type"] == "longrope":
        original = mp.mpf(scaling["original_max_position_embeddings"])
        return mp.sqrt(1 + mp.log(factor) / mp.log(original))

    def warmth(mscale: float) -> Any:
        return mp.mpf(mscale) * mp.log(factor) / 10 + 1

    return warmth(scaling.get("mscale", 1)) / warmth(scaling.get("mscale_all_dim", 0))


def cosine_sine(position: Any, turning: Numbers) -> tuple[Numbers, Numbers]:
    """Cosine and sine of one position at each of the frequencies `turning`."""
    angles = [mp.mpf(position) * frequency for frequency in turning]
    return [mp.cos(angle) for angle in angles], [mp.sin(angle) for angle in angles]


def rotate(x: list[float], position: Any, turning: Numbers, layout: str) -> Numbers:
    """One head of features: each pair times the matrix [[cos, -sin], [sin, cos]]."""
    turned = [mp.mpf(feature) for feature in x]
    pairs = len(turning)
    for i, angle in enumerate(mp.mpf(position) * frequency for frequency in turning):
        first, second = (i, i + pairs) if layout == "halves" else (2 * i, 2 * i + 1)
        x1, x2 = mp.mpf(x[first]), mp.mpf(x[second])
        turned[first] = x1 * mp.cos(angle) - x2 * mp.sin(angle)
        turned[second] = x1 * mp.sin(angle) + x2 * mp.cos(angle)
    return turned


def axial(rule: str, width: int, base: Any, **options: Any) -> list[tuple[int, Any]]:
    """Coordinate and frequency of each pair, for rules of two or three coordinates.

    Pair by pair and from the definitions that the libraries' own code follows.
    """
    base, half = mp.mpf(base), width // 2
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
        return [(i % 2, base ** (-mp.mpf(4 * (i // 2)) / width)) for i in range(half)]
    if rule == "pixtral":
        heights = [(0, base ** (-mp.mpf(4 * j) / width)) for j in range(half // 2)]
        return heights + [(1, base ** (-mp.mpf(4 * j + 2) / width)) for j in range(half // 2)]
    if rule == "dinov3":
        turns = [2 * mp.pi * base ** (-mp.mpf(4 * j) / width) for j in range(half // 2)]
        return [(axis, turn) for axis in (0, 1) for turn in turns]
    if rule == "pixels":
        steps = mp.linspace(1, mp.mpf(options["max_freq"]) / 2, half // 2)
        return [(axis, mp.pi * step) for axis in (0, 1) for step in steps]
    assert rule == "ltx"
    steps = mp.linspace(0, 1, half // 3)
    return [(axis, mp.pi / 2 * base**step) for step in steps for axis in (0, 1, 2)]
