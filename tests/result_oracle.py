"""The measurements of the small trained models again: each number is a ball, as it is printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tests import balls
from tests.balls import ball
from tests.oracle import similarity

_RESULTS = Path(__file__).parents[1] / "scripts" / "experiments" / "results"
_QUESTIONS = ("lengths", "starts", "unscaled", "tunings", "depths")
_BACK, _LENGTH = 3, 32


def accuracy_seeds(
    model: str, length: int, *, last: bool = False, task: str = "look_back"
) -> np.ndarray:
    questions = _QUESTIONS if task == "look_back" else ("tasks",)
    (question,) = [one for one in questions if _rows(one, model, task)]
    return _seeds(question, model, "lengths", length, last=last, task=task)


def stretched_seeds(scaling: str, length: int, *, last: bool = False) -> np.ndarray:
    return _seeds("scalings", "rope", "scalings", scaling, length, last=last)


def interpolated_seeds(back: int) -> np.ndarray:
    return _seeds("scalings", "rope", "interpolated_answers", back)


def nearest_seeds(model: str, length: int, *, last: bool = False) -> np.ndarray:
    return _seeds("nearest", model, "lengths", length, last=last)


def pairs_seeds(model: str, pairs: int, *, length: int = 32, last: bool = False) -> np.ndarray:
    names = ["all_but_fastest"] if pairs < 0 else ["fastest", length, pairs]
    return _seeds("pairs", model, *names, last=last)


def _mean_of(seeds: Callable[..., np.ndarray]) -> Callable[..., Any]:
    return lambda *given, **options: _mean(seeds(*given, **options))


accuracy, stretched_accuracy = _mean_of(accuracy_seeds), _mean_of(stretched_seeds)
interpolated_answers, nearest_accuracy = _mean_of(interpolated_seeds), _mean_of(nearest_seeds)
pairs_accuracy = _mean_of(pairs_seeds)
kept_fast_accuracy = _mean_of(lambda k: _seeds("scalings", "rope", "fast_pairs_kept", k))
slowed_fast_accuracy = _mean_of(lambda k: _seeds("scalings", "rope", "fast_pairs_slowed", k))
tuned_answers = _mean_of(lambda model, k: _seeds("tunings", model, "answers", k))
desk_share = _mean_of(lambda preset: _seeds("desk", "rope", "share", preset))


def desk_right(preset: str) -> list[Any]:
    (answers,) = _row("desk", "rope")["right"][preset]
    return [ball(int(answer)) for answer in answers]


def trained_map(model: str) -> np.ndarray:
    """Zero behind the place of each query, which sees no more."""
    ((*rows,),) = _row("maps", model)["weights"]
    return np.array([[*one, *[ball(0)] * (2 * _LENGTH - len(one))] for one in rows])


def trained_weight(model: str, offset: int) -> Any:
    return _mean(_of_heads(model, "weights")[offset::_LENGTH])


def trained_scores(model: str, offset: int) -> np.ndarray:
    return _of_heads(model, "scores")[offset::_LENGTH]


def built_score(offset: int) -> Any:
    """Query by query: each score less the mean of all that the query sees."""
    dots = similarity(abs(np.arange(_LENGTH) - _BACK), 64)  # by places back
    queries = range(max(offset, _BACK), _LENGTH)
    centred = [dots[offset] - balls.total(dots[: query + 1]) / (query + 1) for query in queries]
    gains = [head["gain"] for head in _of_heads("sinusoidal", "by_hand")]
    gain = balls.total(gains) / len(gains)
    return _six_digits(gain * balls.total(centred) / len(centred))


def score_match(model: str) -> np.ndarray:
    found = [head["correlation"] for head in _of_heads(model, "by_hand")]
    return np.array(found, dtype=object)


def matrix_match(model: str, *, fastest: bool = False) -> np.ndarray:
    return _of_heads(model, "fast_matrices" if fastest else "matrices")


def row_likeness(model: str, offset: int) -> Any:
    return _mean([seed[offset] for seed in _row("heads", model)["likeness"]])


def read_out(model: str, layer: int, *, of: str = "state") -> Any:
    return _mean([seed[layer - (of == "added")] for seed in _row("readout", model)[of]])


@lru_cache
def _rows(question: str, model: str, task: str) -> list[dict[str, Any]]:
    text = (_RESULTS / f"{question}.json").read_text("utf-8")
    found = json.loads(text, parse_float=ball)["rows"]
    return [one for one in found if one["name"] == model and one["options"]["task"] == task]


def _row(question: str, model: str, task: str = "look_back") -> dict[str, Any]:
    """The row of `model` in a file of results."""
    (found,) = _rows(question, model, task)
    return found


def _of_heads(model: str, name: str) -> np.ndarray:
    """The entries of all seeds and heads, one after the other."""
    return np.ravel(np.array(_row("heads", model)[name], dtype=object))


def _seeds(
    question: str, model: str, *names: Any, last: bool | None = None, task: str = "look_back"
) -> np.ndarray:
    """The seeds' values in the entry of a row that is found by `names`, one below the other."""
    found = _row(question, model, task)
    for name in [*names, *([] if last is None else ["last" if last else "all"])]:
        found = found[str(name)]
    return np.array(found["seeds"], dtype=object)


def _mean(values: Any) -> Any:
    return _six_digits(balls.total(values) / len(values))


def _six_digits(value: Any) -> Any:
    return ball(Fraction(balls.nearest(value * 10**6), 10**6))
