"""How fast a model learns its task, and how well it does within the trained length and beyond."""

from __future__ import annotations

from typing import Any

from scripts.experiments import accuracy, store
from scripts.experiments.runs import LENGTH, Run

_LENGTHS = {"look_back": (LENGTH, 64, 128), "first": (LENGTH, 48, 64, 128)}
_OTHER_LENGTHS = (LENGTH, 48, 64)
_LEARNED = 0.9


def measure(run: Run) -> dict[str, Any]:
    """Accuracies by length, the learning curve, and the step at which it reaches 0.9."""
    arrays, curve = store.load(run).arrays, store.load(run).curve
    lengths = _LENGTHS.get(run.task, _OTHER_LENGTHS)
    shares = {str(n): accuracy.summary(accuracy.by_position(arrays, run, n)) for n in lengths}
    return {"lengths": shares, **_learning(curve, run.steps)}


def _learning(curve: dict[str, list[float]], steps: int) -> dict[str, Any]:
    points = len(curve["accuracy"])
    reached = [i for i, share in enumerate(curve["accuracy"], 1) if share >= _LEARNED]
    first = reached[0] * steps // points if reached else None
    curves = {name: [round(value, 4) for value in values] for name, values in curve.items()}
    return {"curve": curves, "steps_to_0.9": first} if points else {}
