"""Attention and its parts, and drawings of boxes."""

from __future__ import annotations

from dataclasses import replace

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected, numbered, of_curves
from tests.quantity_oracle import toy_attention, toy_head


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
            heights = [y + 1.5, y + 1.5, y + 2.1, y + 2.1, y + 1.5]
            thin.append((name, [left, right, right, left, left], heights))
            before = first[k if word == "the" else one.split().index(word)]
            for j, number in enumerate(("first", "second")):
                x, tip = 2 * k - 0.3 + 0.6 * j, y + 0.4 * before[j]
                bars.append((f"{name}, {number}", [x, x], [y, y + 0.4 * found[k][j]]))
                if order == other:
                    frame = [x - 0.17] * 2 + [x + 0.17] * 3, [y, tip, tip, y, y]
                    thin.append((f"{name}, {number}, before", *frame))
        columns |= {f"{n} number, {strip}": found[:, j] for j, n in enumerate(("first", "second"))}
    return Expected(columns, thin + bars)


def where_it_enters() -> Expected:
    """The dog's head, step by step."""
    words, sums, weights, answers = toy_head("the dog bites the man", encoded=True)
    word, dog = words[1], sums[1]
    vectors = {"word": word, "encoding": oracle.encode(1, 4), "sum": dog}
    made = {"query": dog[:2], "keys": dog[2:], "values": [dog[0] - dog[2], sum(dog[1:])]}
    made |= {"weights": weights[1], "answer": answers[1]}
    layout = ("outline_x", "outline_y", "arrow_x", "arrow_y")
    return Expected(vectors, others=made, layout=layout)


def picture_positions() -> Expected:
    """Two words, two rows of three tokens that begin at 2, and two words from 5 on."""
    grid = [(2, 2 + row, 2 + column) for row in (0, 1) for column in (0, 1, 2)]
    tokens = [(0, 0, 0), (1, 1, 1), *grid, (5, 5, 5), (6, 6, 6)]
    cells = [(x, y) for y in (1, 0) for x in (2.5, 3.5, 4.5)]
    ids, count = zip(*tokens, strict=True), range(len(tokens))
    curves = dict(zip(("time", "row", "column"), ids, strict=True))
    texts = [*(str(number) for token in tokens for number in token), "see", "this", "then", "go"]
    corners = [(0, 0.5), (1, 0.5), *cells, (6, 0.5), (7, 0.5)]
    return replace(of_curves("token", count, curves), texts=texts, others={"corners": corners})
