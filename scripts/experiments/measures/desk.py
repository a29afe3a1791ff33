"""Four presets of the desk: right answers in its own texts, eight times as long as in training."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.experiments import encodings, store, tasks
from scripts.experiments.forward import Changes, run_model
from scripts.experiments.generator import xorshift
from scripts.experiments.grid import SCALINGS
from scripts.experiments.runs import LENGTH, VOCABULARY, Run

_LONGEST, _TEXTS = 256, 8
_STEPS = 15  # of a fader, from the trained speed to the slowest


def measure(run: Run) -> dict[str, Any]:
    """Share of right answers by preset, and for the first text a 1 for each right answer."""
    texts = [xorshift(text + 1)(VOCABULARY, (1, _LONGEST)) for text in range(_TEXTS)]
    tokens, plain, factor = (
        np.concatenate(texts),
        encodings.frequencies(run.base),
        _LONGEST / LENGTH,
    )
    shares, right = {}, {}
    for name in SCALINGS:
        slowed = np.log(plain / encodings.frequencies(run.base, name, factor)) / np.log(factor)
        speeds = plain / factor ** ((_STEPS * slowed).round() / _STEPS)
        logits = run_model(store.load(run).arrays, run, tokens, Changes(speeds=speeds)).logits
        found = logits.argmax(axis=-1)[:, tasks.BACK :] == tokens[:, : -tasks.BACK]
        shares[name] = float(found.mean())
        right[name] = "".join(map(str, found[0].astype(int)))
    return {"share": shares, "right": right}
