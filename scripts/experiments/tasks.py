"""What the models learn: each task makes tokens, and the answers that it asks for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scripts.experiments.generator import Draw, IntArray
from scripts.experiments.runs import VOCABULARY, Task

Sequences = tuple[IntArray, IntArray]  # tokens and answers, both (count, length)
BACK = 3
NOT_ASKED = -1
FIRST_MARK, SECOND_MARK = VOCABULARY - 2, VOCABULARY - 1
SEPARATOR = VOCABULARY - 1


def sequences(task: Task, draw: Draw, count: int, length: int) -> Sequences:
    """`count` sequences of `length` tokens, with the answer at each place or NOT_ASKED."""
    return _TASKS[task](draw, count, length)


def _look_back(draw: Draw, count: int, length: int) -> Sequences:
    """Each place asks for the token BACK places before it."""
    tokens = draw(VOCABULARY, (count, length))
    answers = np.full_like(tokens, NOT_ASKED)
    answers[:, BACK:] = tokens[:, :-BACK]
    return tokens, answers


def _first(draw: Draw, count: int, length: int) -> Sequences:
    """The last place asks which of two marks stands first; each of them stands once before it."""
    tokens = draw(FIRST_MARK, (count, length))
    one = draw(length - 1, (count,))
    other = (one + 1 + draw(length - 2, (count,))) % (length - 1)
    rows = np.arange(count)
    tokens[rows, one], tokens[rows, other] = FIRST_MARK, SECOND_MARK
    answers = np.full_like(tokens, NOT_ASKED)
    answers[:, -1] = np.where(one < other, FIRST_MARK, SECOND_MARK)
    return tokens, answers


def _count(draw: Draw, count: int, length: int) -> Sequences:
    """Each place asks how often its token occurs in the sequence, at most VOCABULARY - 1."""
    tokens = draw(VOCABULARY, (count, length))
    often = (tokens[:, :, None] == tokens[:, None, :]).sum(axis=2)
    return tokens, np.minimum(often, VOCABULARY - 1)


def _spoken(order: int) -> Callable[[Draw, int, int], Sequences]:
    """A span fills the first half; after a separator, the model says it in this `order`."""

    def task(draw: Draw, count: int, length: int) -> Sequences:
        half = length // 2
        span = draw(SEPARATOR, (count, half))
        said = span[:, ::order]
        tokens = np.full((count, length), SEPARATOR)
        tokens[:, :half], tokens[:, half + 1 :] = span, said[:, :-1]
        answers = np.full_like(tokens, NOT_ASKED)
        answers[:, half:] = said
        return tokens, answers

    return task


_TASKS: dict[Task, Callable[[Draw, int, int], Sequences]] = {
    "look_back": _look_back,
    "first": _first,
    "count": _count,
    "copy": _spoken(1),
    "reverse": _spoken(-1),
}
