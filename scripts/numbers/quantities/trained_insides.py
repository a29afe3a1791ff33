"""Measurements inside the small trained models, from the committed results.

Each one was made with several seeds; each seed has two heads.
"""

from __future__ import annotations

import numpy as np

import posenc
from posenc.encoding import FloatArray
from scripts.numbers.quantities._results import mean, row

_LENGTH, _WIDTH, _BACK = 32, 64, 3


def pairs_accuracy(model: str, pairs: int, *, length: int = _LENGTH, last: bool = False) -> float:
    """`accuracy` if only the fastest `pairs` work, or with -1 all but the fastest."""
    return mean(pairs_seeds(model, pairs, length=length, last=last))


def pairs_seeds(model: str, pairs: int, *, length: int = _LENGTH, last: bool = False) -> FloatArray:
    """`pairs_accuracy` of each seed, shape `(seeds,)`."""
    found = row("pairs", model)
    shares = found["all_but_fastest"] if pairs < 0 else found["fastest"][str(length)][str(pairs)]
    return np.array(shares["last" if last else "all"]["seeds"])


def trained_map(model: str) -> FloatArray:
    """Weights of the first head in a text of twice the trained length, shape `(64, 64)`."""
    (rows,) = row("maps", model)["weights"]
    return np.array([one + [0.0] * (len(rows) - len(one)) for one in rows])


def trained_weight(model: str, offset: int) -> float:
    """Weight of a trained head on the key `offset` places before the query, mean of all heads."""
    weights: FloatArray = np.array(row("heads", model)["weights"])
    return mean(weights[..., offset].ravel())


def trained_scores(model: str, offset: int) -> FloatArray:
    """Score of a row of the encoding with the row `offset` places before, for each trained head.

    Each query's scores are given less their mean over its keys.
    """
    scores: FloatArray = np.array(row("heads", model)["scores"])[..., offset].ravel()
    return scores


def built_score(offset: int) -> float:
    """The same score from the shift matrix, times the mean of the gains that fit the heads best.

    Each score is a similarity to the place three back.
    """
    dots = np.asarray(posenc.similarity(np.arange(_LENGTH) - _BACK, _WIDTH))
    queries = range(max(offset, _BACK), _LENGTH)
    centre = np.mean([dots[: p + 1].mean() for p in queries])
    gains = [head["gain"] for seed in row("heads", "sinusoidal")["by_hand"] for head in seed]
    return mean(np.mean(gains) * (dots[offset] - centre))


def score_match(model: str) -> FloatArray:
    """Correlation of each trained head's scores between rows with those of the shift matrix."""
    heads = row("heads", model)["by_hand"]
    return np.array([head["correlation"] for seed in heads for head in seed])


def matrix_match(model: str, *, fastest: bool = False) -> FloatArray:
    """Cosine between each trained head's W_Q W_K^T and the shift matrix.

    If `fastest`, only between their parts for the four fastest pairs.
    """
    return np.array(row("heads", model)["fast_matrices" if fastest else "matrices"]).ravel()


def row_likeness(model: str, offset: int) -> float:
    """Mean cosine between two rows that are `offset` places apart."""
    return mean([seed[offset] for seed in row("heads", model)["likeness"]])


def read_out(model: str, layer: int, *, of: str = "state") -> float:
    """R² of a linear map from the vectors after `layer` to their positions, on new texts.

    With `of="shuffled"` the positions are those of other vectors, with `of="added"` the vectors
    are what `layer` adds to its input.
    """
    return mean([seed[layer - (of == "added")] for seed in row("readout", model)[of]])
