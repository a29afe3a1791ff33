"""How many pairs a model uses: accuracy with only its fastest, or only its slowest pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.experiments import accuracy, encodings, store
from scripts.experiments.forward import Changes, FloatArray
from scripts.experiments.runs import LENGTH, WIDTH, Run


def measure(run: Run) -> dict[str, Any]:
    """Accuracy at the trained length by the number of pairs that keep their work."""
    arrays = store.load(run).arrays
    speeds, rows = encodings.frequencies(run.base), encodings.rows(np.arange(LENGTH), run.base)
    rotary = run.encoding == "rope"
    pairs = np.arange(len(speeds) if rotary else WIDTH // 2)

    def share(kept: np.ndarray) -> float:
        if rotary:
            changes = Changes(speeds=np.where(kept, speeds, 0.0))
        else:
            changes = Changes(rows=rows * np.repeat(kept, 2))
        return _accuracy(run, arrays, changes)

    counts = range(len(pairs) + 1)
    return {
        "fastest": {str(count): share(pairs < count) for count in counts},
        "slowest": {str(count): share(pairs >= len(pairs) - count) for count in counts},
    }


def _accuracy(run: Run, arrays: dict[str, Any], changes: Changes) -> float:
    shares: FloatArray = accuracy.by_position(arrays, run, LENGTH, changes)
    return accuracy.summary(shares)["all"]
