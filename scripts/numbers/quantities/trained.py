"""Answers of small trained models, from the committed results of `scripts/experiments/`.

Each result was made with several seeds. A model's name is that of its row in the results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.encoding import FloatArray
from scripts.numbers.quantities._results import TASK, mean, row, rows

_WITH_LENGTHS = ("lengths", "starts", "unscaled", "tunings", "depths")


def accuracy(model: str, length: int, *, last: bool = False, task: str = TASK) -> float:
    """Share of right answers in texts of `length`, or in their last eight places."""
    return mean(accuracy_seeds(model, length, last=last, task=task))


def accuracy_seeds(model: str, length: int, *, last: bool = False, task: str = TASK) -> FloatArray:
    """`accuracy` of each seed, shape `(seeds,)`."""
    return _part(_accuracies(model, task)[str(length)], last)


def stretched_accuracy(scaling: str, length: int, *, last: bool = False) -> float:
    """`accuracy` of the rotary model with `scaling` only at test time, without new training."""
    return mean(stretched_seeds(scaling, length, last=last))


def stretched_seeds(scaling: str, length: int, *, last: bool = False) -> FloatArray:
    """`stretched_accuracy` of each seed, shape `(seeds,)`."""
    return _part(row("scalings", "rope")["scalings"][scaling][str(length)], last)


def interpolated_answers(back: int) -> float:
    """How often a rotary model slowed to half speed says the token `back` places before."""
    return mean(interpolated_seeds(back))


def interpolated_seeds(back: int) -> FloatArray:
    """`interpolated_answers` of each seed, shape `(seeds,)`."""
    return np.array(row("scalings", "rope")["interpolated_answers"][str(back)]["seeds"])


def kept_fast_accuracy(pairs: int) -> float:
    """`accuracy` at length 64 if the fastest `pairs` keep their speed and the others halve it."""
    return mean(row("scalings", "rope")["fast_pairs_kept"][str(pairs)]["seeds"])


def nearest_accuracy(model: str, length: int, *, last: bool = False) -> float:
    """`accuracy` if each query sees only the 32 nearest keys, as many as in training."""
    return mean(nearest_seeds(model, length, last=last))


def nearest_seeds(model: str, length: int, *, last: bool = False) -> FloatArray:
    """`nearest_accuracy` of each seed, shape `(seeds,)`."""
    return _part(row("nearest", model)["lengths"][str(length)], last)


def slowed_fast_accuracy(pairs: int) -> float:
    """`accuracy` at length 64 if the fastest `pairs` halve their speed and the others keep it."""
    return mean(row("scalings", "rope")["fast_pairs_slowed"][str(pairs)]["seeds"])


def tuned_answers(model: str, back: int) -> float:
    """How often a tuned model, at the length of its tuning, says the token `back` places before."""
    return mean(row("tunings", model)["answers"][str(back)]["seeds"])


def desk_share(preset: str) -> float:
    """Share of right answers of the desk's model in its eight texts of 256 letters."""
    return float(row("desk", "rope")["share"][preset]["mean"])


def desk_right(preset: str) -> FloatArray:
    """1 for each right answer in the first of these texts, 0 for each wrong one, shape `(253,)`."""
    return np.array([float(one) for one in row("desk", "rope")["right"][preset][0]])


def _accuracies(model: str, task: str) -> dict[str, Any]:
    questions = _WITH_LENGTHS if task == TASK else ("tasks",)
    question = next(one for one in questions if model in rows(one, task))
    lengths: dict[str, Any] = row(question, model, task)["lengths"]
    return lengths


def _part(summary: dict[str, Any], last: bool) -> FloatArray:
    return np.array(summary["last" if last else "all"]["seeds"])
