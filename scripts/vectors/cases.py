"""The inputs of the test vectors: rotary encodings, tables and biases, from single options."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from posenc.conventions import Convention, Order
from posenc.grids import Grid
from posenc.libraries import CONVENTIONS
from posenc.library_grids import GRIDS
from posenc.rotary._turn import Layout

Options = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One case: `positions` has a row for each position, with one number per coordinate.

    `config` names the published file that the options were read from, and `group` its layers.
    """

    name: str
    kind: str
    options: Options
    positions: list[list[float]] = field(default_factory=list)
    config: str = ""
    group: str = ""


# Near, far and fractional positions. Float32 holds each of them.
_PLACES: tuple[tuple[float, ...], ...] = (
    (1, 2, 5),
    (3, 7.5, 4095),
    (0.125, 100, 131071),
    (-3.25, 33, 1000003),
)
# Scalings with the lengths of the texts that they are computed for, and rules of coordinates.
_OPTIONS = json.loads(Path(__file__).with_name("options.json").read_text("utf-8"))
_LISTS = {
    "short_factor": (1, 1.05, 1.1, 1.2, 1.5, 2, 2.5, 3),
    "long_factor": (1, 1.5, 3, 6, 12, 24, 30, 40),
}
_HEADS = ((8, 8, 10_000), (16, 16, 500_000), (24, 16, 10_000), (32, 32, 1_000_000), (64, 32, 100))


def _scaling(given: Options | None, width: int) -> Options | None:
    """A scaling for heads in which `width` features turn: LongRoPE has a number per pair."""
    if given is None or given["type"] != "longrope":
        return given
    count = width // 2
    lists = {
        name: [factors[8 * i // count] for i in range(count)] for name, factors in _LISTS.items()
    }
    return {**given, **lists}


def _within(
    places: tuple[float, ...], scaling: Options | None, length: int | None
) -> tuple[float, ...]:
    """Where a scaling depends on the text's `length`: positions in it, and the last of them."""
    if scaling is None or scaling["type"] not in ("dynamic", "stepped", "longrope"):
        return places
    trained = scaling.get("original_max_position_embeddings") or scaling["max_position_embeddings"]
    return (*places[:-1], (length or trained) - 1)


def rotary() -> Iterator[Case]:
    """Each scaling, in both layouts, in whole and partial heads, at two sets of positions."""
    places = itertools.cycle(_PLACES)
    for (name, given), head in itertools.product(_OPTIONS["scalings"].items(), _HEADS):
        scaling, (width, turning, base) = given["options"], head
        for length, layout in itertools.product(given["lengths"], get_args(Layout)):
            for number in range(2):
                options = {
                    **{"head_dim": width, "rotary_dim": turning, "base": base, "layout": layout},
                    **{"scaling": _scaling(scaling, turning), "length": length},
                    "score": {"width": width},
                }
                text = "" if length is None else f"_length_{length}"
                heads = f"{turning}_of_{width}"
                points = [[place] for place in _within(next(places), scaling, length)]
                yield Case(
                    f"rotary/{name}{text}/{layout}/{heads}/{number}", "rotary", options, points
                )
            next(places)


# Positions of tokens; and, between -1 and 1, 1,024 times the centres of patches.
_POINTS: tuple[list[list[float]], ...] = (
    [[1, 2, 3], [0, 5, 2.5]],
    [[7, 64.5, 255], [100, 3, 0.25]],
    [[4095, 17, 9], [0, 0, 1]],
)
_CENTRES: tuple[list[list[float]], ...] = (
    [[-951, 321, 573], [0, 63, -829]],
    [[187, -701, 447], [905, -1, 3]],
)


def axial() -> Iterator[Case]:
    """Each rule of several coordinates, in both layouts."""
    for name, given in _OPTIONS["axial"].items():
        width = given["head_dim"]
        count = len(given.get("pairs") or given.get("dims") or (0, 0))
        count = 3 if given["rule"] == "ltx" else count
        centred = given["rule"] in ("dinov3", "pixels", "ltx")
        sets, unit = (_CENTRES, 1024) if centred else (_POINTS, 1)
        for layout, number in itertools.product(get_args(Layout), range(len(sets))):
            options = {
                **{"head_dim": width, "rotary_dim": width, "layout": layout, "scaling": None},
                **{"length": None, "score": {"width": width}},
                **given,
            }
            cut = [[place / unit for place in point[:count]] for point in sets[number]]
            yield Case(f"axial/{name}/{layout}/{number}", "axial", options, cut)


def _written(kind: Convention, width: int) -> Options:
    """A convention at one width: how many pairs and columns there are, and the other options."""
    pairs = width // 2 if kind.odd == "pad" else (width + 1) // 2
    return {
        "columns": width + width % 2 if kind.odd == "overflow" else width,
        "pairs": pairs,
        "arrangement": kind.layout,  # the key of version 1
        "order": kind.order,
        "base": kind.base,
        "spread": kind._spread(width),
        "freq_shift": kind.freq_shift,
        "angle_scale": kind.angle_scale,
        "amplitude": kind.amplitude,
        "amplitude_power": kind.amplitude_power,
        "width": width,
    }


def sinusoidal() -> Iterator[Case]:
    """The convention of each library, odd widths where it has them, and single options."""
    kinds = {kind: name for name, kind in reversed([*CONVENTIONS.items()])}
    layouts: tuple[Layout, ...] = ("interleaved", "halves")
    kinds |= {
        Convention(layout=layout, order=order, base=base): f"{layout}_{order}_{base}"
        for layout, order, base in itertools.product(layouts, get_args(Order), (10_000, 100, 2))
    }
    places = itertools.cycle(_PLACES)
    for kind, name in kinds.items():
        for width in (8, 16, 9):
            if width % 2 == 0 or kind.odd != "error":
                start = kind.start if kind.start.is_integer() else 0.0
                rows = [[start + row] for row in range(3)], [[place] for place in next(places)]
                for number, points in enumerate(rows):
                    yield Case(
                        f"sinusoidal/{name}/{width}/{number}",
                        "sinusoidal",
                        _written(kind, width),
                        points,
                    )


def time_steps() -> Iterator[Case]:
    """Steps of diffusion, as integers, in fractions, and scaled."""
    orders, scales = get_args(Order), (1.0, 1000.0)
    for order, shift, scale, width in itertools.product(orders, (0.0, 1.0), scales, (8, 9)):
        kind = Convention(
            layout="halves", order=order, freq_shift=shift, angle_scale=scale, odd="pad"
        )
        steps = [[0.0], [0.5], [1.0]] if scale > 1 else [[1.0], [500.5], [999.0]]
        name = f"time_steps/{order}/shift_{shift:g}/scale_{scale:g}/{width}"
        yield Case(name, "sinusoidal", _written(kind, width), steps)


def grids() -> Iterator[Case]:
    """The two-dimensional encoding of each library, on grids of three sizes."""
    chosen: dict[str, Grid] = {**GRIDS, "mae_half_steps": Grid(spacing=(0.5, 0.25))}
    for (name, grid), (height, width, columns) in itertools.product(
        chosen.items(), ((2, 3, 8), (3, 2, 16), (1, 4, 12))
    ):
        options = {
            **_written(grid.axis, columns // 2),
            **{"height": height, "grid_width": width, "start": grid.axis.start},
            **{"axes": grid.axes, "blocks": grid.blocks, "spacing": list(grid.spacing)},
            **{"normalized": grid.normalized, "listed": grid.listed},
        }
        yield Case(f"grid/{name}/{height}x{width}x{columns}", "grid", options)


def biases() -> Iterator[Case]:
    """ALiBi for numbers of heads that are powers of two and others, and T5's buckets."""
    for heads in (1, 2, 3, 4, 5, 6, 8, 12, 14, 16, 20, 32, 40, 48, 71, 112):
        yield Case(f"alibi/{heads}", "alibi", {"heads": heads, "length": 4})
    near = (0, 1, 2, 7, 8, 9, 15, 16, 17, 20, 31, 64, 90, 91, 113, 127, 128, 500)
    offsets = [[float(sign * place)] for place in near for sign in (-1, 1)]
    for buckets, most, both in itertools.product((16, 32, 64), (64, 128, 256), (True, False)):
        options = {"buckets": buckets, "max_distance": most, "bidirectional": both}
        side = "both" if both else "causal"
        yield Case(f"t5/{buckets}/{most}/{side}", "t5", options, offsets)


def single() -> Iterator[Case]:
    """All cases from single options."""
    for made in (rotary, axial, sinusoidal, time_steps, grids, biases):
        yield from made()
