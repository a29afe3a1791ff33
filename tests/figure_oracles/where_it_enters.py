"""The drawing again, written down as boxes by centre and size and as arrows by their steps."""

from __future__ import annotations

from tests.figure_oracles import Expected

BOXES = [  # name, centre, half width; each is 0.8 high
    ("word", 2, 0, 1.1),
    ("encoding PE(p)", 5.7, 0, 1.4),
    ("sum", 4, 1.5, 2.4),
    ("query", 0.95, 3.2, 0.95),
    ("keys", 3.15, 3.2, 0.95),
    ("values", 5.35, 3.2, 0.95),
    ("scores and weights", 2.05, 4.8, 2.05),
    ("weighted mean of the values", 3.7, 6.4, 2.6),
    ("added", 6, 8, 1.6),
]
ARROWS = [  # name, start, then steps up and to the right in turn
    ("word to sum", 2, 0.4, [0.7]),
    ("encoding to sum", 5.7, 0.4, [0.7]),
    ("sum to query", 1.75, 1.9, [0.4, -0.8, 0.5]),
    ("sum to keys", 3.15, 1.9, [0.9]),
    ("sum to values", 5.35, 1.9, [0.9]),
    ("query to scores", 0.95, 3.6, [0.8]),
    ("keys to scores", 3.15, 3.6, [0.8]),
    ("scores to mean", 2.6, 5.2, [0.8]),
    ("values to mean", 5.35, 3.6, [2.4]),
    ("mean to added", 5.35, 6.8, [0.8]),
    ("residual path", 6.2, 1.9, [0.4, 0.8, 5.3]),
    ("added to next layer", 6, 8.4, [0.8]),
]


def _walk(x, y, steps):
    xs, ys = [x], [y]
    for k, step in enumerate(steps + [0] * (3 - len(steps))):
        xs.append(xs[-1] + (step if k % 2 else 0))
        ys.append(ys[-1] + (0 if k % 2 else step))
    return xs, ys


def expected() -> Expected:
    arrows = [(name, *_walk(x, y, steps)) for name, x, y, steps in ARROWS]
    boxes = [(name, x - w, x + w, y - 0.4, y + 0.4) for name, x, y, w in BOXES]
    outlines = [(name, [a, b, b, a, a], [c, c, e, e, c]) for name, a, b, c, e in boxes]
    sides = ("left", "right", "bottom", "top")
    edges = dict(zip(sides, zip(*(box[1:] for box in boxes), strict=True), strict=True))
    return Expected(
        fields={
            **edges,
            "outline_x": [x for _, x, _ in outlines],
            "outline_y": [y for _, _, y in outlines],
            "arrow_x": [x for _, x, _ in arrows],
            "arrow_y": [y for _, _, y in arrows],
        },
        columns=edges,
        lines=[*arrows, *outlines],
    )
