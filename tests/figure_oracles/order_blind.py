"""The attention head's answers to two sentences, without and with encoding, as bars below cards."""

from __future__ import annotations

from tests.figure_oracles import Expected
from tests.quantity_oracle import toy_attention

ORDERS = ("the dog bites the man", "the man bites the dog")


def expected() -> Expected:
    sides, zero = {"without positions": False, "with positions": True}, [0, -3, -6.8, -9.8]
    fields = {key: [] for key in ("answers", "card_x", "card_y", "bar_x", "bar_y")}
    fields |= {"zero": zero, "frame_x": [], "frame_y": []}
    columns, thin, thick = {}, [], []
    strips = [(order, side) for side in sides for order in ORDERS]
    for (order, side), y in zip(strips, zero, strict=True):
        strip, found = f"{order}, {side}", toy_attention(order, encoded=sides[side])
        first = toy_attention(ORDERS[0], encoded=sides[side])[[0, 1, 2, 3, 4]]
        if order != ORDERS[0]:
            first = first[[0, 4, 2, 3, 1]]
        rows = {key: [] for key in fields if key not in ("answers", "zero")}
        thin.append((f"zero, {strip}", [-0.9, 8.9], [y, y]))
        for k, word in enumerate(order.split()):
            name, x = f"{word}, place {k}, {strip}", 2 * k
            rows["card_x"].append([x + a for a in (-0.9, 0.9, 0.9, -0.9, -0.9)])
            rows["card_y"].append([y + a for a in (1.5, 1.5, 2.1, 2.1, 1.5)])
            thin.append((name, rows["card_x"][-1], rows["card_y"][-1]))
            both = [[x - 0.3] * 2, [x + 0.3] * 2]
            rows["bar_x"].append(both)
            rows["bar_y"].append([[y, y + 0.4 * value] for value in found[k]])
            rows["frame_x"].append(
                [[x + a for a in s] for s in ([-0.47] * 2 + [-0.13] * 2, [0.13] * 2 + [0.47] * 2)]
            )
            rows["frame_y"].append([[y, y + 0.4 * value, y + 0.4 * value, y] for value in first[k]])
            for j, number in enumerate(("first", "second")):
                thick.append((f"{name}, {number}", both[j], rows["bar_y"][-1][j]))
                if order != ORDERS[0]:
                    frame = rows["frame_x"][-1][j], rows["frame_y"][-1][j]
                    thin.append((f"{name}, {number}, before", *frame))
        for key, row in {**rows, "answers": found}.items():
            fields[key].append(row)
        columns |= {f"{n} number, {strip}": found[:, j] for j, n in enumerate(("first", "second"))}
    return Expected(fields=fields, columns=columns, lines=thin + thick)
