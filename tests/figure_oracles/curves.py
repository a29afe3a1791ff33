"""Curves over offsets, positions and pairs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests import balls, oracle, quantity_oracle, turning_oracle
from tests.balls import ball
from tests.figure_oracles import Expected, numbered, of_curves
from tests.quantity_oracle import speeds, t5_bucket


def spread(per_decade: int, count: int) -> list[int]:
    """Whole numbers near powers of ten, so many in each decade."""
    near = (balls.nearest(ball(10) ** (ball(j) / per_decade)) for j in range(count))
    return sorted(set(near))


def mean_cosine(offset: Any, frequencies: Any) -> Any:
    return balls.total(balls.cos(offset * w) for w in frequencies) / len(frequencies)


def choices_of_speed() -> Expected:
    """The mean cosine of 32 hands over offsets 1 to 250, and its formula, for four choices."""
    law = lambda k: 1 - (balls.euler + balls.log(k)) / (4 * balls.log(10))  # noqa: E731
    even = lambda k: (balls.sin(k + k / 64) / balls.sin(k / 64) - 1) / 64  # noqa: E731
    formulas = {
        "equal": ("all equal", balls.cos),
        "even": ("evenly spaced", even),
        "random": ("random", balls.sinc),
        "geometric": ("geometric", law),
    }
    offsets, curves = range(1, 251), {}
    for choice, (title, formula) in formulas.items():
        curves[title] = [mean_cosine(k, speeds(choice, 32)) for k in offsets]
        curves[f"{title}, formula"] = [formula(ball(k)) for k in offsets]
    return of_curves("offset", offsets, curves)


def distances() -> Expected:
    """Distances of rows 0 to 100 from row 0 at d = 2, 8 and 512, from the dot products."""
    offsets = range(101)
    share = lambda d: oracle.sqrt((1 - oracle.similarity(offsets, d) * 2 / d) / 2)  # noqa: E731
    return of_curves("offset", offsets, {f"d = {d}": share(ball(d)) for d in (2, 8, 512)})


def frequency_drift() -> Expected:
    """Distance of tensor2tensor's encoding from the paper's, by position, at d = 512."""
    positions, n = spread(24, 97), ball(10_000)
    gaps = [n ** (-ball(2 * i) / 512) - n ** (-ball(2 * i) / 510) for i in range(256)]
    # The chords of the angles between the two, pair by pair.
    apart = [2 * balls.size(balls.sin(p * gap / 2) for gap in gaps) for p in positions]
    lines = [("paper to tensor2tensor", positions, apart)]
    lines.append(("neighbouring positions", [1, 10_000], [oracle.distance(1, 512)] * 2))
    return Expected({"position": positions, "distance": apart}, lines)


def grid_similarity() -> Expected:
    """The similarity of patches to the one in row 4 and column 9: a sum of two kernels."""
    kernel, axis = oracle.similarity(range(14), 64), range(14)
    shares = [[(kernel[abs(y - 4)] + kernel[abs(x - 9)]) / 64 for x in axis] for y in axis]
    return Expected({"row": axis, **numbered("column", shares)}, images=[shares])


def kernel_scales() -> Expected:
    """Similarity over distance: mean cosines, and a Gaussian."""
    far, frequencies = spread(24, 73), oracle.frequencies(512)
    curves = {"sinusoids": [mean_cosine(k, frequencies) for k in far]}
    for scale in (10, 100):
        bell = [balls.exp(-ball(k * k) / (2 * scale * scale)) for k in far]
        curves[f"Gaussian, scale {scale}"] = bell
    return of_curves("distance", far, curves)


def learned_table() -> Expected:
    """Position 50 and its neighbours, at d = 768, for sinusoids and for a fresh table."""
    kernel, places = oracle.similarity(range(51), 768) / 384, range(101)
    curves = {"sinusoids": [kernel[abs(p - 50)] for p in places]}
    curves["learned, before training"] = quantity_oracle.fresh_cosines(50, 101, 768)
    return of_curves("position", places, curves)


def right_angles() -> Expected:
    """How likely each angle between random directions is: sin(a) ** (d - 2) over its integral."""
    degrees, curves, degree = range(1, 180), {}, balls.pi / 180
    for d in (2, 8, 64, 512):
        share = balls.gamma(ball(d) / 2) / balls.gamma(ball(d - 1) / 2)
        whole = balls.sqrt(balls.pi) / share  # from 0 to pi
        curves[f"d = {d}"] = [degree * balls.sin(a * degree) ** (d - 2) / whole for a in degrees]
    return of_curves("angle in degrees", degrees, curves)


def score_by_offset() -> Expected:
    """Mean cosines at d = 64, and straight lines."""
    offsets, frequencies = range(-64, 65), oracle.frequencies(64)
    names = {"sinusoidal, or RoPE": 0, "RoPE, key turned": 8}
    curves = {
        name: [mean_cosine(k + turn, frequencies) for k in offsets] for name, turn in names.items()
    }
    straight = [(f"head {h}", [-64, 0], [Fraction(-64, 2**h), 0]) for h in (1, 3, 5, 7)]
    return of_curves("offset", offsets, curves, *straight)


def similarity_law() -> Expected:
    """Similarity over offset at d = 512, for four bases, and the law."""
    offsets, ends, lines, columns = spread(24, 73), [1, 1000], [], {}
    for base in (1000, 10_000, 100_000, 1_000_000):
        law = [1 - (balls.euler + balls.log(k)) / balls.log(base) for k in ends]
        frequencies = oracle.frequencies(512, base=base)
        columns[f"base {base}"] = [mean_cosine(k, frequencies) for k in offsets]
        lines.append((f"base {base:,}, law", ends, law))
        lines.append((f"base {base:,}", offsets, columns[f"base {base}"]))
    return Expected({"offset": offsets, **columns}, lines)


def similarity_to_positions() -> Expected:
    """Rows of the matrix at d = 128 multiplied with rows 0, 25 and 49, number by number."""
    rows = oracle.positional_encoding(50, 128)
    share = lambda q: (rows * rows[q]).sum(axis=1) / (rows[q] ** 2).sum()  # noqa: E731
    return of_curves("position", range(50), {f"to position {q}": share(q) for q in (0, 25, 49)})


def time_steps() -> Expected:
    """Sums of cosines at d = 128, with the frequencies 10000 ** (-i / 64) of 64 pairs."""
    frequencies = [ball(10_000) ** (-ball(i) / 64) for i in range(64)]
    scales = {"times from 0 to 1": ball(1) / 100, "text, positions 0 to 100": 1}
    scales["time steps 0 to 1,000"] = 10
    curves = {
        name: [mean_cosine(scale * (k - 50), frequencies) for k in range(101)]
        for name, scale in scales.items()
    }
    return of_curves("place", [k / 100 for k in range(101)], curves)


def relative_buckets() -> Expected:
    """Entries of a relative table, by distance."""
    far = range(1, 257)
    clipped, buckets = [k if k < 16 else 16 for k in far], [t5_bucket(k) for k in far]
    return of_curves("distance", far, {"clipped at 16": clipped, "buckets of T5": buckets})


# Precision


def precision_by_position() -> Expected:
    """Largest errors at d = 64 by position, rounded step by step."""
    positions, curves = spread(8, 39), {}
    for form in ("bfloat16", "float16", "float32"):
        for name, cast_last in (("computed low", False), ("cast last", True)):
            curves[f"{form}, {name}"] = oracle.precision_error(
                positions, 64, precision=form, cast_last=cast_last
            )
    return of_curves("position", positions, curves)


def stuck_positions() -> Expected:
    """The first column around position 256."""
    positions = range(244, 273)
    exact = [balls.sin(p) for p in positions]
    # bfloat16 takes the sine of the nearest position that it can hold.
    held = [p if p <= 256 else 4 * round(p / 4) if p % 2 else p for p in positions]
    low = [oracle.rounded(balls.sin(p), "bfloat16") for p in held]
    return of_curves("position", positions, {"exact": exact, "bfloat16": low})


def turned_scores() -> Expected:
    """Errors of scores by position."""
    ways = {
        "angles in bfloat16 too": "angles",
        "the turn in bfloat16": "products",
        "rounded after the turn": "last",
        "angles in float32, the rest exact": "float32",
    }
    positions, error = spread(2, 13), turning_oracle.score_error
    curves = {label: [error(way, p) for p in positions] for label, way in ways.items()}
    return of_curves("position", positions, curves)
