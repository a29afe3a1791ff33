"""Attention and its parts, and drawings of boxes."""

from __future__ import annotations

from tests import balls, oracle, quantity_oracle
from tests.figure_oracles import Expected, labelled, numbered
from tests.quantity_oracle import TOY_WORDS, toy_attention


def head_map() -> Expected:
    """The weights of the head that looks three back: 64 positions, d = 512, gains 1 and 10."""
    low, high = (quantity_oracle.head_weights(64, 512, 3, gain) for gain in (1, 10))
    places = range(64)
    columns = {"position": places, **numbered("gain 1, to", low), **numbered("gain 10, to", high)}
    return Expected(columns, [("p = q", places, places)] * 2, [low, high])


def score_terms() -> Expected:
    """The four terms of the worked sentence's scores."""
    terms = [("word", "word"), ("word", "place"), ("place", "word"), ("place", "place")]
    exact = [quantity_oracle.score_terms(*term) for term in terms]
    columns = {"position": range(4)}
    for (query, key), values in zip(terms, exact, strict=True):
        columns |= numbered(f"{query} asks {key},", values)
    best = [max(range(4), key=list(row).__getitem__) for row in exact[3]]
    return Expected(columns, images=exact, others={"best": best})


def order_blind() -> Expected:
    """The answers to two sentences, without and with encoding, as bars below cards."""
    one, other = "the dog bites the man", "the man bites the dog"
    strips = {(one, "without"): 0, (other, "without"): -3, (one, "with"): -6.8}
    strips |= {(other, "with"): -9.8}
    columns, thin, bars = {}, [], []
    for (order, side), y in strips.items():
        strip = f"{order}, {side} positions"
        first, found = (toy_attention(o, encoded=side == "with") for o in (one, order))
        thin.append((f"zero, {strip}", [-0.9] + [8.9] * 4, [y] * 5))
        for k, word in enumerate(order.split()):
            name, left, right = f"{word}, place {k}, {strip}", 2 * k - 0.9, 2 * k + 0.9
            card = [left, right, right, left, left], [y + 1.5, y + 1.5, y + 2.1, y + 2.1, y + 1.5]
            thin.append((name, *card))
            before = first[k if word == "the" else one.split().index(word)]
            for j, number in enumerate(("first", "second")):
                x, tip = 2 * k - 0.3 + 0.6 * j, y + 0.4 * before[j]
                bars.append((f"{name}, {number}", [x, x], [y, y + 0.4 * found[k][j]]))
                if order == other:
                    frame = [x - 0.17] * 2 + [x + 0.17] * 3, [y, tip, tip, y, y]
                    thin.append((f"{name}, {number}, before", *frame))
        columns |= {f"{n} number, {strip}": found[:, j] for j, n in enumerate(("first", "second"))}
    return Expected(columns, thin + bars)


NAMES = ("word", "encoding", "sum", "query", "keys", "values", "weights", "answer", "added")
MIDDLE = (1.75, 5.75, 4.05, 0.9, 3.2, 5.6, 2.1, 4.15, 6.05)
HALF = (1.35, 1.55, 2.45, 1, 1.1, 1.1, 2.2, 2.55, 1.55)
BOTTOM = dict(zip(NAMES, (0, 0, 1.8, 3.6, 3.6, 3.6, 5.4, 7.2, 9), strict=True))
ARROWS = """word to sum: 2; encoding to sum: 5.7; sum to query: 1.75 0.9; sum to keys: 3.2;
sum to values: 5.6; query to weights: 0.9; keys to weights: 3.2; weights to answer: 2.6;
values to answer: 5.6; answer to added: 5.6; sum to added: 6.3 7.2""".replace("\n", " ").split("; ")


def where_it_enters() -> Expected:
    """Boxes by centre and size, arrows from box to box, the dog's head by loops."""
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
    text = "the dog bites the man"
    rows = [
        [a + b for a, b in zip(TOY_WORDS[word], oracle.encode(p, 4), strict=True)]
        for p, word in enumerate(text.split())
    ]
    powers = [balls.exp((rows[1][0] * u + rows[1][1] * v) / balls.sqrt(2)) for *_, u, v in rows]
    dog = rows[1]
    vectors = {"word": TOY_WORDS["dog"], "encoding": oracle.encode(1, 4), "sum": dog}
    made = {"query": dog[:2], "keys": dog[2:], "values": [dog[0] - dog[2], sum(dog[1:])]}
    weights = [power / balls.total(powers) for power in powers]
    made |= {"weights": weights, "answer": toy_attention(text, encoded=True)[1]}
    return Expected(vectors, [*arrows, *boxes], others=made)


def picture_positions() -> Expected:
    """Two words, two rows of three tokens that begin at 2, and two words from 5 on."""
    grid = [(2, 2 + row, 2 + column) for row in (0, 1) for column in (0, 1, 2)]
    tokens = [(0, 0, 0), (1, 1, 1), *grid, (5, 5, 5), (6, 6, 6)]
    cells = [(x, y) for y in (1, 0) for x in (2.5, 3.5, 4.5)]
    ids, count = zip(*tokens, strict=True), range(len(tokens))
    lines = [(name, count, own) for name, own in zip(("time", "row", "column"), ids, strict=True)]
    corners = [(0, 0.5), (1, 0.5), *cells, (6, 0.5), (7, 0.5)]
    texts = [*(str(number) for token in tokens for number in token), "see", "this", "then", "go"]
    columns = {"token": count, **labelled(lines)}
    return Expected(columns, lines, texts=texts, others={"corners": corners})
