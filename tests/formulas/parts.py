"""Random numbers and matrices, and rows of words and of the encoding, entry by entry."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from tests import balls, oracle
from tests.balls import ball


class PairError(LookupError):
    """A pair or a column that the encoding does not have."""


def real(chance: Random, low: float, high: float) -> Any:
    """A random number between `low` and `high`."""
    return ball(chance.uniform(low, high))


def matrix(rows: Any) -> np.ndarray:
    """An array with two axes of balls."""
    return np.array([[ball(entry) for entry in row] for row in rows], dtype=object)


def table(chance: Random, rows: int, columns: int) -> np.ndarray:
    """A random matrix."""
    return matrix([[chance.uniform(-2, 2) for _ in range(columns)] for _ in range(rows)])


def permutation(size: int) -> np.ndarray:
    """The matrix of a permutation that is not its own inverse."""
    return matrix(np.roll(np.eye(size, dtype=int), 1, axis=1))


def member(entries: Any) -> Callable[[Any], Any]:
    """The entry with an index, as in w_i; PairError if there is none."""

    def entry(index: Any) -> Any:
        if index != int(index) or not 0 <= index < len(entries):
            raise PairError(index)
        return entries[int(index)]

    return entry


def encoding(p: Any, d: Any, n: Any, *column: Any) -> Any:
    """The row of a position, or its entry in a column."""
    row = oracle.encode(p, int(d), base=n)
    return member(row)(*column) if column else row.reshape(1, -1)


def embedding(token: Any, d: int) -> np.ndarray:
    """Any row that differs from token to token."""
    return matrix([[balls.cos((j + 1) * token + j * j) for j in range(d)]])


def word(p: Any, d: int) -> np.ndarray:
    """The word vector at a position."""
    return balls.sqrt(d) * embedding(p, d)


def scores(asks: Any, answers: Any, query: Any, key: Any) -> np.ndarray:
    """The scaled products of queries and keys, made from rows."""
    return (asks @ query) @ (answers @ key).T / balls.sqrt(len(key.T))
