"""The measurements of the small trained models again, from the text of the results, in mpmath.

The text of a row is cut at the names of its entries, and each number is read as it is printed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.oracle import mp, similarity

_RESULTS = Path(__file__).parents[1] / "scripts" / "experiments" / "results"
_QUESTIONS = ("lengths", "starts", "unscaled", "tunings", "depths")
_BACK, _LENGTH = 3, 32


def accuracy(model: str, length: int, *, last: bool = False, task: str = "look_back") -> Any:
    return _mean(_seeds(_lengths(model, task), length, "last" if last else "all"))


def accuracy_spread(
    model: str, length: int | None = None, *, last: bool = False, task: str = "look_back"
) -> Any:
    """The entry of a length ends with two brackets, the entry of all lengths with three."""
    text = _lengths(model, task).partition("}}}")[0]
    return _spread(_after(text, length).partition("}}")[0] if length else text, last)


def accuracy_at(model: str, position: int) -> Any:
    """A comma ends each entry of the three lists, also an entry that says null."""
    inside = _after(row("lengths", model), "by_position").partition("]]")[0]
    seeds = [seed.strip(" []").split(", ") for seed in inside.split("], [")]
    return _mean([mp.mpf(seed[position]) for seed in seeds])


def learning_curve(model: str) -> np.ndarray:
    inside = _after(row("lengths", model), "curve", "accuracy").partition("]]")[0]
    seeds = [_numbers(seed) for seed in inside.split("], [")]
    return np.array([_mean(step) for step in zip(*seeds, strict=True)], dtype=object)


def steps_to_learn(model: str) -> Any:
    text = row(_question(model), model)
    return _mean(_numbers(_after(text, "steps_to_0.9").partition("]")[0]))


def stretched_accuracy(scaling: str, length: int, *, last: bool = False) -> Any:
    return _mean(_seeds(_stretched(scaling), length, "last" if last else "all"))


def stretched_spread(scaling: str, *, last: bool = False) -> Any:
    return _spread(_stretched(scaling), last)


def interpolated_answers(back: int) -> Any:
    return _mean(_seeds(row("scalings", "rope"), "interpolated_answers", back))


def kept_fast_accuracy(pairs: int) -> Any:
    return _mean(_seeds(row("scalings", "rope"), "fast_pairs_kept", pairs))


def nearest_accuracy(model: str, length: int, *, last: bool = False) -> Any:
    return _mean(_seeds(row("nearest", model), "lengths", length, "last" if last else "all"))


def slowed_fast_accuracy(pairs: int) -> Any:
    return _mean(_seeds(row("scalings", "rope"), "fast_pairs_slowed", pairs))


def tuned_answers(model: str, back: int) -> Any:
    return _mean(_seeds(row("tunings", model), "answers", back))


def frequent_answers() -> Any:
    return _mean(_seeds(row("frequent", "none-no-mask"), "named"))


def frequent_accuracy() -> Any:
    return _mean(_seeds(row("frequent", "none-no-mask"), "right"))


def pairs_accuracy(
    model: str, pairs: int, *, slowest: bool = False, length: int = 32, last: bool = False
) -> Any:
    names = ["slowest" if slowest else "fastest", pairs]
    if length == 64:
        names = ["fastest_longer", pairs, "last" if last else "all"]
    return _mean(_seeds(row("pairs", model), *names))


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
            centred.append(seen[query - offset] - mp.fsum(seen) / len(seen))
    gains = re.findall(r'"gain": (-?[\d.]+)', row("heads", "sinusoidal"))
    gain = mp.fsum(map(mp.mpf, gains)) / len(gains)
    return _six_digits(gain * mp.fsum(centred) / len(centred))


def score_match(model: str) -> np.ndarray:
    found = re.findall(r'"correlation": (-?[\d.]+)', row("heads", model))
    return np.array([mp.mpf(number) for number in found], dtype=object)


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


def _stretched(scaling: str) -> str:
    """From this scaling's lengths to the brackets that end them."""
    return _after(row("scalings", "rope"), "scalings", scaling).partition("}}}")[0]


def _seeds(text: str, *names: Any) -> list[Any]:
    """The seeds' values in the entry that is found by `names`, one below the other."""
    return _numbers(_after(text, *names, "seeds").partition("]")[0])


def _after(text: str, *names: Any) -> str:
    """The text from the entry on that follows the `names`, each after the one before."""
    for name in names:
        text = text.partition(f'"{name}": ')[2]
        assert text, f"no entry {name}"
    return text


def _numbers(text: str) -> list[Any]:
    return [mp.mpf(number) for number in re.findall(r"-?\d[\d.e-]*", text)]


def _mean(values: Any) -> Any:
    return _six_digits(mp.fsum(values) / len(values))


def _spread(text: str, last: bool) -> Any:
    """Each summary ends with the lists of its seeds, all places first, then the last ones."""
    lists = [_numbers(found) for found in re.findall(r'"seeds": \[([^]]*)\]', text)]
    return _six_digits(max(max(seeds) - min(seeds) for seeds in lists[int(last) :: 2]))


def _six_digits(value: Any) -> Any:
    return mp.nint(value * 10**6) / 10**6
