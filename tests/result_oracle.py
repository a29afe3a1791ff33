"""The measurements of the small trained models again, from the text of the results.

The text of a row is cut at the names of its entries, and each number is read as it is printed.
"""

from __future__ import annotations

import re
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


def accuracy(model: str, length: int, **options: Any) -> Any:
    return _mean(accuracy_seeds(model, length, **options))


def accuracy_seeds(
    model: str, length: int, *, last: bool = False, task: str = "look_back"
) -> np.ndarray:
    return _seeds(_lengths(model, task), length, "last" if last else "all")


def stretched_accuracy(scaling: str, length: int, **options: Any) -> Any:
    return _mean(stretched_seeds(scaling, length, **options))


def stretched_seeds(scaling: str, length: int, *, last: bool = False) -> np.ndarray:
    text = _after(row("scalings", "rope"), "scalings", scaling)
    return _seeds(text, length, "last" if last else "all")


def interpolated_answers(back: int) -> Any:
    return _mean(interpolated_seeds(back))


def interpolated_seeds(back: int) -> np.ndarray:
    return _seeds(row("scalings", "rope"), "interpolated_answers", back)


def kept_fast_accuracy(pairs: int) -> Any:
    return _mean(_seeds(row("scalings", "rope"), "fast_pairs_kept", pairs))


def nearest_accuracy(model: str, length: int, **options: Any) -> Any:
    return _mean(nearest_seeds(model, length, **options))


def nearest_seeds(model: str, length: int, *, last: bool = False) -> np.ndarray:
    return _seeds(row("nearest", model), "lengths", length, "last" if last else "all")


def slowed_fast_accuracy(pairs: int) -> Any:
    return _mean(_seeds(row("scalings", "rope"), "fast_pairs_slowed", pairs))


def tuned_answers(model: str, back: int) -> Any:
    return _mean(_seeds(row("tunings", model), "answers", back))


def desk_share(preset: str) -> Any:
    return _mean(_seeds(row("desk", "rope"), "share", preset))


def desk_right(preset: str) -> list[Any]:
    answers = _after(row("desk", "rope"), "right", preset)[2:].partition('"')[0]
    return [ball(int(answer)) for answer in answers]


def frequent_accuracy() -> Any:
    return _mean(_seeds(row("frequent", "none-no-mask"), "right"))


def pairs_accuracy(model: str, pairs: int, **options: Any) -> Any:
    return _mean(pairs_seeds(model, pairs, **options))


def pairs_seeds(model: str, pairs: int, *, length: int = 32, last: bool = False) -> np.ndarray:
    names = ["all_but_fastest"] if pairs < 0 else ["fastest", length, pairs]
    return _seeds(row("pairs", model), *names, "last" if last else "all")


def trained_map(model: str) -> np.ndarray:
    """Row p has p + 1 weights, which follow those of the rows above."""
    weights = _numbers(_after(row("maps", model), "weights"))
    rows = [weights[p * (p + 1) // 2 :][: p + 1] for p in range(2 * _LENGTH)]
    return np.array([[*one, *[ball(0)] * (2 * _LENGTH - len(one))] for one in rows])


def trained_weight(model: str, offset: int) -> Any:
    """One list of 32 weights for each head and seed."""
    weights = _numbers(_after(row("heads", model), "weights").partition("]]]")[0])
    return _mean(weights[offset::32])


def trained_scores(model: str, offset: int) -> np.ndarray:
    """One list of 32 scores for each head and seed."""
    scores = _numbers(_after(row("heads", model), "scores").partition("]]]")[0])
    return np.array(scores[offset::_LENGTH], dtype=object)


def built_score(offset: int) -> Any:
    """Query by query: each score less the mean of all that the query sees."""
    dots = [similarity(abs(k - _BACK), 64) for k in range(_LENGTH)]  # by places back
    centred = []
    for query in range(_BACK, _LENGTH):
        seen = [dots[query - key] for key in range(query + 1)]
        if offset <= query:
            centred.append(seen[query - offset] - balls.total(seen) / len(seen))
    gains = re.findall(r'"gain": (-?[\d.]+)', row("heads", "sinusoidal"))
    gain = balls.total(map(ball, gains)) / len(gains)
    return _six_digits(gain * balls.total(centred) / len(centred))


def score_match(model: str) -> np.ndarray:
    found = re.findall(r'"correlation": (-?[\d.]+)', row("heads", model))
    return np.array([ball(number) for number in found], dtype=object)


def matrix_match(model: str, *, fastest: bool = False) -> np.ndarray:
    name = "fast_matrices" if fastest else "matrices"
    inside = _after(row("heads", model), name).partition("]]")[0]
    return np.array(_numbers(inside), dtype=object)


def row_likeness(model: str, offset: int) -> Any:
    """One list of 32 cosines for each seed."""
    return _mean(_numbers(_after(row("heads", model), "likeness").partition("]]")[0])[offset::32])


def read_out(model: str, layer: int, *, of: str = "state") -> Any:
    return _mean([seed[layer - (of == "added")] for seed in _read_outs(model, of)])


def read_out_spread(model: str, *, of: str = "state") -> Any:
    layers = zip(*_read_outs(model, of), strict=True)
    return _six_digits(max(max(layer) - min(layer) for layer in layers))


def _read_outs(model: str, of: str) -> list[list[Any]]:
    """One list of layers for each seed."""
    inside = _after(row("readout", model), of).partition("]]")[0]
    return [_numbers(seed) for seed in inside.split("], [")]


@lru_cache(maxsize=64)
def row(question: str, model: str, task: str = "look_back") -> str:
    """The line of `model` in a file of results; each row has its own."""
    text = (_RESULTS / f"{question}.json").read_text("utf-8")
    (line,) = [
        line
        for line in text.splitlines()
        if line.startswith(f'{{"name": "{model}", ') and f'"task": "{task}"' in line
    ]
    return line


def _lengths(model: str, task: str) -> str:
    if task != "look_back":
        return _after(row("tasks", model, task), "lengths")
    return _after(row(_question(model), model), "lengths")


def _question(model: str) -> str:
    (question,) = [
        one for one in _QUESTIONS if f'"name": "{model}"' in (_RESULTS / f"{one}.json").read_text()
    ]
    return question


def _seeds(text: str, *names: Any) -> np.ndarray:
    """The seeds' values in the entry that is found by `names`, one below the other."""
    inside = _after(text, *names, "seeds").partition("]")[0]
    return np.array(_numbers(inside), dtype=object)


def _after(text: str, *names: Any) -> str:
    """The text from the entry on that follows the `names`, each after the one before."""
    for name in names:
        text = text.partition(f'"{name}": ')[2]
        assert text, f"no entry {name}"
    return text


def _numbers(text: str) -> list[Any]:
    return [ball(number) for number in re.findall(r"-?\d[\d.e-]*", text)]


def _mean(values: Any) -> Any:
    return _six_digits(balls.total(values) / len(values))


def _six_digits(value: Any) -> Any:
    return ball(Fraction(balls.nearest(value * 10**6), 10**6))
