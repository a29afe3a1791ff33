"""The attention head's answers to two sentences, without and with encoding, as bars below cards."""

from __future__ import annotations

from tests.figure_oracles import Expected, outlines
from tests.quantity_oracle import toy_attention

FIRST, SECOND = "the dog bites the man", "the man bites the dog"
STRIPS = {
    (FIRST, "without"): 0,
    (SECOND, "without"): -3,
    (FIRST, "with"): -6.8,
    (SECOND, "with"): -9.8,
}


def expected() -> Expected:
    columns, thin, bars, answers = {}, [], [], []
    for (order, side), y in STRIPS.items():
        strip = f"{order}, {side} positions"
        first, found = (toy_attention(o, encoded=side == "with") for o in (FIRST, order))
        answers.append(found)
        thin.append((f"zero, {strip}", [-0.9] + [8.9] * 4, [y] * 5))
        for k, word in enumerate(order.split()):
            name, left, right = f"{word}, place {k}, {strip}", 2 * k - 0.9, 2 * k + 0.9
            card = [left, right, right, left, left], [y + 1.5, y + 1.5, y + 2.1, y + 2.1, y + 1.5]
            thin.append((name, *card))
            before = first[k if word == "the" else FIRST.split().index(word)]
            for j, number in enumerate(("first", "second")):
                x, tip = 2 * k - 0.3 + 0.6 * j, y + 0.4 * before[j]
                bars.append((f"{name}, {number}", [x, x], [y, y + 0.4 * found[k][j]]))
                if order == SECOND:
                    frame = [x - 0.17] * 2 + [x + 0.17] * 3, [y, tip, tip, y, y]
                    thin.append((f"{name}, {number}, before", *frame))
        columns |= {f"{n} number, {strip}": found[:, j] for j, n in enumerate(("first", "second"))}
    fields = {"answers": answers, **outlines("thin", thin), **outlines("bar", bars)}
    return Expected(fields=fields, columns=columns, lines=thin + bars)
