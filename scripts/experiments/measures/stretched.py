"""A rotary model on longer texts than in training, with the frequencies of each scaling."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.experiments import accuracy, encodings, store, tasks
from scripts.experiments.forward import Changes, FloatArray, IntArray
from scripts.experiments.grid import SCALINGS, STRETCHED
from scripts.experiments.runs import LENGTH, Run
from scripts.experiments.weights import Arrays

Accuracies = dict[str, dict[str, dict[str, float]]]  # by scaling, by length
_FEW = (1, 2)  # pairs


def scalings(run: Run) -> dict[str, Any]:
    """Accuracies with nothing retrained, by scaling and length."""
    arrays = store.load(run).arrays
    found: Accuracies = {}
    for length in STRETCHED:
        for name in SCALINGS:
            changes = Changes(encodings.frequencies(run.base, name, length / LENGTH))
            shares = accuracy.by_position(arrays, run, length, changes)
            found.setdefault(name, {})[str(length)] = accuracy.summary(shares)
    return {"scalings": found, **_interpolated(arrays, run), **_partly_slowed(arrays, run)}


def tuned(run: Run) -> dict[str, Any]:
    """After a short training with a scaling: accuracies, and the places that the answers are from.

    The lengths are that of the tuning and that of the first training.
    """
    assert run.tuning
    scaling, longest = run.tuning
    speeds = encodings.frequencies(run.base, scaling, longest / LENGTH)
    arrays, found = store.load(run).arrays, {}
    for length in (LENGTH, longest):
        shares = accuracy.by_position(arrays, run, length, Changes(speeds=speeds))
        found[str(length)] = accuracy.summary(shares)
    tokens, _ = accuracy.test_set(run.task, longest)
    said = accuracy.answers(arrays, run, tokens, Changes(speeds))
    return {"lengths": found, "answers": _by_offset(said, tokens, 4 * tasks.BACK)}


def _by_offset(said: IntArray, tokens: IntArray, furthest: int) -> dict[str, float]:
    """How often an answer is the token 1, 2, ... `furthest` places back."""
    backs = range(1, furthest + 1)
    return {str(k): float(np.mean(said[:, k:] == tokens[:, :-k])) for k in backs}


def _interpolated(arrays: Arrays, run: Run) -> dict[str, Any]:
    """Linear interpolation by 2: how often the answer is the token 3 back, and the one 6 back."""
    tokens, _ = accuracy.test_set(run.task, 2 * LENGTH)
    halved = Changes(encodings.frequencies(run.base, "linear", 2))
    said = accuracy.answers(arrays, run, tokens, halved)
    return {"interpolated_answers": _by_offset(said, tokens, 3 * tasks.BACK - 1)}


def _partly_slowed(arrays: Arrays, run: Run) -> dict[str, Any]:
    """Accuracies at twice the length if only the fastest m pairs keep, or only they halve, it."""
    plain = encodings.frequencies(run.base)
    numbers = np.arange(len(plain))

    def share(speeds: FloatArray) -> float:
        shares = accuracy.by_position(arrays, run, 2 * LENGTH, Changes(speeds))
        return accuracy.summary(shares)["all"]

    kept = {str(m): share(np.where(numbers < m, plain, plain / 2)) for m in _FEW}
    slow = {str(m): share(np.where(numbers < m, plain / 2, plain)) for m in _FEW}
    return {"fast_pairs_kept": kept, "fast_pairs_slowed": slow}
