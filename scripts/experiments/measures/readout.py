"""How much of the position a linear map can read from each layer."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from scripts.experiments import accuracy, store
from scripts.experiments.forward import FloatArray, run_model
from scripts.experiments.runs import LENGTH, Run


def measure(run: Run) -> dict[str, Any]:
    """R² of the position for each layer from the input on: state, what it adds, and shuffled."""
    tokens, _ = accuracy.test_set(run.task, LENGTH)
    states = run_model(store.load(run).arrays, run, tokens).states
    positions = np.broadcast_to(np.arange(LENGTH), tokens.shape)
    shuffled = np.random.default_rng(run.seed).permuted(positions.ravel()).reshape(tokens.shape)
    found: dict[str, Any] = {
        "state": [r_squared(state, positions) for state in states],
        "shuffled": [r_squared(state, shuffled) for state in states],
    }
    if run.residual:
        added = [after - before for before, after in pairwise(states)]
        found["added"] = [r_squared(state, positions) for state in added]
    return found


def r_squared(states: FloatArray, positions: np.ndarray) -> float:
    """R² on the second half of the sequences, of a least-squares map fitted to the first half."""
    half = len(states) // 2
    width = states.shape[-1]
    rows = np.concatenate([states, np.ones((*states.shape[:2], 1))], axis=-1)
    fitted, held = rows[:half].reshape(-1, width + 1), rows[half:].reshape(-1, width + 1)
    map_, *_ = np.linalg.lstsq(fitted, positions[:half].ravel().astype(float), rcond=None)
    wanted = positions[half:].ravel()
    left = np.sum((held @ map_ - wanted) ** 2)
    return round(float(1 - left / np.sum((wanted - wanted.mean()) ** 2)), 4)
