"""Answers of small trained models, from the committed results of `scripts/experiments/`.

Each result was made with several seeds. A model's name is that of its row in the results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.encoding import FloatArray
from scripts.numbers.quantities._results import TASK, mean, row, rows, spread

_WITH_LENGTHS = ("lengths", "starts", "unscaled", "tunings", "depths")


def accuracy(model: str, length: int, *, last: bool = False, task: str = TASK) -> float:
    """Share of right answers in texts of `length`, or in their last eight places."""
    return mean(_part(_accuracies(model, task)[str(length)], last))


def accuracy_spread(
    model: str, length: int | None = None, *, last: bool = False, task: str = TASK
) -> float:
    """Difference between the best and the worst seed in `accuracy`.

    Without `length`, for the length with the largest difference.
    """
    lengths = _accuracies(model, task)
    return _spread({str(length): lengths[str(length)]} if length else lengths, last)


def accuracy_at(model: str, position: int) -> float:
    """Share of right answers at one position of texts of 128, from the fourth on."""
    return mean([seed[position] for seed in row("lengths", model)["by_position"]])


def learning_curve(model: str) -> FloatArray:
    """Share of right answers in training, one mean for each 25 steps."""
    shares: FloatArray = np.mean(row("lengths", model)["curve"]["accuracy"], axis=0)
    return shares.round(6)


def steps_to_learn(model: str) -> float:
    """Steps of training until nine in ten answers are right, to the next 25."""
    question = next(one for one in _WITH_LENGTHS if model in rows(one))
    return mean(row(question, model)["steps_to_0.9"])


def stretched_accuracy(scaling: str, length: int, *, last: bool = False) -> float:
    """`accuracy` of the rotary model with `scaling` only at test time, without new training."""
    return mean(_part(row("scalings", "rope")["scalings"][scaling][str(length)], last))


def stretched_spread(scaling: str, *, last: bool = False) -> float:
    """`accuracy_spread` of the rotary model with `scaling` at test time."""
    return _spread(row("scalings", "rope")["scalings"][scaling], last)


def interpolated_answers(back: int) -> float:
    """How often a rotary model slowed to half speed says the token `back` places before."""
    return mean(row("scalings", "rope")["interpolated_answers"][str(back)]["seeds"])


def kept_fast_accuracy(pairs: int) -> float:
    """`accuracy` at length 64 if the fastest `pairs` keep their speed and the others halve it."""
    return mean(row("scalings", "rope")["fast_pairs_kept"][str(pairs)]["seeds"])


def nearest_accuracy(model: str, length: int, *, last: bool = False) -> float:
    """`accuracy` if each query sees only the 32 nearest keys, as many as in training."""
    return mean(_part(row("nearest", model)["lengths"][str(length)], last))


def slowed_fast_accuracy(pairs: int) -> float:
    """`accuracy` at length 64 if the fastest `pairs` halve their speed and the others keep it."""
    return mean(row("scalings", "rope")["fast_pairs_slowed"][str(pairs)]["seeds"])


def tuned_answers(model: str, back: int) -> float:
    """How often a tuned model, at the length of its tuning, says the token `back` places before."""
    return mean(row("tunings", model)["answers"][str(back)]["seeds"])


def frequent_answers() -> float:
    """How often the model without mask and encoding names a most frequent token of the text."""
    return mean(row("frequent", "none-no-mask")["named"]["seeds"])


def frequent_accuracy() -> float:
    """Share of right answers if each answer is a most frequent token of the text."""
    return mean(row("frequent", "none-no-mask")["right"]["seeds"])


def _accuracies(model: str, task: str) -> dict[str, Any]:
    questions = _WITH_LENGTHS if task == TASK else ("tasks",)
    question = next(one for one in questions if model in rows(one, task))
    lengths: dict[str, Any] = row(question, model, task)["lengths"]
    return lengths


def _part(summary: dict[str, Any], last: bool) -> list[float]:
    seeds: list[float] = summary["last" if last else "all"]["seeds"]
    return seeds


def _spread(lengths: dict[str, Any], last: bool) -> float:
    return max(spread(_part(summary, last)) for summary in lengths.values())
