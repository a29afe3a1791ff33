"""Where the first head looks in the text with which the page opens."""

from __future__ import annotations

from typing import Any

from scripts.experiments import store
from scripts.experiments.forward import run_model
from scripts.experiments.generator import xorshift
from scripts.experiments.runs import LENGTH, VOCABULARY, Run

_DIGITS = 4


def measure(run: Run) -> dict[str, Any]:
    """The weights of each place on the places up to it, in a text of twice the trained length."""
    tokens = xorshift(1)(VOCABULARY, (1, 2 * LENGTH))
    weights = run_model(store.load(run).arrays, run, tokens).weights[0][0, 0].round(_DIGITS)
    return {"weights": [row[: place + 1] for place, row in enumerate(weights.tolist())]}
