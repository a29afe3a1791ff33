"""The small models again, for one sequence, from nothing but their options and arrays.

Nothing here comes from `scripts` or `posenc`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

HEADS, BACK = 2, 3


class Model(NamedTuple):
    """The options of a run, and its arrays by name."""

    run: dict[str, Any]
    arrays: dict[str, np.ndarray]


def logits(model: Model, tokens: list[int], *, pairs: int | None = None, **changes: Any) -> Any:
    """Scores of each token at each place of one sequence.

    A changed model has only its fastest `pairs` of sinusoids, other `speeds` of its rotary pairs,
    or queries that see only their `nearest` keys.
    """
    run, w = model
    x = inputs(model, tokens, pairs)
    for layer in range(run["layers"]):
        own = {name[2:]: array for name, array in w.items() if name.startswith(f"{layer}.")}
        x = run["residual"] * x + attention(model, own, x, **changes)[0]
        hidden = norm(x, own["dense_norm"]) @ own["widen"]
        x = run["residual"] * x + np.where(hidden > 0, hidden, 0) @ own["narrow"]
    return norm(x, w["norm"]) @ w["unembedding"]


def first_attention(model: Model, tokens: list[int]) -> list[np.ndarray]:
    """For each head of the first layer, the weights of each place on all places."""
    own = {name[2:]: array for name, array in model.arrays.items() if name.startswith("0.")}
    return attention(model, own, inputs(model, tokens))[1]


def inputs(model: Model, tokens: list[int], pairs: int | None = None) -> np.ndarray:
    """The embedding of each token, with the row of its place."""
    words = model.arrays["embedding"][tokens].astype(float)
    scale = math.sqrt(words.shape[1]) if model.run["scaled"] else 1
    return scale * words + added(model, *words.shape, pairs)


def added(model: Model, length: int, width: int, pairs: int | None = None) -> np.ndarray:
    """The rows of the places, or zeros."""
    rows = np.zeros((length, width))
    if model.run["encoding"] == "learned":
        table = model.arrays["positions"].astype(float)
        return table[np.clip(range(length), 0, len(table) - 1)]
    if model.run["encoding"] == "sinusoidal":
        for i in range(width // 2 if pairs is None else pairs):
            angles = np.arange(length) / model.run["base"] ** (2 * i / width)
            rows[:, 2 * i], rows[:, 2 * i + 1] = np.sin(angles), np.cos(angles)
    return rows


def attention(
    model: Model, own: dict[str, Any], x: np.ndarray, speeds: Any = None, nearest: Any = None
) -> tuple[np.ndarray, list[np.ndarray]]:
    """The heads' sums at each place, mixed; and the weights of each head."""
    normed, back = norm(x, own["attention_norm"]), np.subtract.outer(*[np.arange(len(x))] * 2)
    seen = (back >= 0) | (not model.run["causal"])
    seen &= back < (nearest or len(x))
    weights, sums = [], []
    for h in range(HEADS):
        query, key, value = (
            np.split(normed @ own[name], HEADS, axis=1)[h] for name in ("query", "key", "value")
        )
        if model.run["encoding"] == "rope":
            query, key = placed(model, query, speeds), placed(model, key, speeds)
        scores = query @ key.T / math.sqrt(query.shape[1]) + bias(model, h, back)
        powers = seen * np.exp(scores)
        weights.append(powers / powers.sum(axis=1, keepdims=True))
        sums.append(weights[h] @ value)
    return np.hstack(sums) @ own["mix"], weights


def placed(model: Model, head: np.ndarray, speeds: Any) -> np.ndarray:
    """The queries or keys of a head, turned to their places as complex numbers."""
    half = head.shape[1] // 2
    speeds = model.run["base"] ** (-np.arange(half) / half) if speeds is None else speeds
    turns = np.exp(1j * np.outer(range(len(head)), speeds))
    turned = (head[:, :half] + 1j * head[:, half:]) * turns
    return np.hstack([turned.real, turned.imag])


def bias(model: Model, head: int, back: np.ndarray) -> Any:
    """What ALiBi or T5 adds to each score, by the places from the query back to the key."""
    if model.run["encoding"] == "alibi":
        return -abs(back) * 2.0 ** (-8 * (head + 1) / HEADS)
    if model.run["encoding"] == "t5":
        row = model.arrays["bias"][head]  # one bucket for each distance to the last
        return row[np.clip(back, 0, len(row) - 1)]
    return 0.0


def norm(rows: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """Each row over the root of its mean square, times the gains."""
    return rows / np.sqrt((rows**2).mean(axis=1, keepdims=True) + 1e-6) * gain


def drawn(state: int, below: int, count: int) -> list[int]:
    """The first integers of the generator of the test sets, after the 16 that it skips."""
    found = []
    for _ in range(16 + count):
        state = (state ^ (state * 2**13)) % 2**32
        state = state ^ (state // 2**17)
        state = (state ^ (state * 2**5)) % 2**32
        found.append(math.floor(state / 2**32 * below))
    return found[16:]


def product(model: Model, head: int) -> np.ndarray:
    """W_Q W_K^T of a head of the first layer, with the gains of the norm."""
    w = model.arrays
    query, key = (np.split(w[f"0.{name}"], HEADS, axis=1)[head] for name in ("query", "key"))
    gain = np.diag(w["0.attention_norm"]).astype(float)
    return gain @ query @ (gain @ key).T


def place_scores(model: Model, head: int, length: int) -> list[np.ndarray]:
    """The term of the scores that knows only places, for each query and the keys up to it.

    The rows are divided by the mean length of the inputs, over all tokens at all places. The
    scores of each query have the mean 0: softmax gives the same weights.
    """
    count, width = model.arrays["embedding"].shape
    lengths = [np.linalg.norm(inputs(model, [one] * length), axis=1) for one in range(count)]
    rows = added(model, length, width) / (np.mean(lengths) / math.sqrt(width))
    scores = rows @ product(model, head) @ rows.T / math.sqrt(width // HEADS)
    return [centred(line[: p + 1]) for p, line in enumerate(scores)]


def centred(line: Any) -> np.ndarray:
    """A line less its mean."""
    return np.subtract(line, np.mean(line))
