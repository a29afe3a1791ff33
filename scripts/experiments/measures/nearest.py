"""Longer texts of which each query sees no more keys than in training, and none further away."""

from __future__ import annotations

from typing import Any

from scripts.experiments import accuracy, store
from scripts.experiments.forward import Changes
from scripts.experiments.runs import LENGTH, Run

_LENGTHS = (2 * LENGTH, 4 * LENGTH)


def measure(run: Run) -> dict[str, Any]:
    """Accuracies by length if a query sees only the LENGTH nearest keys."""
    arrays, changes = store.load(run).arrays, Changes(nearest=LENGTH)
    shares = {str(n): accuracy.by_position(arrays, run, n, changes) for n in _LENGTHS}
    return {"lengths": {length: accuracy.summary(share) for length, share in shares.items()}}
