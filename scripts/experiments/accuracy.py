"""Shares of right answers on test sets that any language can make again."""

from __future__ import annotations

from functools import cache

import numpy as np

from scripts.experiments import tasks
from scripts.experiments.forward import Changes, FloatArray, IntArray, run_model
from scripts.experiments.generator import xorshift
from scripts.experiments.runs import Run, Task
from scripts.experiments.weights import Arrays

_STATES: dict[Task, int] = {
    "look_back": 100_000,
    "first": 200_000,
    "copy": 300_000,
    "reverse": 400_000,
    "count": 500_000,
}
_CHUNK = 32  # sequences that fit into a processor's cache
LAST = 8


@cache
def test_set(task: Task, length: int) -> tasks.Sequences:
    """256 sequences, or 1024 if each asks one question; the state is that of `task` + `length`."""
    count = 1024 if task == "first" else 256
    return tasks.sequences(task, xorshift(_STATES[task] + length), count, length)


def answers(arrays: Arrays, run: Run, tokens: IntArray, changes: Changes | None = None) -> IntArray:
    """The most likely token at each place."""
    parts = [tokens[i : i + _CHUNK] for i in range(0, len(tokens), _CHUNK)]
    said = [run_model(arrays, run, part, changes).logits.argmax(axis=-1) for part in parts]
    return np.concatenate(said)


def by_position(
    arrays: Arrays, run: Run, length: int, changes: Changes | None = None
) -> FloatArray:
    """The share of right answers at each place, NaN where nothing is asked."""
    tokens, right = test_set(run.task, length)
    shares = (answers(arrays, run, tokens, changes) == right).mean(axis=0)
    return np.where(right[0] == tasks.NOT_ASKED, np.nan, shares)


def summary(shares: FloatArray) -> dict[str, float]:
    """The share over all places that are asked, and over the last eight places."""
    return {"all": float(np.nanmean(shares)), "last": float(np.nanmean(shares[-LAST:]))}
