"""Measurements of small trained models, from the committed results of `scripts/experiments/`.

Each of them was made with several seeds. A model's name is that of its row in the results, and
means have six digits, one more than the results.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from posenc.encoding import FloatArray

_RESULTS = Path(__file__).parents[2] / "experiments" / "results"
_TASK, _DIGITS = "look_back", 6
_WITH_LENGTHS = ("lengths", "starts", "unscaled", "tunings")


def accuracy(model: str, length: int, *, last: bool = False) -> float:
    """Share of right answers in texts of `length`, or in their last eight places."""
    return _mean(_part(_accuracies(model)[str(length)], last))


def accuracy_spread(model: str, *, last: bool = False) -> float:
    """Difference between the best and the worst seed in `accuracy`, for the length with most."""
    return _spread(_accuracies(model), last)


def accuracy_at(model: str, position: int) -> float:
    """Share of right answers at one position of texts of 128, from the fourth on."""
    return _mean([seed[position] for seed in _row("lengths", model)["by_position"]])


def learning_curve(model: str) -> FloatArray:
    """Share of right answers in training, one mean for each 25 steps."""
    shares: FloatArray = np.mean(_row("lengths", model)["curve"]["accuracy"], axis=0)
    return shares.round(_DIGITS)


def stretched_accuracy(scaling: str, length: int, *, last: bool = False) -> float:
    """`accuracy` of the rotary model with `scaling` at test time, and nothing retrained."""
    return _mean(_part(_row("scalings", "rope")["scalings"][scaling][str(length)], last))


def stretched_spread(scaling: str, *, last: bool = False) -> float:
    """`accuracy_spread` of the rotary model with `scaling` at test time."""
    return _spread(_row("scalings", "rope")["scalings"][scaling], last)


def interpolated_answers(back: int) -> float:
    """How often a rotary model slowed to half speed says the token `back` places before."""
    return _mean(_row("scalings", "rope")["interpolated_answers"][str(back)]["seeds"])


def kept_fast_accuracy(pairs: int) -> float:
    """`accuracy` at length 64 if the fastest `pairs` keep their speed and the others halve it."""
    return _mean(_row("scalings", "rope")["fast_pairs_kept"][str(pairs)]["seeds"])


def pairs_accuracy(model: str, pairs: int, *, slowest: bool = False) -> float:
    """`accuracy` at length 32 with only the fastest, or only the slowest, `pairs`."""
    return _mean(_row("pairs", model)["slowest" if slowest else "fastest"][str(pairs)]["seeds"])


def trained_weight(model: str, offset: int) -> float:
    """Weight of a trained head on the key `offset` places before the query, mean of all heads."""
    weights: FloatArray = np.array(_row("heads", model)["weights"])
    return _mean(weights[..., offset].ravel())


def score_match(model: str) -> FloatArray:
    """Correlation of each trained head's scores between rows with those of the shift matrix."""
    heads = _row("heads", model)["by_hand"]
    return np.array([head["correlation"] for seed in heads for head in seed])


def matrix_match(model: str) -> FloatArray:
    """Cosine between each trained head's W_Q W_K^T and the shift matrix."""
    return np.array(_row("heads", model)["matrices"]).ravel()


def _accuracies(model: str) -> dict[str, Any]:
    question = next(one for one in _WITH_LENGTHS if model in _rows(one))
    lengths: dict[str, Any] = _row(question, model)["lengths"]
    return lengths


def _part(summary: dict[str, Any], last: bool) -> list[float]:
    seeds: list[float] = summary["last" if last else "all"]["seeds"]
    return seeds


def _mean(values: list[float] | FloatArray) -> float:
    return round(float(np.mean(values)), _DIGITS)


def _spread(lengths: dict[str, Any], last: bool) -> float:
    seeds = [_part(summary, last) for summary in lengths.values()]
    return round(float(np.ptp(seeds, axis=1).max()), _DIGITS)


def _row(question: str, model: str) -> dict[str, Any]:
    return _rows(question)[model]


@lru_cache(maxsize=8)
def _rows(question: str) -> dict[str, dict[str, Any]]:
    """The rows of a file of results, by name."""
    content = json.loads((_RESULTS / f"{question}.json").read_text("utf-8"))
    return {row["name"]: row for row in content["rows"] if row["options"]["task"] == _TASK}
