"""Attention heads small enough to follow by hand."""

from __future__ import annotations

import numpy as np

import posenc
from posenc.encoding import FloatArray

_WORDS = {
    "the": (1, 1, 0, -1),
    "dog": (1, 0, 2, 0),
    "bites": (0, 2, 0, 1),
    "man": (2, 1, 0, -1),
}
_QUERY = np.array([[1, 0], [0, 1], [0, 0], [0, 0]])
_KEY = np.array([[0, 0], [0, 0], [1, 0], [0, 1]])
_VALUE = np.array([[1, 0], [0, 1], [-1, 1], [0, 1]])


def toy_attention(sentence: str, *, encoded: bool = False) -> FloatArray:
    """Outputs `(words, 2)` of the attention head of why-order.md, with or without encoding."""
    parts = toy_head(sentence, encoded=encoded)
    outputs: FloatArray = parts["weights"] @ parts["values"]
    return outputs


def toy_head(sentence: str, *, encoded: bool) -> dict[str, FloatArray]:
    """What this head makes of each word, and on the way there, by name."""
    words = np.array([_WORDS[word] for word in sentence.split()])
    sums = words + posenc.positional_encoding(*words.shape) * encoded
    queries, keys, values = sums @ _QUERY, sums @ _KEY, sums @ _VALUE
    scores = np.exp(queries @ keys.T / np.sqrt(2))
    weights = scores / scores.sum(axis=1, keepdims=True)
    made = {"words": words, "sums": sums, "queries": queries, "keys": keys}
    return {**made, "values": values, "weights": weights}


def head_weights(length: int, d_model: int, offset: int, gain: float) -> FloatArray:
    """Attention weights of the head that looks `offset` back, shape (queries, keys).

    The softmax over q of gain * K(p - q - offset) / sqrt(d_model). K(0) is taken off every
    score, which changes no weight, and leaves minus half of a squared distance.
    """
    position = np.arange(length)
    lag = np.abs(position[:, None] - position - offset)
    below_peak = np.square(posenc.distance(np.arange(length + offset), d_model)) / 2
    scores = -gain * below_peak[lag] / np.sqrt(d_model)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights: FloatArray = exponentials / exponentials.sum(axis=1, keepdims=True)
    return weights


def target_weight(length: int, d_model: int, offset: int, gain: float) -> float:
    """The least weight that this head gives to position p - offset, over all p >= offset."""
    weights = head_weights(length, d_model, offset, gain)
    return float(np.diagonal(weights, -offset).min())


def targets_found(length: int, d_model: int, offset: int, size: float) -> int:
    """How many positions p >= offset score highest at p - offset, once random words are added.

    The head has the query matrix M_offset and the identity as key matrix. The words' entries
    have the standard deviation `size`, and seed 0.
    """
    words = size * np.random.default_rng(0).standard_normal((length, d_model))
    z = words + posenc.positional_encoding(length, d_model)
    found = (z @ posenc.shift_matrix(offset, d_model) @ z.T).argmax(axis=1)
    return int((found[offset:] == np.arange(length - offset)).sum())


def score_terms(query: str, key: str) -> FloatArray:
    """Part of the scores of into-the-model.md's worked sentence, shape (4, 4).

    `query` and `key` say which summand the query and the key are made of, "word", "place" or
    "both". The head has the query matrix M_1 at d = 4 and n = 100, and the identity as key matrix.
    """
    word, place = 2 * robot_embeddings(), posenc.positional_encoding(4, 4, base=100)
    part = {"word": word, "place": place, "both": word + place}
    scores: FloatArray = part[query] @ posenc.shift_matrix(1, 4, base=100) @ part[key].T / 2
    return scores


def robot_embeddings() -> FloatArray:
    """Made-up embeddings of "I", "am", "a" and "robot", shape (4, 4)."""
    return np.array(
        [
            [0.40, -0.30, 0.75, 0.10],
            [-0.55, 0.20, 0.05, -0.45],
            [0.15, 0.60, -0.35, 0.30],
            [-0.25, -0.70, 0.45, 0.65],
        ]
    )
