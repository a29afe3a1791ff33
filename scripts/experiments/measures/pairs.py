"""How many pairs a model uses: accuracy with only its fastest pairs, or without the fastest."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.experiments import accuracy, encodings, store
from scripts.experiments.forward import Changes
from scripts.experiments.runs import LENGTH, WIDTH, Run

COUNTS = (*range(7), 8, 12, 16)
_LENGTHS = {"rope": (LENGTH, 4 * LENGTH), "sinusoidal": (LENGTH, 2 * LENGTH)}


def measure(run: Run) -> dict[str, Any]:
    """Accuracies by the length of the text and the number of pairs that keep their work."""
    speeds = encodings.frequencies(run.base)
    pairs = np.arange(len(speeds) if run.encoding == "rope" else WIDTH // 2)

    def shares(kept: np.ndarray, length: int = LENGTH) -> dict[str, float]:
        if run.encoding == "rope":
            changes = Changes(speeds=np.where(kept, speeds, 0.0))
        else:
            rows = encodings.rows(np.arange(length), run.base)
            changes = Changes(rows=rows * np.repeat(kept, 2))
        by_position = accuracy.by_position(store.load(run).arrays, run, length, changes)
        return accuracy.summary(by_position)

    return {
        "fastest": {
            str(length): {str(count): shares(pairs < count, length) for count in COUNTS}
            for length in _LENGTHS[run.encoding]
        },
        "all_but_fastest": shares(pairs > 0),
    }
