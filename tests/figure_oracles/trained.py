"""The small trained models, from the text of their results."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

import numpy as np

from tests import balls, result_oracle, rotary_oracle
from tests.balls import ball
from tests.figure_oracles import Expected, Line, numbered, of_curves


def accuracy_by_encoding() -> Expected:
    """The last eight places of texts of three lengths, seed by seed."""
    labels = {"none": "none", "sinusoidal": "sinusoids", "learned": "table"}
    labels |= {"rope": "RoPE", "alibi": "ALiBi", "t5": "T5"}
    shares = {
        n: [list(result_oracle.accuracy_seeds(name, n, last=True)) for name in labels]
        for n in (32, 64, 128)
    }
    counts = [len(seeds) for seeds in shares[32]]
    rows = [row for row, count in enumerate(counts) for _ in range(count)]
    heights = [
        [row - 0.28 + 0.56 * seed / (count - 1) for seed in range(count)]
        for row, count in enumerate(counts)
    ]
    lines, columns = [], {"encoding": rows}
    for n, found in shares.items():
        columns[f"{n} letters"] = [share for seeds in found for share in seeds]
        for row, (label, seeds) in enumerate(zip(labels.values(), found, strict=True)):
            lines.append((f"{label}, seeds", seeds, heights[row]))
            lines.append((f"{label}, mean", [sum(seeds) / len(seeds)] * 2, [row - 0.4, row + 0.4]))
    return Expected(columns, lines)


def frozen_head() -> Expected:
    """The map of the first head."""
    weights = result_oracle.trained_map("learned")
    edge, ends, name = [31.5, 31.5], [-0.5, 63.5], "end of the trained length"
    return Expected(
        columns={"position": range(64), **numbered("to", weights)},
        lines=[(name, edge, ends), (name, ends, edge)],
        images=[weights],
    )


def pairs_kept() -> Expected:
    """The last eight places if few pairs turn, seed by seed."""
    counts = (0, 1, 2, 3, 4, 5, 6, 8, 12, 16)
    columns, lines = {"fastest pairs that turn": counts}, []
    for n, label in {32: "32 letters, as trained", 128: "128 letters"}.items():
        rows = [list(result_oracle.pairs_seeds("rope", k, length=n, last=True)) for k in counts]
        columns |= {f"{label}, seed {s}": [row[s] for row in rows] for s in range(10)}
        lines.append((f"{label}, mean", counts, [sum(row) / 10 for row in rows]))
        places = [k for k in counts for _ in range(10)]
        lines.append((f"{label}, seeds", places, [share for row in rows for share in row]))
    return Expected(columns, lines)


def trained_head() -> Expected:
    """The lists of scores, and exact similarities by offset."""
    offsets = range(32)
    heads = [sorted(result_oracle.trained_scores("sinusoidal", k)) for k in offsets]
    curves = {
        "trained": [sum(scores) / len(scores) for scores in heads],
        "lowest": [scores[0] for scores in heads],
        "highest": [scores[-1] for scores in heads],
        "built": [result_oracle.built_score(k) for k in offsets],
    }
    labels = ("trained", "lowest", "highest", "built by hand")
    lines = [(label, offsets, y) for label, y in zip(labels, curves.values(), strict=True)]
    return of_curves("places back", lines)


GIVEN = {"factor": 8, "original_max_position_embeddings": 32}
YARN = {"type": "yarn", **GIVEN, "beta_fast": 4, "beta_slow": 0.5, "truncate": False}
PRESETS = {
    "As trained": ("trained", {"type": "linear", "factor": 1}),
    "Linear": ("linear", {"type": "linear", "factor": 8}),
    "NTK": ("ntk", {"type": "ntk", "factor": 8}),
    "YaRN": ("parts", YARN),
}


def desk_presets() -> Expected:
    """Verdicts, and angles of the speeds that the faders' steps give."""

    def clockwise(angle: Any) -> Any:
        """The point of a dial at this angle from the top."""
        return ball(balls.sin(angle), balls.cos(angle))

    def arc(centre: Any, start: Any, end: Any) -> list[Any]:
        return [centre + clockwise(angle) for angle in balls.steps(start, end, 25)]

    def joined(label: str, outlines: list[list[Any]]) -> Line:
        """A line through complex numbers, with a gap after each outline."""
        x = [number for outline in outlines for number in (*(z.real for z in outline), math.nan)]
        y = [number for outline in outlines for number in (*(z.imag for z in outline), math.nan)]
        return label, x, y

    ends: list[Any] = []
    plain, turn = np.array(rotary_oracle.plain(10_000, 32)), 2 * balls.pi
    right = {name: result_oracle.desk_right(model) for name, (model, _) in PRESETS.items()}
    drawn: dict[str, list[Line]] = {"faces": [], "arcs": [], "hands": [], "strips": []}
    for row, (name, (_, scaling)) in enumerate(PRESETS.items()):
        slowed = plain / rotary_oracle.frequencies(32, 10_000, scaling)
        steps = np.array([balls.nearest(15 * balls.log(one) / balls.log(8)) for one in slowed])
        ends.append((256 * plain / np.array([ball(8) ** (ball(int(n)) / 15) for n in steps]))[::2])
        places = [ball(ball("3.8") * k, -ball("5.4") * row) for k in range(8)]
        dials = list(zip(places, 32 * plain[::2], ends[-1], strict=True))
        faces = [arc(at, 0, turn) for at, met, _ in dials if met < turn]
        grey = [arc(at, 0, min(met, turn)) for at, met, _ in dials]
        new = [(at, a, min(b, turn)) for at, a, b in dials if a < turn and b / a > 1 + 1e-9]
        hands = [[at, at + ball("0.7") * clockwise(end)] for at, _, end in dials]
        drawn["faces"].append(joined(f"{name}, faces", faces))
        drawn["arcs"].append(joined(f"{name}, met", grey))
        drawn["arcs"] += [joined(f"{name}, new", [arc(*one) for one in new])] if new else []
        drawn["hands"].append(joined(f"{name}, hands", hands))
        for kind, word, up in ((1, "right", 2.2), (0, "wrong", 1.6)):
            runs, end = [], 3
            for verdict, run in groupby(right[name]):
                begin, end = end, end + len(list(run))
                if verdict == kind:
                    runs.append([ball(p / 256 * 28.6 - 1, up - 5.4 * row) for p in (begin, end)])
            drawn["strips"].append(joined(f"{name}, {word}", runs))
    shares = [result_oracle.desk_share(model) for model, _ in PRESETS.values()]
    lines = [line for lines in drawn.values() for line in lines]
    others = {"shares": shares, "met": 32 * plain[::2], "ends": ends}
    return Expected({"letter": range(4, 257), **right}, lines, others=others)
