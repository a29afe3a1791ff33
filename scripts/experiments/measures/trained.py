"""How a model learns its task, and how well it does within the trained length and beyond."""

from __future__ import annotations

from typing import Any

from scripts.experiments import accuracy, store
from scripts.experiments.runs import LENGTH, Run

_LENGTHS = {"look_back": (LENGTH, 64, 128), "first": (LENGTH, 48, 64, 128)}
_OTHER_LENGTHS = (LENGTH, 48, 64)


def measure(run: Run) -> dict[str, Any]:
    """Accuracies by length, and the learning curve."""
    arrays, curve = store.load(run).arrays, store.load(run).curve
    lengths = _LENGTHS.get(run.task, _OTHER_LENGTHS)
    shares = {str(n): accuracy.summary(accuracy.by_position(arrays, run, n)) for n in lengths}
    rounded = {name: [round(value, 4) for value in values] for name, values in curve.items()}
    return {"lengths": shares, "curve": rounded}
