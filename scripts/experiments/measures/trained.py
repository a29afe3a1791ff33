"""How fast a model learns its task, and how well it does within the trained length and beyond."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.experiments import accuracy, store
from scripts.experiments.runs import LENGTH, STEPS, Run

_LENGTHS = {"look_back": (LENGTH, 48, 64, 128), "first": (LENGTH, 48, 64, 128)}
_OTHER_LENGTHS = (LENGTH, 48, 64)
_LEARNED = 0.9


def measure(run: Run) -> dict[str, Any]:
    """Accuracies by length, the learning curve, and the step at which it reaches 0.9."""
    finished = store.load(run)
    found: dict[str, Any] = {"lengths": {}}
    for length in _LENGTHS.get(run.task, _OTHER_LENGTHS):
        shares = accuracy.by_position(finished.arrays, run, length)
        found["lengths"][str(length)] = accuracy.summary(shares)
    return {**found, **_learning(finished.curve)}


def with_positions(run: Run) -> dict[str, Any]:
    """The same, and the accuracy at each of 128 positions; None where nothing is asked."""
    shares = accuracy.by_position(store.load(run).arrays, run, 128)
    places = [None if np.isnan(share) else round(share, 3) for share in shares.tolist()]
    return {**measure(run), "by_position": places}


def _learning(curve: dict[str, list[float]]) -> dict[str, Any]:
    points = len(curve["accuracy"])
    reached = [i for i, share in enumerate(curve["accuracy"], 1) if share >= _LEARNED]
    steps = reached[0] * STEPS // points if reached else None
    curves = {name: [round(value, 4) for value in values] for name, values in curve.items()}
    return {"curve": curves, "steps_to_0.9": steps} if points else {}
