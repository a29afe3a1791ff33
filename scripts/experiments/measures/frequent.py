"""Whether a model that cannot see the order names a token that is frequent in the text."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.experiments import accuracy, store, tasks
from scripts.experiments.runs import LENGTH, VOCABULARY, Run


def measure(run: Run) -> dict[str, Any]:
    """How often an answer is among the text's most frequent tokens, and how often they are right.

    If several tokens are the most frequent, naming each of them counts as its share.
    """
    tokens, right = accuracy.test_set(run.task, LENGTH)
    counts = np.stack([(tokens == token).sum(axis=1) for token in range(VOCABULARY)], axis=1)
    most = counts == counts.max(axis=1, keepdims=True)
    said = accuracy.answers(store.load(run).arrays, run, tokens)
    named = np.take_along_axis(most, said, axis=1)
    asked = right != tasks.NOT_ASKED
    hits = np.take_along_axis(most / most.sum(axis=1, keepdims=True), np.maximum(right, 0), axis=1)
    return {"named": float(named[asked].mean()), "right": float(hits[asked].mean())}
