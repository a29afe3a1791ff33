"""The drawing again: boxes by centre and size, arrows from box to box, the dog's head by loops."""

from __future__ import annotations

from tests import balls, oracle
from tests.figure_oracles import Expected, outlines
from tests.quantity_oracle import TOY_WORDS, toy_attention

TEXT = ("the", "dog", "bites", "the", "man")
NAMES = ("word", "encoding", "sum", "query", "keys", "values", "weights", "answer", "added")
MIDDLE = (1.75, 5.75, 4.05, 0.9, 3.2, 5.6, 2.1, 4.15, 6.05)
HALF = (1.35, 1.55, 2.45, 1, 1.1, 1.1, 2.2, 2.55, 1.55)
BOTTOM = dict(zip(NAMES, (0, 0, 1.8, 3.6, 3.6, 3.6, 5.4, 7.2, 9), strict=True))
ARROWS = """word to sum: 2; encoding to sum: 5.7; sum to query: 1.75 0.9; sum to keys: 3.2;
sum to values: 5.6; query to weights: 0.9; keys to weights: 3.2; weights to answer: 2.6;
values to answer: 5.6; answer to added: 5.6; sum to added: 6.3 7.2""".replace("\n", " ").split("; ")


def expected() -> Expected:
    boxes = [
        (name, [x - w, x + w, x + w, x - w, x - w], [y, y, y + 1.1, y + 1.1, y])
        for (name, y), x, w in zip(BOTTOM.items(), MIDDLE, HALF, strict=True)
    ]
    arrows = []
    for name, _, xs in (text.partition(": ") for text in ARROWS):
        (below, above), (x, *turn) = name.split(" to "), map(float, xs.split())
        start, end = BOTTOM[below] + 1.1, BOTTOM[above]
        across, up = [x, x, *turn * 2], [start, start + 0.3, start + 0.3, end]
        arrows.append((name, across, up) if turn else (name, [x] * 4, [start, end, end, end]))
    rows = [
        [a + b for a, b in zip(TOY_WORDS[word], oracle.encode(p, 4), strict=True)]
        for p, word in enumerate(TEXT)
    ]
    powers = [balls.exp((rows[1][0] * u + rows[1][1] * v) / balls.sqrt(2)) for *_, u, v in rows]
    dog = rows[1]
    vectors = {"word": TOY_WORDS["dog"], "encoding": oracle.encode(1, 4), "sum": dog}
    made = {"query": dog[:2], "keys": dog[2:], "values": [dog[0] - dog[2], sum(dog[1:])]}
    answers = toy_attention(" ".join(TEXT), encoded=True)
    made |= {"weights": [power / balls.total(powers) for power in powers], "answer": answers[1]}
    made |= outlines("outline", boxes) | outlines("arrow", arrows)
    return Expected(fields={**vectors, **made}, columns=vectors, lines=[*arrows, *boxes])
