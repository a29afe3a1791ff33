"""The small trained models, from the text of their results."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from tests import balls, result_oracle, rotary_oracle
from tests.balls import ball
from tests.figure_oracles import Expected, Line, numbered, of_curves
from tests.figure_oracles.clocks import TURN, points


def accuracy_by_encoding() -> Expected:
    """The last eight places of texts of three lengths, seed by seed."""
    labels = {"none": "none", "sinusoidal": "sinusoids", "learned": "table"}
    labels |= {"rope": "RoPE", "alibi": "ALiBi", "t5": "T5"}
    shares = {
        n: [list(result_oracle.accuracy_seeds(name, n, last=True)) for name in labels]
        for n in (32, 64, 128)
    }
    counts = [len(seeds) for seeds in shares[32]]
    rows = np.repeat(range(len(counts)), counts)
    heights = [row + np.linspace(-0.28, 0.28, count) for row, count in enumerate(counts)]
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
        "built by hand": [result_oracle.built_score(k) for k in offsets],
    }
    return of_curves("places back", offsets, curves)


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

    def joined(label: str, outlines: list[Any]) -> Line:
        """A line with a gap after each outline."""
        x, y = ([n for one in outlines for n in (*one[axis], math.nan)] for axis in (0, 1))
        return label, x, y

    ends, plain = [], np.array(rotary_oracle.plain(10_000, 32))
    right = {name: result_oracle.desk_right(model) for name, (model, _) in PRESETS.items()}
    faces, arcs, hands, strips = [], [], [], []
    for row, (name, (_, scaling)) in enumerate(PRESETS.items()):
        slowed = plain / rotary_oracle.frequencies(32, 10_000, scaling)
        steps = [balls.nearest(15 * balls.log(one) / balls.log(8)) for one in slowed]
        ends.append((256 * plain / [ball(8) ** (ball(int(n)) / 15) for n in steps])[::2])
        met, new = [], []
        circles, tips = [], []
        for k, (seen, end) in enumerate(zip(32 * plain[::2], ends[-1], strict=True)):
            at, most = (ball("3.8") * k, -ball("5.4") * row), min(end, TURN)
            met.append(points(*at, balls.steps(0, min(seen, TURN), 25)))
            tips.append(points(*at, [end], ball("0.7"), centre=True))
            if seen < TURN:
                circles.append(points(*at, balls.steps(0, TURN, 25)))
                new += [points(*at, balls.steps(seen, most, 25))] if end / seen > 1 + 1e-9 else []
        faces.append(joined(f"{name}, faces", circles))
        arcs += [joined(f"{name}, met", met), *([joined(f"{name}, new", new)] if new else [])]
        hands.append(joined(f"{name}, hands", tips))
        turns = [k for k in range(1, 253) if right[name][k] != right[name][k - 1]]
        for kind, word, up in ((1, "right", 2.2), (0, "wrong", 1.6)):
            runs = [run for run in pairwise([0, *turns, 253]) if right[name][run[0]] == kind]
            across = [[ball(3 + k) / 256 * 28.6 - 1 for k in run] for run in runs]
            strips.append(joined(f"{name}, {word}", [(x, [up - 5.4 * row] * 2) for x in across]))
    shares = [result_oracle.desk_share(model) for model, _ in PRESETS.values()]
    return Expected(
        columns={"letter": range(4, 257), **right},
        lines=[*faces, *arcs, *hands, *strips],
        others={"shares": shares, "met": 32 * plain[::2], "ends": ends},
    )
