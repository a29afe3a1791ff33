"""Two words, two rows of three tokens that begin at 2, and two words from 5 on."""

from __future__ import annotations

from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    grid = [(2, 2 + row, 2 + column) for row in (0, 1) for column in (0, 1, 2)]
    tokens = [(0, 0, 0), (1, 1, 1), *grid, (5, 5, 5), (6, 6, 6)]
    upper, lower = [(x, 1) for x in (2.5, 3.5, 4.5)], [(x, 0) for x in (2.5, 3.5, 4.5)]
    ids, count = list(zip(*tokens, strict=True)), range(len(tokens))
    lines = [(name, count, own) for name, own in zip(("time", "row", "column"), ids, strict=True)]
    return Expected(
        fields={
            "tokens": count,
            "ids": ids,
            "corners": [(0, 0.5), (1, 0.5), *upper, *lower, (6, 0.5), (7, 0.5)],
        },
        columns={"token": count, **labelled(lines)},
        lines=lines,
        texts=[*(str(number) for token in tokens for number in token), "see", "this", "then", "go"],
    )
