"""The outputs of a case, from the definitions, in numbers with proved bounds.

With `scripts/numbers/oracle_values.py` this is the only module that imports the oracle: nothing
here computes with `posenc`, so that the package can be tested against the vectors too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scripts.vectors.cases import Case, Options
from tests import balls, rotary_oracle
from tests.balls import ball

Array = npt.NDArray[np.float64]
Outputs = dict[str, Array]
_DIGITS = 40


@dataclass(frozen=True)
class Exact:
    """The outputs of a case, each with two axes, as the float64 nearest to the exact values.

    `digits` has 40 digits of each frequency, and `axes` the coordinate that turns each pair.
    """

    outputs: Outputs
    digits: tuple[str, ...] = ()
    axes: tuple[int, ...] = ()


def exact(case: Case, queries: Array, keys: Array) -> Exact:
    """What a case gives, from the definitions."""
    if case.kind in ("rotary", "axial"):
        return _rotated(case, queries, keys)
    if case.kind == "sinusoidal":
        speeds = _speeds(case.options)
        points = [ball(place) for (place,) in case.positions]
        table = _table(case.options, [[*balls.waves(point, speeds)] for point in points])
        return Exact(_named(frequencies=[speeds], table=table), _texts(speeds))
    if case.kind == "grid":
        return Exact(_named(table=_grid(case.options)))
    if case.kind == "alibi":
        slopes = _slopes(case.options["heads"])
        last = case.options["length"] - 1
        bias = [[-slope * (last - key) for key in range(last + 1)] for slope in slopes]
        return Exact(_named(slopes=[slopes], bias=bias))
    found = [_bucket(case.options, int(offset)) for (offset,) in case.positions]
    return Exact(_named(buckets=[[ball(bucket) for bucket in found]]))


_balls = np.frompyfunc(ball, 1, 1)


def _named(**values: list[list[Any]]) -> Outputs:
    return {name: balls.floats(np.array(rows, object)) for name, rows in values.items()}


def _texts(numbers: list[Any]) -> tuple[str, ...]:
    return tuple(balls.digits(number, _DIGITS) for number in numbers)


def _turning(options: Options) -> tuple[list[int], list[Any], Any]:
    """The coordinate and the frequency of each pair, and the attention factor."""
    scaling, width = options.get("scaling"), options["rotary_dim"]
    rule, base = options.get("rule"), options.get("base", 1)
    factor = rotary_oracle.attention_factor(scaling, options["length"])
    if rule is None:
        speeds = rotary_oracle.frequencies(width, base, scaling, options["length"])
        return [0] * len(speeds), speeds, factor
    given = {name: options[name] for name in ("dims", "pairs", "max_freq") if name in options}
    axes, speeds = map(list, zip(*rotary_oracle.axial(rule, width, base, **given), strict=True))
    if rule in ("sections", "interleaved"):
        speeds = rotary_oracle.frequencies(width, base, scaling, options["length"])
    return axes, speeds, factor


def _rotated(case: Case, queries: Array, keys: Array) -> Exact:
    axes, speeds, factor = _turning(case.options)
    pairs = [*zip(axes, speeds, strict=True)]
    rows = [
        [balls.cosine_sine(ball(place[axis]) * speed) for axis, speed in pairs]
        for place in case.positions
    ]
    waves = np.array(rows, object) * factor
    cosine, sine = waves[..., 0], waves[..., 1]
    turned = [_turned(x, cosine, sine, case.options["layout"]) for x in (queries, keys)]
    found = {"frequencies": [speeds], "cos": cosine, "sin": sine, "q": turned[0], "k": turned[1]}
    found["attention_factor"] = [[factor]]
    if case.options["score"]:
        scale, beside = _score(case.options["score"])
        found["scores"] = balls.matrix_product(turned[0], turned[1].T) * scale
        found |= {"score_scale": [[scale]], "score_factor": [[beside]]}
    return Exact(_named(**found), _texts(speeds), tuple(axes))


def _turned(x: Array, cosine: Any, sine: Any, layout: str) -> Any:
    """Each pair of features times [[cos, -sin], [sin, cos]]; the other features stay."""
    pairs = cosine.shape[1]
    order = np.arange(2 * pairs)
    halves = layout == "halves"
    first, second = (order[:pairs], order[pairs:]) if halves else (order[::2], order[1::2])
    out = x.astype(object)
    one, two = (_balls(out[:, columns]) for columns in (first, second))
    out[:, first], out[:, second] = one * cosine - two * sine, one * sine + two * cosine
    return out


def _score(given: Options) -> tuple[Any, Any]:
    """What multiplies scores, and what remains of it beside one over the root of the width."""
    root = balls.sqrt(given["width"])
    if "scale" in given:
        return ball(given["scale"]), given["scale"] * root
    warmth = balls.log(given.get("factor", 1)) * ball(given.get("mscale", 0)) / 10 + 1
    return warmth**2 / root, warmth**2


def _speeds(options: Options) -> list[Any]:
    """Radians per position of each pair of a sinusoidal convention."""
    over = ball(options["spread"]) / 2 - ball(options["freq_shift"])
    base, scale = ball(options["base"]), ball(options["angle_scale"])
    return [scale * base ** (-ball(i) / over) for i in range(options["pairs"])]


def _table(options: Options, rows: list[list[tuple[Any, Any]]]) -> list[list[Any]]:
    """Rows of columns from cosines and sines."""
    height = ball(options["amplitude"]) * ball(options["width"]) ** ball(options["amplitude_power"])
    first = 1 if options["order"] == "sin_first" else 0
    made = []
    for row in rows:
        pairs = [(both[first] * height, both[1 - first] * height) for both in row]
        flat = zip(*pairs, strict=True) if options["arrangement"] == "halves" else pairs
        columns = [value for group in flat for value in group]
        columns += [ball(0)] * (options["columns"] - len(columns))
        made.append(columns[: options["columns"]])
    return made


def _grid(options: Options) -> list[list[Any]]:
    """Half of the columns for each axis, arranged in blocks."""
    speeds = _speeds(options)
    sizes, (high, wide) = (options["height"], options["grid_width"]), options["spacing"]
    ys, xs = (_along(options, size, step) for size, step in zip(sizes, (high, wide), strict=True))
    points = [(y, x) for y in ys for x in xs]
    if options["listed"] == "columns":
        points = [(y, x) for x in xs for y in ys]
    rows = []
    for y, x in points:
        sides = (y, x) if options["axes"] == "yx" else (x, y)
        halves = _table(options, [[*balls.waves(side, speeds)] for side in sides])
        count = {"axes": 1, "kinds": 2, "pairs": options["pairs"]}[options["blocks"]]
        parts = [np.array_split(np.array(half, object), count) for half in halves]
        rows.append([value for both in zip(*parts, strict=True) for part in both for value in part])
    return rows


def _along(options: Options, size: int, step: float) -> list[Any]:
    """The positions along one axis; DETR puts the last one at 2π, nearly."""
    places = [(ball(options["start"]) + i) * ball(step) for i in range(size)]
    if not options["normalized"]:
        return places
    return [place / (places[-1] + ball(1e-6)) * 2 * balls.pi for place in places]


def _slopes(heads: int) -> list[Any]:
    """Press et al. 2022: powers of two, and every second one of twice as many."""
    whole = 1
    while 2 * whole <= heads:
        whole *= 2
    exponents = [ball(8 * h) / whole for h in range(1, whole + 1)]
    exponents += [ball(4 * h) / whole for h in range(1, 2 * (heads - whole), 2)]
    return [ball(2) ** -exponent for exponent in exponents]


def _bucket(options: Options, offset: int) -> int:
    """Raffel et al. 2020, in whole numbers: the width of buckets grows with the distance."""
    side, distance, upper = options["buckets"], -offset, 0
    if options["bidirectional"]:
        side //= 2
        upper = side if distance < 0 else 0
        distance = abs(distance)
    distance, near = max(distance, 0), side // 2
    if distance < near:
        return upper + distance
    count, most = side - near, options["max_distance"]
    beyond = 0  # the most steps b with (most / near) ** (b / count) <= distance / near
    while beyond < count - 1 and most ** (beyond + 1) * near**count <= (
        distance**count * near ** (beyond + 1)
    ):
        beyond += 1
    return int(upper + near + beyond)
