"""How fast a model learns its task, and how well it does within the trained length and beyond."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.experiments import accuracy, store
from scripts.experiments.forward import FloatArray
from scripts.experiments.runs import LENGTH, Run

_LENGTHS = {"look_back": (LENGTH, 48, 64, 128), "first": (LENGTH, 48, 64, 128)}
_OTHER_LENGTHS = (LENGTH, 48, 64)
_LEARNED = 0.9


def measure(run: Run) -> dict[str, Any]:
    """Accuracies by length, the learning curve, and the step at which it reaches 0.9."""
    return _summary(run, _shares(run))


def with_positions(run: Run) -> dict[str, Any]:
    """The same, and the accuracy at each place of the longest texts; None if nothing is asked."""
    shares = _shares(run)
    longest = shares[max(shares)]
    places = [None if np.isnan(share) else round(share, 3) for share in longest.tolist()]
    return {**_summary(run, shares), "by_position": places}


def _shares(run: Run) -> dict[int, FloatArray]:
    """The share of right answers at each place, for each length."""
    arrays, lengths = store.load(run).arrays, _LENGTHS.get(run.task, _OTHER_LENGTHS)
    return {length: accuracy.by_position(arrays, run, length) for length in lengths}


def _summary(run: Run, shares: dict[int, FloatArray]) -> dict[str, Any]:
    lengths = {str(length): accuracy.summary(share) for length, share in shares.items()}
    return {"lengths": lengths, **_learning(store.load(run).curve, run.steps)}


def _learning(curve: dict[str, list[float]], steps: int) -> dict[str, Any]:
    points = len(curve["accuracy"])
    reached = [i for i, share in enumerate(curve["accuracy"], 1) if share >= _LEARNED]
    first = reached[0] * steps // points if reached else None
    curves = {name: [round(value, 4) for value in values] for name, values in curve.items()}
    return {"curve": curves, "steps_to_0.9": first} if points else {}
