"""Generated tables for `identify`, with what is true about each: made in NumPy, not by posenc.

`known(seed)` makes a table that is something known, `others(seed)` one that is not what it looks
like. A `Made` says what an answer may state, what it must say, and gives the exact encoding at any
position: a wrong base, scaling or convention then shows in rows that the table does not have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from posenc import CONVENTIONS

Array = np.ndarray[Any, Any]
Random = np.random.Generator
BASES = (100.0, 1000.0, 5000.0, 10_000.0, 150_000.0, 500_000.0, 1e6, 5e6, 1e7)
STEP = {"bfloat16": 2.0**-8, "float16": 2.0**-11, "float32": 2.0**-23, "float64": 2.0**-45}


@dataclass(frozen=True, kw_only=True)
class Made:
    """A table and what is true about it.

    `bases` and `scalings` are all that an answer may name; `sections` has the coordinate of each
    pair, if there are several. `at` gives the exact rows at positions, which run from `first` in
    steps of `step`; `fine` is the largest error that roundings leave in the table's values.
    `words` must stand in the answer, `never` must not.
    """

    family: str
    table: Array | dict[str, Array]
    known: bool = True
    bases: tuple[float, ...] = ()
    scalings: tuple[str, ...] = ()
    sections: tuple[int, ...] = ()
    at: Callable[[Array], Array] | None = None
    first: float | None = None
    step: float = 1.0
    fine: float = STEP["float64"]
    words: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def rounded(values: Array, form: str) -> Array:
    """`values` rounded once to `form`, as float64."""
    if form == "bfloat16":
        exponent = np.frexp(values)[1] - 8
        return np.ldexp(np.rint(np.ldexp(values, -exponent)), exponent)
    return np.asarray(values, form).astype(np.float64)


def stored(values: Array, form: str) -> Array:
    """`values` as a file holds them: bfloat16 in a float32 array."""
    return rounded(values, form).astype(np.float32 if form == "bfloat16" else form)


def powers(base: float, pairs: int, spread: float | None = None) -> Array:
    return base ** (-np.arange(pairs) / (spread or pairs))


def sinusoid(positions: Array, d: int, kind: dict[str, Any]) -> Array:
    """The table of a convention from its options, at `positions`."""
    full = d + d % 2 if kind["odd"] in ("truncate", "ceil", "overflow") else d - d % 2
    spread = kind["spread"] or (full if kind["odd"] == "ceil" else d)
    if kind["odd"] == "pad" and not kind["spread"]:
        spread = full
    frequency = powers(kind["base"], full // 2, spread / 2 - kind["freq_shift"])
    angles = np.outer(positions, kind["angle_scale"] * frequency)
    both = [np.sin(angles), np.cos(angles)][:: 1 if kind["order"] == "sin_first" else -1]
    halves = kind["layout"] == "halves"
    table = np.concatenate(both, 1) if halves else np.stack(both, 2).reshape(len(angles), full)
    if kind["odd"] in ("truncate", "ceil"):
        table = table[:, :d]
    elif d % 2 and kind["odd"] == "pad":
        table = np.pad(table, ((0, 0), (0, 1)))
    size = kind["amplitude"] * float(d) ** kind["amplitude_power"]
    return np.asarray(size * table)


OPTIONS: dict[str, Any] = {
    "layout": "interleaved",
    "order": "sin_first",
    "freq_shift": 0.0,
    "spread": None,
    "base": 10_000.0,
    "angle_scale": 1.0,
    "odd": "error",
    "amplitude": 1.0,
    "amplitude_power": 0.0,
}


def pick(random: Random, *values: Any) -> Any:
    return values[random.integers(len(values))]


def a_dtype(random: Random) -> str:
    return str(pick(random, "float64", "float32", "float32", "float16", "bfloat16"))


def a_base(random: Random) -> float:
    return (
        float(f"{10 ** random.uniform(2, 7):.3g}")
        if random.random() < 0.3
        else pick(random, *BASES)
    )


# Tables that are something known


def convention(random: Random) -> Made:
    """One of all conventions, from some position on, perhaps falling."""
    kind = OPTIONS | {
        "layout": pick(random, "interleaved", "halves"),
        "order": pick(random, "sin_first", "cos_first"),
        "freq_shift": float(pick(random, 0, 0, 1)),
        "base": a_base(random),
        "amplitude": float(pick(random, 1, 1, 1, 0.02, 8)),
    }
    d = 2 * int(random.integers(4, 65))
    if random.random() < 0.2:
        d, kind["odd"] = d + 1, pick(random, "truncate", "pad")
    return of_convention(random, kind, d)


def of_convention(random: Random, kind: dict[str, Any], d: int, first: float = 0.0) -> Made:
    dtype, step = a_dtype(random), pick(random, 1, 1, 1, 1, -1)
    if kind["base"] < 1 or kind["angle_scale"] != 1:  # angles that grow fast, or a time's
        dtype, step = "float64", 1
    elif step > 0 and random.random() < 0.4:
        first = float(random.integers(1, 200))
    length = int(random.integers(40, 300))
    if step < 0:
        first = float(length - 1 + random.integers(0, 3))
    made = sinusoids(kind, d, first + step * np.arange(length), dtype)
    return replace(made, step=step, words=(r"\bfall|revers",) if step < 0 else ())


def sinusoids(kind: dict[str, Any], d: int, positions: Array, dtype: str) -> Made:
    def at(positions: Array) -> Array:
        return sinusoid(positions, d, kind)

    return Made(
        family="convention",
        table=stored(at(positions), dtype),
        bases=(kind["base"],),
        at=at,
        first=float(positions[0]),
        fine=STEP[dtype] * kind["amplitude"] * d ** kind["amplitude_power"],
    )


def library(random: Random) -> Made:
    """The table of a library, by the options that the package lists."""
    name = pick(random, *sorted(CONVENTIONS))
    kind = asdict(CONVENTIONS[name])
    first, d = kind.pop("start"), 2 * int(random.integers(8, 65))
    equal = [n for n, one in CONVENTIONS.items() if one == CONVENTIONS[name]]
    made = of_convention(random, kind, d, first)
    same = made.first == first and made.step == 1
    return replace(made, family="library", words=("|".join(equal),) if same else made.words)


def times(random: Random) -> Made:
    """A time embedding with times in equal steps, in [0, 1] or from 999 down."""
    order, shift = pick(random, "sin_first", "cos_first"), float(pick(random, 0, 1))
    kind = OPTIONS | {"layout": "halves", "order": order, "freq_shift": shift}
    d, dtype = 2 * int(random.integers(8, 129)), pick(random, "float64", "float32")
    length = int(pick(random, 20, 50, 100))
    kind["angle_scale"] = 1 / (length - 1) if pick(random, 1.0, 1000.0) == 1 else 1.0
    made = sinusoids(kind, d, np.arange(float(length)), dtype)
    return replace(made, family="time embedding")


def llama3(frequency: Array, factor: float, original: float) -> Array:
    kept = np.clip((original * frequency / (2 * np.pi) - 1) / 3, 0, 1)
    return frequency * (kept + (1 - kept) / factor)


def yarn(base: float, pairs: int, factor: float, original: float, truncate: bool) -> Array:
    ends = [pairs * math.log(original / (2 * np.pi * b)) / math.log(base) for b in (32, 1)]
    if truncate:
        ends = [math.floor(ends[0]), math.ceil(ends[1])]
    low, high = max(ends[0], 0), min(ends[1], 2 * pairs - 1)
    share = np.clip((np.arange(pairs) - low) / max(high - low, 0.001), 0, 1)
    return powers(base, pairs) * (share / factor + 1 - share)


def a_rule(random: Random, pairs: int) -> dict[str, Any]:
    """Frequencies of a rotary encoding: what an answer may and must state about them."""
    base = a_base(random)
    plain = powers(base, pairs)
    rule: dict[str, Any] = {"frequency": plain, "bases": (base,), "scalings": (), "size": 1.0}
    kind = pick(random, "", "", "", "Linear", "NTK", "Llama3", "YaRN", "Proportional")
    factor = float(pick(random, 2, 4, 8, 16, 32))
    if kind in ("Llama3", "YaRN"):  # of long texts and large bases
        base = float(pick(random, 10_000, 150_000, 500_000, 1e6))
        rule["bases"], pairs_plain = (base,), powers(base, pairs)
        original = float(pick(random, 4096, 8192, 32_768))
        if kind == "Llama3":
            rule["frequency"] = llama3(pairs_plain, factor, 8192.0)
        else:
            rule["frequency"] = yarn(base, pairs, factor, original, bool(random.random() < 0.8))
            rule["size"] = 0.1 * math.log(factor) + 1
    elif kind == "Linear":
        rule["frequency"] = plain / factor
    elif kind == "NTK":
        longer = base * factor ** (pairs / (pairs - 1))
        rule |= {"frequency": powers(longer, pairs), "bases": (base, longer)}
    elif kind == "Proportional":
        turning = pairs // 4
        rule["frequency"] = np.where(np.arange(pairs) < turning, plain, 0.0)
    same = {"NTK": ("NTK", "DynamicNTK", "SteppedNTK")}
    rule["scalings"] = same.get(kind, (kind,)) if kind else ()
    return rule


def held(angles: Array, part: str, form: str, size: float = 1.0) -> Array:
    """Cosines and sines of `angles` as a cache holds them; (2, n, width) if `part` is both."""
    if form == "halves":
        angles = np.concatenate([angles, angles], 1)
    elif form == "interleaved":
        angles = np.repeat(angles, 2, 1)
    of = {"cos": np.cos, "sin": np.sin}
    parts = [size * of[name](angles) for name in ("cos|sin" if part == "both" else part).split("|")]
    return np.stack(parts) if part == "both" else np.concatenate(parts, 1)


def named(values: Array, part: str) -> Array | dict[str, Array]:
    return {"cos": values[0], "sin": values[1]} if part == "both" else values


def a_form(random: Random) -> tuple[str, str]:
    part = pick(random, "both", "both", "cos", "sin", "cos|sin", "sin|cos")
    return part, pick(random, "halves", "interleaved", "once")


def cache(random: Random) -> Made:
    """A rotary cache with or without a scaling, from some position on, values rounded."""
    pairs = int(pick(random, 16, 20, 32, 40, 48, 64, 128))
    rule, (part, form), dtype = a_rule(random, pairs), a_form(random), a_dtype(random)
    first = float(pick(random, 0, 0, 0, random.integers(1, 500), 5000))
    length = int(random.integers(64, 600))
    size = rule["size"] * float(pick(random, 1, 1, 1, 0.5, 8))
    if "YaRN" in rule["scalings"] or "Llama3" in rule["scalings"]:
        dtype, length = pick(random, "float32", "float64"), 2048  # slow pairs have to turn
    made = turning({**rule, "size": size}, first + np.arange(length), (part, form, dtype))
    return replace(made, family=f"cache {''.join(rule['scalings'][:1])}".strip())


def turning(rule: dict[str, Any], places: Array, kind: tuple[str, str, str]) -> Made:
    """The cache of `rule` at `places`; `kind` are its part, form and dtype."""
    part, form, dtype = kind

    def at(positions: Array) -> Array:
        return held(np.outer(positions, rule["frequency"]), part, form, rule["size"])

    return Made(
        family="cache",
        table=named(stored(at(places), dtype), part),
        bases=rule["bases"],
        scalings=rule["scalings"],
        at=at,
        first=float(places[0]),
        fine=STEP[dtype] * rule["size"],
    )


def rounding(random: Random) -> Made:
    """A table whose frequencies, positions or angles were rounded, perhaps its values too."""
    pairs, base = int(pick(random, 16, 32, 48, 64)), a_base(random)
    where, form = pick(random, "frequenc", "position", "angle"), pick(random, "bfloat16", "float16")
    length = int(pick(random, 512, 1024, 2048))
    if (where, form) == ("position", "float16"):
        length = 4096  # float16 has every whole number up to 2048
    if base > 1e6 and form == "float16":
        base = 10_000.0  # where float16 keeps the slowest frequencies
    frequency = powers(base, pairs)
    turning = rounded(frequency, form) if where == "frequenc" else frequency
    places = np.arange(float(length))
    angles = np.outer(rounded(places, form) if where == "position" else places, turning)
    if where == "angle":
        angles = rounded(angles, form)
    (part, layout), dtype = a_form(random), pick(random, "float64", "float32", "float32", form)
    values = held(angles, part, layout)
    if random.random() < 0.3:  # a table such as the paper's
        part, values = "", np.stack([np.sin(angles), np.cos(angles)], 2).reshape(length, -1)
    return Made(
        family=f"rounded {where}",
        table=named(stored(values, dtype), part),
        bases=(base,),
        fine=STEP[dtype],
        words=(form, where),
        never=("bfloat16",) if form == "float16" else (),
    )


def ranks(random: Random) -> Made:
    """The rows of one context-parallel rank, which has two ranges of positions."""
    pairs, parts = int(pick(random, 16, 32, 64)), int(pick(random, 2, 4, 8))
    rule, rank = a_rule(random, pairs), int(random.integers(parts))
    size = int(pick(random, 32, 64, 128))
    starts = rank * size, (2 * parts - 1 - rank) * size
    places = np.concatenate([start + np.arange(size) for start in starts])
    if rank == parts - 1:  # its two ranges touch
        return cache(random)
    return of_places(random, rule, places, "ranks", tuple(rf"\b{start}\b" for start in starts))


def packed(random: Random) -> Made:
    """Positions that start again with each text."""
    pairs = int(pick(random, 16, 32, 64))
    lengths = random.integers(30, 90, random.integers(2, 6))
    places = np.concatenate([np.arange(n) for n in lengths])
    return of_places(random, a_rule(random, pairs), places, "packed", (r"again|restart|packed",))


def of_places(random: Random, rule: Any, places: Array, family: str, words: Any) -> Made:
    if "YaRN" in rule["scalings"] or "Llama3" in rule["scalings"]:
        plain = powers(rule["bases"][0], len(rule["frequency"]))
        rule = rule | {"frequency": plain, "scalings": (), "size": 1.0}
    made = turning(rule, places, ("both", pick(random, "halves", "interleaved"), "float32"))
    return replace(made, family=family, step=-1.0 if family == "falling" else 1.0, words=words)


def falling(random: Random) -> Made:
    """A cache whose positions fall."""
    pairs, n = int(pick(random, 16, 32, 64)), int(random.integers(40, 200))
    places = n + int(random.integers(0, 3)) - 1.0 - np.arange(n)
    return of_places(random, a_rule(random, pairs), places, "falling", (r"\bfall|revers",))


def points(*sizes: int, start: float = 0.0) -> Array:
    """Points of a grid, the last coordinate fastest."""
    lines = [start + np.arange(float(size)) for size in sizes]
    return np.stack(np.meshgrid(*lines, indexing="ij"), -1).reshape(-1, len(sizes))


def text_and_images(random: Random, images: int) -> Array:
    """Positions (t, y, x) of a text with images or videos, each followed by text."""
    found = [np.repeat(np.arange(float(random.integers(3, 30)))[:, None], 3, 1)]
    for _ in range(images):
        after = float(found[-1].max()) + 1
        sizes = int(pick(random, 1, 1, 3)), *(int(n) for n in random.integers(4, 12, 2))
        found.append(points(*sizes, start=after))
        after = float(found[-1].max()) + 1
        found.append(np.repeat(after + np.arange(float(random.integers(3, 12)))[:, None], 3, 1))
    return np.concatenate(found)


def dealt(counts: Sequence[int], *, in_turn: bool) -> Array:
    """The coordinate of each pair: `counts` in blocks, or one after the other in turn."""
    if not in_turn:
        return np.repeat(np.arange(len(counts)), counts)
    axis = np.zeros(sum(counts), int)
    for a in range(1, len(counts)):
        axis[a : len(counts) * counts[a] : len(counts)] = a
    return axis


def sections(random: Random) -> Made:
    """M-RoPE with any sections, blocked or interleaved, of which the values show every pair."""
    pairs, base = int(pick(random, 32, 48, 64)), float(pick(random, 10_000, 1e6, 5e6, 1e7))
    usual = {32: ([11, 11, 10], [8, 12, 12]), 48: ([16, 16, 16],), 64: ([24, 20, 20], [16, 24, 24])}
    y, x = (int(n) for n in random.integers(pairs // 5, pairs // 3 + 1, 2))
    counts = pick(random, *usual[pairs], [pairs - y - x, y, x])
    axis = dealt(counts, in_turn=bool(random.random() < 0.5))
    places = text_and_images(random, int(random.integers(1, 3)))
    part, form = pick(random, "both", "cos"), "halves"
    dtype = pick(random, "float64", "float32")
    values = held(places[:, axis] * powers(base, pairs), part, form)
    for a in range(3):  # whatever other coordinate a pair takes, a value is another
        others = places[:, np.where(axis == a, (a + 1) % 3, a)]
        off = np.abs(held(others * powers(base, pairs), part, form) - values)
        if off.reshape(-1, len(places), 2 * pairs).max(axis=(0, 1)).min() < 16 * STEP["float32"]:
            return sections(random)
    return Made(
        family="sections",
        table=named(stored(values, dtype), part),
        bases=(base,),
        sections=tuple(axis.tolist()),
        fine=STEP[dtype],
        words=("sections",),
    )


def image_cache(random: Random) -> Made:
    """A cache of the points of an image or a video, by one of the known rules."""
    name = pick(random, "blocks", "alternate", "pixtral", "video", "dinov3", "pixels")
    base = float(pick(random, 100, 256, 1230, 10_000))
    height, width = (int(n) for n in random.integers(5, 20, 2))
    if name == "video":
        dims = pick(random, (16, 56, 56), (44, 42, 42), (8, 12, 12))
        places = points(int(random.integers(3, 6)), int(random.integers(5, 9)), 8)
    else:
        quarter, places = int(pick(random, 8, 10, 16, 20)), points(height, width)
        dims = 2 * quarter, 2 * quarter
    frequency = np.concatenate([powers(base, d // 2) for d in dims])
    axis, call = np.repeat(np.arange(len(dims)), np.array(dims) // 2), f"blocks({[*dims]}"
    if name == "alternate":
        frequency, axis = np.repeat(powers(base, quarter), 2), np.tile([0, 1], quarter)
        call = f"alternate({4 * quarter}"
    elif name == "pixtral":
        whole = powers(base, 2 * quarter)
        frequency, call = np.concatenate([whole[0::2], whole[1::2]]), f"pixtral({4 * quarter}"
    elif name == "dinov3":
        base, frequency = 100.0, 2 * np.pi * np.tile(powers(100.0, quarter), 2)
        places, call = (2 * places + 1) / [height, width] - 1, f"dinov3({4 * quarter}"
    elif name == "pixels":
        most, base = float(pick(random, 7, 10)), 0.0
        frequency = np.pi * np.tile(np.linspace(1, most / 2, quarter), 2)
        places = 2 * places / [height - 1, width - 1] - 1
        call = f"pixels({4 * quarter}, max_freq={most:g}"
    form = "halves" if name in ("pixtral", "dinov3") else pick(random, "halves", "interleaved")
    part, dtype = pick(random, "both", "cos", "sin", "sin|cos"), pick(random, "float64", "float32")
    angles = places[:, axis] * frequency
    return Made(
        family=f"image {name}",
        table=named(stored(held(angles, part, form), dtype), part),
        bases=(base,) if base else (),
        fine=STEP[dtype],
        words=(re.escape(call),),
    )


def grid(random: Random) -> Made:
    """A grid of one of the libraries' layouts."""
    name = pick(
        random, "mae", "transformers", "timm", "positional_encodings", "tensor2tensor", "loftr"
    )
    half, base = 2 * int(random.integers(4, 33)), float(pick(random, 10_000, 10_000, 100, 1000))
    shift, listed = float(name == "tensor2tensor"), "rows"
    if name in ("mae", "transformers"):
        listed = pick(random, "rows", "rows", "rows", "columns")

    def table(height: int, width: int) -> Array:
        sizes = (height, width) if listed == "rows" else (width, height)
        places = points(*sizes, start=float(name == "loftr"))
        y, x = places.T if listed == "rows" else places.T[::-1]
        frequency = powers(base, half // 2, half / 2 - shift)
        two = [np.outer(y, frequency), np.outer(x, frequency)]
        if name in ("mae", "loftr"):
            two.reverse()
        of_two = [[np.sin(angles), np.cos(angles)] for angles in two]
        four = [*of_two[0], *of_two[1]]
        if name == "timm":
            return np.concatenate(four[::2] + four[1::2], 1)
        if name == "loftr":
            return np.stack(four, 2).reshape(len(y), 2 * half)
        if name == "positional_encodings":
            return np.concatenate([np.stack(one, 2).reshape(len(y), half) for one in of_two], 1)
        return np.concatenate(four, 1)

    height, width = (int(n) for n in random.integers(4, 16, 2))
    values = table(height, width)
    if random.random() < 0.3:
        values = np.concatenate([np.zeros((1, 2 * half)), values])
    dtype = a_dtype(random)
    return Made(
        family=f"grid {name}",
        table=stored(values, dtype),
        bases=(base, base ** (half / (half - 2 * shift))),  # of another freq_shift
        fine=STEP[dtype],
        words=(rf"\b({height} x {width}|{width} x {height})\b",),
    )


KNOWN: tuple[Callable[[Random], Made], ...] = (
    convention, library, times, cache, cache, rounding, ranks, packed, falling, sections,
    image_cache, grid, convention,
)  # fmt: skip


# Tables that are not what they look like


def noise(random: Random) -> Made:
    """Random or learned values, smooth or not: nothing may be stated."""
    n, d = int(random.integers(20, 200)), 2 * int(random.integers(4, 65))
    values = random.standard_normal((n, d)) * float(pick(random, 1, 0.02))
    kind = pick(random, "white", "low-pass", "walk", "low rank", "circle")
    if kind == "low-pass":  # along the rows, as trained tables are
        spectrum = np.fft.rfft(values, axis=0)
        spectrum[max(2, len(spectrum) // int(pick(random, 4, 10))) :] = 0
        values = np.fft.irfft(spectrum, n, axis=0)
    elif kind == "walk":
        values = values.cumsum(0)
    elif kind == "low rank":
        values = values[:, :4] @ random.standard_normal((4, d))
    elif kind == "circle":  # each pair on a circle, by angles that mean nothing
        angles = random.uniform(0, 2 * np.pi, (n, d // 2))
        values = np.concatenate([np.cos(angles), np.sin(angles)], 1)
    values = values.astype(np.float32)
    if random.random() < 0.3:
        return Made(family=f"noise {kind}", table={"cos": values, "sin": values[::-1]})
    return Made(family=f"noise {kind}", table=values)


def unequal_times(random: Random) -> Made:
    """Sines and cosines of times that are random or follow a schedule."""
    pairs, n = int(random.integers(16, 129)), int(random.integers(20, 120))
    even = np.linspace(0, 1, n)
    kind = pick(random, "random", "sorted", "cosine", "exponential", "square")
    t = {
        "random": random.uniform(0, 1, n),
        "sorted": np.sort(random.uniform(0, 1, n)),
        "cosine": np.cos(even * np.pi / 2) ** 2,
        "exponential": 0.002 * (80 / 0.002) ** even / 80,
        "square": even**2,
    }[kind] * float(pick(random, 1, 1000))
    angles = np.outer(t, powers(10_000.0, pairs, pairs - float(pick(random, 0, 1))))
    part = pick(random, "cos|sin", "sin|cos")
    return Made(
        family=f"times {kind}",
        table=held(angles, part, "once").astype(np.float32),
        bases=(10_000.0,),
    )


def frequencies_of_no_rule(random: Random) -> Made:
    """Each pair has a random frequency, or the rule's times a random number."""
    pairs, base = int(pick(random, 16, 32, 64)), a_base(random)
    frequency = powers(base, pairs)
    if random.random() < 0.5:
        frequency = np.sort(10 ** random.uniform(-4, 0, pairs))[::-1]
        bases: tuple[float, ...] = ()
    else:
        frequency, bases = frequency / random.uniform(1, 8, pairs), (base,)
    (part, form), n = a_form(random), int(random.integers(100, 1000))
    rule = {"frequency": frequency, "bases": bases, "size": 1.0}
    rule["scalings"] = ("LongRoPE",) if bases else ()
    made = turning(rule, np.arange(n), (part, form, "float32"))
    return replace(made, family="random frequencies", at=None, first=None, fine=STEP["float64"])


def damaged(random: Random) -> Made:
    """A known cache or table, cut in its columns, shuffled, or with noise: what it was is true."""
    made = replace(pick(random, convention, cache, cache)(random), words=(), never=())
    two = isinstance(made.table, dict)
    values = np.stack(list(made.table.values())) if two else np.asarray(made.table)[None]
    n, d = values.shape[1:]
    kind = pick(random, "columns cut", "rows shuffled", "columns shuffled", "noise", "every third")
    at, columns = made.at, np.arange(d)
    assert at is not None
    if kind == "columns cut":
        columns = np.arange(int(random.integers(d // 2, d)))
    elif kind == "columns shuffled":
        columns = random.permutation(d)
    elif kind == "rows shuffled":
        values = values[:, random.permutation(n)]
    elif kind == "noise":
        size = float(np.abs(values).max()) * 10 ** random.uniform(-2.5, -0.5)
        values = values + size * random.standard_normal(values.shape)
        made = replace(made, fine=size)
    else:
        values = values[:, ::3]
        made = replace(made, step=3 * made.step, scalings=(*made.scalings, "Linear"))
    values = values[:, :, columns]
    return replace(
        made,
        family=f"damaged {kind}",
        table={"cos": values[0], "sin": values[1]} if two else values[0],
        at=lambda positions: at(positions)[..., columns],
        first=None if kind == "rows shuffled" else made.first,
    )


def wrong_sections(random: Random) -> Made:
    """Sections and an image that follow no rule: each pair takes a coordinate by chance."""
    made = sections(random)
    pairs, base = int(pick(random, 32, 64)), made.bases[0]
    places = text_and_images(random, 1)
    axis = random.integers(0, 3, pairs)
    table = held(places[:, axis] * powers(base, pairs), "both", "halves").astype(np.float32)
    return Made(family="axes by chance", table=named(table, "both"), bases=(base,))


OTHERS: tuple[Callable[[Random], Made], ...] = (
    noise, unequal_times, frequencies_of_no_rule, damaged, rounding, wrong_sections,
    sections,
)  # fmt: skip


def known(seed: int) -> Made:
    """The table that is something known of this `seed`."""
    return KNOWN[seed % len(KNOWN)](np.random.default_rng([1, seed]))


def others(seed: int) -> Made:
    """The table that is not what it looks like of this `seed`."""
    made = OTHERS[seed % len(OTHERS)](np.random.default_rng([2, seed]))
    return replace(made, known=False, words=())
