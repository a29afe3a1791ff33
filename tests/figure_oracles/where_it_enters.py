"""The drawing again: boxes by centre and size, arrows by their steps, the dog's head by loops."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected
from tests.oracle import mp
from tests.quantity_oracle import TOY_WORDS, toy_attention

TEXT = ("the", "dog", "bites", "the", "man")
BOXES = [  # name, centre, half width; each is 1.1 high
    ("word", 1.75, 0.55, 1.35),
    ("encoding", 5.75, 0.55, 1.55),
    ("sum", 4.05, 2.35, 2.45),
    ("query", 0.9, 4.15, 1),
    ("keys", 3.2, 4.15, 1.1),
    ("values", 5.6, 4.15, 1.1),
    ("weights", 2.1, 5.95, 2.2),
    ("answer", 4.15, 7.75, 2.55),
    ("added", 6.05, 9.55, 1.55),
]
ARROWS = [  # name, start, then steps up and to the right in turn
    ("word to sum", 2, 1.1, [0.7]),
    ("encoding to sum", 5.7, 1.1, [0.7]),
    ("sum to query", 1.75, 2.9, [0.3, -0.85, 0.4]),
    ("sum to keys", 3.2, 2.9, [0.7]),
    ("sum to values", 5.6, 2.9, [0.7]),
    ("query to weights", 0.9, 4.7, [0.7]),
    ("keys to weights", 3.2, 4.7, [0.7]),
    ("weights to answer", 2.6, 6.5, [0.7]),
    ("values to answer", 5.6, 4.7, [2.5]),
    ("answer to added", 5.6, 8.3, [0.7]),
    ("residual path", 6.3, 2.9, [0.3, 0.9, 5.8]),
]


def _walk(x, y, steps):
    xs, ys = [x], [y]
    for k, step in enumerate(steps + [0] * (3 - len(steps))):
        xs.append(xs[-1] + (step if k % 2 else 0))
        ys.append(ys[-1] + (0 if k % 2 else step))
    return xs, ys


def expected() -> Expected:
    arrows = [(name, *_walk(x, y, steps)) for name, x, y, steps in ARROWS]
    outlines = [
        (name, [x + w * a for a in (-1, 1, 1, -1, -1)], [y + 0.55 * a for a in (-1, -1, 1, 1, -1)])
        for name, x, y, w in BOXES
    ]
    rows = [
        [a + b for a, b in zip(TOY_WORDS[w], oracle.encode(p, 4), strict=True)]
        for p, w in enumerate(TEXT)
    ]
    dog = rows[1]
    powers = [mp.exp((dog[0] * row[2] + dog[1] * row[3]) / mp.sqrt(2)) for row in rows]
    vectors = {"word": TOY_WORDS["dog"], "encoding": oracle.encode(1, 4), "sum": dog}
    return Expected(
        fields={
            **vectors,
            **{"query": dog[:2], "keys": dog[2:], "values": [dog[0] - dog[2], sum(dog[1:])]},
            "weights": [power / mp.fsum(powers) for power in powers],
            "answer": toy_attention(" ".join(TEXT), encoded=True)[1],
            **{"outline_x": [x for _, x, _ in outlines], "outline_y": [y for _, _, y in outlines]},
            **{"arrow_x": [x for _, x, _ in arrows], "arrow_y": [y for _, _, y in arrows]},
        },
        columns=vectors,
        lines=[*arrows, *outlines],
    )
