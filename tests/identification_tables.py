"""Generated tables for `identify`, with what is true about each.

`known(seed)` makes a table that is something known, `others(seed)` one that is not what it looks
like. A `Made` says what an answer may state, what it must say, and gives the exact encoding at any
position: a wrong base, scaling or convention then shows in rows that the table does not have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posenc import Convention, Rotary, RotaryCache
from posenc.rotary import NTK, Linear, Llama3, Proportional, YaRN
from posenc.rotary._caches import held

Array = np.ndarray[Any, Any]
Random = np.random.Generator
BASES = (100.0, 1000.0, 5000.0, 10_000.0, 150_000.0, 500_000.0, 1e6, 5e6, 1e7)
STEP = {"bfloat16": 2.0**-8, "float16": 2.0**-11, "float32": 2.0**-23, "float64": 2.0**-45}


@dataclass(frozen=True, kw_only=True)
class Made:
    """A table and what is true about it.

    `bases` and `scalings` are all that an answer may name. `at` gives the exact rows at positions,
    which run from `first` in steps of `step`; `fine` is the largest error that roundings leave in
    the table's values. `words` must stand in the answer, `never` must not.
    """

    family: str
    table: Array | dict[str, Array]
    known: bool = True
    bases: tuple[float, ...] = ()
    scalings: tuple[str, ...] = ()
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


def stored(values: Array, form: str, part: str = "") -> Array | dict[str, Array]:
    """`values` as a file holds them: bfloat16 in a float32 array, both parts under their names."""
    given = rounded(values, form).astype(np.float32 if form == "bfloat16" else form)
    return dict(zip(("cos", "sin"), given, strict=True)) if part == "both" else given


def powers(base: float, pairs: int, spread: float | None = None) -> Array:
    return base ** (-np.arange(pairs) / (spread or pairs))


def pick(random: Random, *values: Any) -> Any:
    return values[random.integers(len(values))]


def a_dtype(random: Random) -> str:
    return str(pick(random, "float64", "float32", "float32", "float16", "bfloat16"))


def a_base(random: Random) -> float:
    unusual = float(f"{10 ** random.uniform(2, 7):.3g}")
    return unusual if random.random() < 0.3 else pick(random, *BASES)


# Tables that are something known


def convention(random: Random) -> Made:
    """One of all conventions, from some position on, perhaps falling, or of times."""
    kind = Convention(
        layout=pick(random, "interleaved", "halves"),
        order=pick(random, "sin_first", "cos_first"),
        freq_shift=pick(random, 0, 0, 1),
        base=a_base(random),
        angle_scale=pick(random, 1, 1, 1, 1, -1, 2, 0.37, 1 / 49),
        amplitude=pick(random, 1, 1, 1, 0.02, 8),
        odd=pick(random, "truncate", "pad", "ceil"),
    )
    d = 2 * int(random.integers(4, 65)) + (random.random() < 0.2)
    dtype, step = a_dtype(random), pick(random, 1, 1, 1, 1, -1)
    first, length = pick(random, 0, random.integers(1, 200)), int(random.integers(40, 300))
    if kind.angle_scale != 1:
        dtype, step, first = pick(random, "float64", "float32"), 1, 0
    elif step < 0:
        first = length - 1 + random.integers(0, 3)

    def at(positions: Array) -> Array:
        return kind.encode(positions, d)

    return Made(
        family="convention",
        table=stored(at(first + step * np.arange(length)), dtype),
        bases=(kind.base,),
        at=at,
        first=float(first),
        step=step,
        fine=STEP[dtype] * kind.amplitude,
        words=(r"\bfall|revers",) if step < 0 else (),
    )


def a_rotary(random: Random, pairs: int, *, short: bool = False) -> Rotary:
    """A rotary encoding; a `short` one has no slow pairs that only a long text turns."""
    kind = pick(random, "", "", "", "Linear", "NTK", "Llama3", "YaRN", "Proportional")
    factor, base = float(pick(random, 2, 4, 8, 16, 32)), a_base(random)
    if kind in ("Llama3", "YaRN"):  # of long texts and large bases
        kind, base = "" if short else kind, float(pick(random, 10_000, 150_000, 500_000, 1e6))
    original, truncate = float(pick(random, 4096, 8192, 32_768)), bool(random.random() < 0.8)
    scaling = {
        "": None,
        "Linear": Linear(factor),
        "NTK": NTK(factor),
        "Llama3": Llama3(factor),
        "YaRN": YaRN(factor, original_max_position_embeddings=original, truncate=truncate),
        "Proportional": Proportional(0.25),
    }[kind]
    return Rotary(2 * pairs, base=base, scaling=scaling)


def names(rotary: Rotary) -> tuple[str, ...]:
    """The scalings that `rotary` may be called."""
    if isinstance(rotary.scaling, NTK):
        return "NTK", "DynamicNTK", "SteppedNTK"
    return (type(rotary.scaling).__name__,) if rotary.scaling else ()


def bases(rotary: Rotary) -> tuple[float, ...]:
    """The bases that `rotary` may be said to have: NTK makes one larger."""
    if isinstance(rotary.scaling, NTK):
        pairs = rotary.head_dim // 2
        return rotary.base, rotary.base * rotary.scaling.factor ** (pairs / (pairs - 1))
    return (rotary.base,)


def a_form(random: Random) -> tuple[str, str]:
    part = pick(random, "both", "both", "cos", "sin", "cos|sin", "sin|cos")
    return part, pick(random, "halves", "interleaved", "once")


def cache(random: Random) -> Made:
    """A rotary cache with or without a scaling, from some position on, values rounded."""
    rotary = a_rotary(random, int(pick(random, 16, 20, 32, 40, 48, 64, 128)))
    (part, form), dtype = a_form(random), a_dtype(random)
    first = float(pick(random, 0, 0, 0, random.integers(1, 500), 5000))
    length = int(random.integers(64, 600))
    if isinstance(rotary.scaling, YaRN | Llama3):
        dtype, length = pick(random, "float32", "float64"), 2048  # slow pairs have to turn
    if dtype == "bfloat16":
        first = min(first, 500.0)  # so few digits do not place far rows of slow pairs
    size = float(pick(random, 1, 1, 1, 0.5, 8))
    kind = RotaryCache(rotary=rotary, part=part, form=form, amplitude=size)
    return turning(kind, first + np.arange(length), dtype)


def turning(kind: RotaryCache, places: Array, dtype: str = "float32") -> Made:
    return Made(
        family=f"cache {''.join(names(kind.rotary)[:1])}".strip(),
        table=stored(kind.at(places), dtype, kind.part),
        bases=bases(kind.rotary),
        scalings=names(kind.rotary),
        at=kind.at,
        first=float(places[0]),
        fine=STEP[dtype] * kind.amplitude * kind.rotary.attention_factor(),
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
    turns, places = powers(base, pairs), np.arange(float(length))
    if where == "frequenc":
        turns = rounded(turns, form)
    elif where == "position":
        places = rounded(places, form)
    angles = np.outer(places, turns)
    if where == "angle":
        angles = rounded(angles, form)
    (part, layout), dtype = a_form(random), pick(random, "float64", "float32", "float32", form)
    values = held(np.cos(angles), np.sin(angles), part, layout, 1.0)
    if random.random() < 0.3:  # a table such as the paper's
        part, values = "", np.stack([np.sin(angles), np.cos(angles)], 2).reshape(length, -1)
    return Made(
        family=f"rounded {where}",
        table=stored(values, dtype, part),
        bases=(base,),
        fine=STEP[dtype],
        words=(form, where),
        never=("bfloat16",) if form == "float16" else (),
    )


def placed(random: Random) -> Made:
    """A cache whose rows are two ranges of a context-parallel rank, several texts, or fall."""
    rotary = a_rotary(random, int(pick(random, 16, 32, 64)), short=True)
    family, size = pick(random, "ranks", "packed", "falling"), int(pick(random, 32, 64, 128))
    if family == "ranks":
        parts = int(pick(random, 2, 4, 8))
        rank = int(random.integers(parts - 1))  # the two ranges of the last rank touch
        starts = rank * size, (2 * parts - 1 - rank) * size
        places = np.concatenate([start + np.arange(float(size)) for start in starts])
        words = tuple(rf"\b{start}\b" for start in starts)
    elif family == "packed":
        lengths = random.integers(30, 90, random.integers(2, 6))
        places, words = np.concatenate([np.arange(float(n)) for n in lengths]), ("again|restart",)
    else:
        places = np.arange(size + random.integers(0, 3), 0.0, -1) - 1
        words = (r"\bfall|revers",)
    kind = RotaryCache(rotary=rotary, part="both", form=pick(random, "halves", "interleaved"))
    step = -1.0 if family == "falling" else 1.0
    return replace(turning(kind, places), family=family, step=step, words=words)


KNOWN = (convention, convention, cache, cache, rounding, placed)


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
    part = pick(random, "", "", "both")
    if part:
        values = np.stack([values, values[::-1]])
    return Made(family=f"noise {kind}", table=stored(values, "float32", part))


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
    values = held(np.cos(angles), np.sin(angles), pick(random, "cos|sin", "sin|cos"), "once", 1.0)
    return Made(family=f"times {kind}", table=stored(values, "float32"), bases=(10_000.0,))


def damaged(random: Random) -> Made:
    """A known cache or table, cut in its columns, shuffled, or with noise: what it was is true."""
    made = replace(pick(random, convention, cache, cache)(random), words=())
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
        values, made = values[:, random.permutation(n)], replace(made, first=None)
    elif kind == "noise":
        size = float(np.abs(values).max()) * 10 ** random.uniform(-2.5, -0.5)
        values, made = (
            values + size * random.standard_normal(values.shape),
            replace(made, fine=size),
        )
    else:
        values = values[:, ::3]
        made = replace(made, step=3 * made.step, scalings=(*made.scalings, "Linear"))
    values = values[:, :, columns]
    return replace(
        made,
        family=f"damaged {kind}",
        table={"cos": values[0], "sin": values[1]} if two else values[0],
        at=lambda positions: at(positions)[..., columns],
    )


OTHERS = (noise, unequal_times, damaged, rounding)


def known(seed: int) -> Made:
    """The table that is something known of this `seed`."""
    return KNOWN[seed % len(KNOWN)](np.random.default_rng([1, seed]))


def others(seed: int) -> Made:
    """The table that is not what it looks like of this `seed`."""
    made = OTHERS[seed % len(OTHERS)](np.random.default_rng([2, seed]))
    return replace(made, known=False, words=())
