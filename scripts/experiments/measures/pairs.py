"""How many pairs a model uses: accuracy with only its fastest, or only its slowest pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.experiments import accuracy, encodings, store
from scripts.experiments.forward import Changes
from scripts.experiments.runs import LENGTH, WIDTH, Run


def measure(run: Run) -> dict[str, Any]:
    """Accuracy by the number of pairs that keep their work; the longer texts are twice as long."""
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

    counts = range(len(pairs) + 1)
    return {
        "fastest": {str(count): shares(pairs < count)["all"] for count in counts},
        "slowest": {str(count): shares(pairs >= len(pairs) - count)["all"] for count in counts},
        "fastest_longer": {str(count): shares(pairs < count, 2 * LENGTH) for count in counts},
    }
