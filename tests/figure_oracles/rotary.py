"""Rotary pairs: arrows and dials that turn, layouts, bases and scalings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests import balls, rotary_oracle
from tests.balls import ball
from tests.figure_oracles import Expected, Line, of_curves
from tests.figure_oracles.clocks import TURN, points
from tests.quantity_oracle import stretched, stretched_similarity

# Arrows turned as complex numbers with a real part that points up, at one radian per position


def arrows(
    places: Any, queries: Any, keys: Any, names: list[str], columns: dict, product: str = "product"
) -> Expected:
    """Dials at `places`, with `queries` and `keys` as complex numbers that are turned already."""
    products = [(query * key.conjugate()).real for query, key in zip(queries, keys, strict=True)]
    lines = []
    for place, query, key, name in zip(places, queries, keys, names, strict=True):
        turns = [balls.argument(key) + balls.argument(query / key) * k / 20 for k in range(21)]
        shapes = {
            "face": [balls.phasor(balls.pi * k / 30) for k in range(61)],
            "wedge": [0j, *(balls.phasor(turn) / 2 for turn in turns), 0j],
        }
        for part, tip in (("query", query), ("key", key)):
            left, right = (0.8 * tip * balls.phasor(turn) for turn in (-0.14, 0.14))
            shapes[part] = [0j, tip, left, tip, right]
        for part, outline in shapes.items():
            x, y = [place + one.imag for one in outline], [one.real for one in outline]
            lines.append((f"{part}, {name}", x, y))
    return Expected({**columns, product: products}, lines)


def rope_turning() -> Expected:
    """Five positions of one pair."""
    at = {"queries": [5, 6, 7, 105, 105], "keys": [2, 3, 4, 102, 101]}
    queries, keys = ([balls.phasor(p) for p in positions] for positions in at.values())
    keys = [ball("-0.3", "0.7") * key for key in keys]
    names = [f"p = {p}, q = {q}" for p, q in zip(*at.values(), strict=True)]
    columns = {"position of query": at["queries"], "position of key": at["keys"]}
    return arrows([0, 2.3, 4.6, 6.9, 9.6], queries, keys, names, columns, product="score")


KEYS = [ball("-0.3", "0.7"), ball("0.5", "0.6"), ball("0.8", "-0.3"), ball("0.2", "0.7")]
SPEEDS = [ball(10) ** -i for i in range(4)]


def turned(p: int, q: int) -> tuple[list, list]:
    """The pairs of the query, which points up, and of the key, as complex numbers."""
    keys = [pair * balls.phasor(q * speed) for pair, speed in zip(KEYS, SPEEDS, strict=True)]
    return [balls.phasor(p * speed) for speed in SPEEDS], keys


def rope_pairs() -> Expected:
    """Four pairs, each ten times as slow as the one before, at positions 5 and 2."""
    waves, names = [TURN / speed for speed in SPEEDS], [f"pair {i}" for i in range(4)]
    columns = {"pair": range(4), "wavelength": waves}
    drawn = arrows([ball(26) / 10 * i for i in range(4)], *turned(5, 2), names, columns)
    drawn.others["score"] = balls.total(drawn.columns["product"])
    return drawn


def rope_in_images() -> Expected:
    """Arrows that start upright, turned by rows 1 and 3 or by columns 4 and 1, fast and slow."""
    names = ["row, fast", "row, slow", "column, fast", "column, slow"]
    queries = [balls.phasor(angle) for angle in (1, ball("0.1"), 4, ball("0.4"))]
    keys = [balls.phasor(angle) * 3 / 4 for angle in (3, ball("0.3"), 1, ball("0.1"))]
    places = [ball(x) for x in ("4.7", "7.3", "10.3", "12.9")]
    return arrows(places, queries, keys, names, {"pair": range(4)})


# Every sixth of 48 pairs, at the farthest offset of the training and 32 times as far

KINDS = {"as trained": "", "linear": "linear", "NTK": "ntk", "YaRN": "yarn"}
PAIRS = range(5, 48, 6)


def scaled_speeds(factor: Any) -> np.ndarray:
    given = {"factor": factor, "original_max_position_embeddings": 4096}
    kinds = [{"type": kind, **given} if kind else None for kind in KINDS.values()]
    return np.array([rotary_oracle.frequencies(96, 10_000, one) for one in kinds])


def apart(factor: Any) -> list[Any]:
    steps = [balls.size([balls.sin(speed / 2) for speed in row]) for row in scaled_speeds(factor)]
    return [step / steps[0] for step in steps]


def dials(times: Any, factor: Any) -> Iterator[tuple[int, int, Any, Any, Any]]:
    """Row, column, angles at the two farthest offsets, and both ends of the arc that is new."""
    for (row, column), end in np.ndenumerate(4095 * times * scaled_speeds(factor)[:, PAIRS]):
        met = 4095 * rotary_oracle.plain(10_000, 96)[PAIRS[column]]
        is_new = met < TURN and end > met + ball(10) ** -9
        yield row, column, met, end, (met, min(end, TURN)) if is_new else ()


def arcs_met() -> Expected:
    """The arcs that training has shown, and those that are new."""
    drawn: dict[str, list[Line]] = {"face": [], "met": [], "new": [], "hand": []}
    for row, column, met, end, new in dials(32, 32):
        arcs = {"face": (0, TURN), "met": (0, min(met, TURN)), **({"new": new} if new else {})}
        x, y = 2.6 * column, (0, -4.2, -7.5, -10.8)[row]
        shapes = {part: points(x, y, balls.steps(*ends, 61)) for part, ends in arcs.items()}
        shapes["hand"] = points(x, y, [end], ball("0.7"), centre=True)
        for part, outline in shapes.items():
            drawn[part].append((f"pair {PAIRS[column]}, {[*KINDS][row]}, {part}", *outline))
    turns = 131_040 / TURN * scaled_speeds(32)[:, PAIRS]
    hands = [[[balls.sin(TURN * end), balls.cos(TURN * end)] for end in line] for line in turns]
    longer = {f"longer, {name}": line for name, line in zip(KINDS, turns, strict=True)}
    return Expected(
        columns={"pair": PAIRS, "in training": turns[0] / 32, **longer},
        lines=[line for lines in drawn.values() for line in lines],
        others={"hands": hands, "apart": apart(32)},
    )


def rotary_layouts() -> Expected:
    """The pairs of a head of 8 features, counted by their definitions, and a bracket for each."""
    pairs = {"interleaved": [(2 * i, 2 * i + 1) for i in range(4)]}
    pairs["halves"] = [(i, i + 4) for i in range(4)]
    ends = {"interleaved": [(0.45, 1.2)] * 4}
    ends["halves"] = [(-0.45, -1.2 - 0.7 * i) for i in range(4)]
    columns, lines = {"pair": range(4)}, []
    for layout, own in pairs.items():
        first, second = zip(*own, strict=True)
        columns |= {f"{layout}, first feature": first, f"{layout}, second feature": second}
        for i, ((a, b), (foot, end)) in enumerate(zip(own, ends[layout], strict=True)):
            lines.append((f"{layout}, pair {i}", [a, a, b, b], [foot, end, end, foot]))
    return Expected(columns, lines)


# Bases and scalings


def rotary_bases() -> Expected:
    """The wavelengths of 64 pairs for four bases, and two level lines."""
    columns, lines = {"pair": range(64)}, []
    for base in (10_000, 150_000, 500_000, 1_000_000):
        columns[f"base {base}"] = [TURN / speed for speed in rotary_oracle.plain(base, 128)]
        lines.append((f"base {base:,}", range(64), columns[f"base {base}"]))
    lines += [(f"{n:,} positions", [0, 63], [n] * 2) for n in (4096, 131_072)]
    return Expected(columns, lines)


SCALED = {"linear": "linear", "ntk": "NTK", "yarn": "YaRN", "llama3": "Llama 3"}
SCALED |= {"longrope": "LongRoPE", "none": "as trained"}


def scaling_similarity() -> Expected:
    """Mean cosines of the turns, offset by offset, for one head and five scalings."""
    offsets = range(65)
    curves = {name: stretched_similarity(offsets, key) for key, name in SCALED.items()}
    return of_curves("offset", offsets, curves)


def scaling_bands() -> Expected:
    """How many times slower each pair turns, from the definitions of the scalings."""
    names = {"none": "as trained", **SCALED}
    pairs, slowed = range(48), [stretched(name) / stretched("none") for name in names]
    slow, edges, lines = [i for i in pairs if stretched("none")[i] > 4095], [], []
    for title, line in zip(names.values(), slowed, strict=True):
        edges.append([sum(line < 1.000001), 48 - sum(abs(line - 32) < 1e-6)])
        lines += [(f"before, {title}", pairs, [1] * 48), (f"after, {title}", pairs, line)]
        new = [i for i in slow if line[i] < 31.999]
        lines += [(f"new angles, {title}", new, line[new])] if new else []
    return Expected(
        columns={"pair": pairs, **dict(zip(names.values(), slowed, strict=True))},
        lines=lines,
        others={"edges": edges},
    )
