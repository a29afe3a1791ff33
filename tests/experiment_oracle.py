"""The small models again, in loops over places and heads, from nothing but their files.

Nothing here comes from `scripts` or `posenc`. A model is a header and arrays; the steps take one
vector at a time.
"""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

HEADS, BACK = 2, 3


class Model(NamedTuple):
    """The options of a run, and its arrays by name."""

    run: dict[str, Any]
    arrays: dict[str, np.ndarray]


def model(path: Path) -> Model:
    """The model in a file of weights."""
    content = path.read_bytes()
    (size,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + size])
    run = json.loads(header.pop("__metadata__")["run"])
    arrays = {}
    for name, entry in header.items():
        begin, end = (8 + size + at for at in entry["data_offsets"])
        arrays[name] = (
            np.frombuffer(content[begin:end], "<f4").reshape(entry["shape"]).astype(float)
        )
    return Model(run, arrays)


def logits(model: Model, tokens: list[int], *, pairs: int | None = None, **changes: Any) -> Any:
    """Scores of each token at each place of one sequence.

    A changed model has only its fastest `pairs` of sinusoids, other `speeds` of its rotary pairs,
    or queries that see only their `nearest` keys.
    """
    run, w = model
    x = [embedded(model, token, place, pairs) for place, token in enumerate(tokens)]
    for layer in range(run["layers"]):
        own = {name[2:]: array for name, array in w.items() if name.startswith(f"{layer}.")}
        brought, _ = attention(model, own, x, **changes)
        for place, new in enumerate(brought):
            row = x[place] + new if run["residual"] else new
            hidden = norm(row, own["dense_norm"]) @ own["widen"]
            new = np.where(hidden > 0, hidden, 0) @ own["narrow"]
            x[place] = row + new if run["residual"] else new
    return [norm(row, w["norm"]) @ w["unembedding"] for row in x]


def first_attention(model: Model, tokens: list[int]) -> list[list[np.ndarray]]:
    """For each place, the weights of each head of the first layer on the places up to it."""
    x = [embedded(model, token, place) for place, token in enumerate(tokens)]
    own = {name[2:]: array for name, array in model.arrays.items() if name.startswith("0.")}
    return attention(model, own, x)[1]


def embedded(model: Model, token: int, place: int, pairs: int | None = None) -> np.ndarray:
    """The embedding of a token, with the row of its place."""
    row = model.arrays["embedding"][token]
    scale = math.sqrt(len(row)) if model.run["scaled"] else 1
    return scale * row + added(model, place, len(row), pairs)


def added(model: Model, place: int, width: int, pairs: int | None = None) -> np.ndarray:
    """The row of a place, or zeros."""
    row = np.zeros(width)
    if model.run["encoding"] == "learned":
        table = model.arrays["positions"]
        return table[min(place, len(table) - 1)]
    if model.run["encoding"] == "sinusoidal":
        for i in range(width // 2 if pairs is None else pairs):
            angle = place / model.run["base"] ** (2 * i / width)
            row[2 * i : 2 * i + 2] = math.sin(angle), math.cos(angle)
    return row


def attention(
    model: Model, own: dict[str, Any], x: list[Any], speeds: Any = None, nearest: Any = None
) -> tuple[list[np.ndarray], list[list[np.ndarray]]]:
    """The heads' sums at each place, mixed; and for each place the weights of each head."""
    normed, width = [norm(row, own["attention_norm"]) for row in x], len(x[0]) // HEADS
    queries, keys, values = (
        [np.split(row @ own[name], HEADS) for row in normed] for name in ("query", "key", "value")
    )
    for p, heads in [*enumerate(queries), *enumerate(keys)]:
        heads[:] = [placed(model, head, p, speeds) for head in heads]
    brought, weights = [], []
    for p, query in enumerate(queries):
        seen = range(p + 1) if model.run["causal"] else range(len(x))
        seen = seen[-nearest:] if nearest else seen
        shares, sums = [], []
        for h in range(HEADS):
            scores = [
                query[h] @ keys[q][h] / math.sqrt(width) + bias(model, h, q - p) for q in seen
            ]
            powers = np.exp(scores)
            shares.append(powers / powers.sum())
            sums.append(shares[h] @ [values[q][h] for q in seen])
        weights.append(shares)
        brought.append(np.concatenate(sums) @ own["mix"])
    return brought, weights


def placed(model: Model, head: np.ndarray, place: int, speeds: Any) -> np.ndarray:
    """A query or key, turned to its place if the encoding is rotary."""
    if model.run["encoding"] != "rope":
        return head
    half = len(head) // 2
    speeds = model.run["base"] ** (-np.arange(half) / half) if speeds is None else speeds
    turned = (head[:half] + 1j * head[half:]) * np.exp(1j * place * np.array(speeds))
    return np.concatenate([turned.real, turned.imag])


def bias(model: Model, head: int, offset: int) -> float:
    """The number that ALiBi or T5 adds to a score, by key position minus query position."""
    if model.run["encoding"] == "alibi":
        return -abs(offset) * 2.0 ** (-8 * (head + 1) / HEADS)
    if model.run["encoding"] == "t5":
        assert model.run["causal"]
        row = model.arrays["bias"][head]
        return float(row[min(-offset, len(row) - 1)])  # one bucket for each distance to the last
    return 0.0


def norm(row: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """A row over the root of its mean square, times the gains."""
    return row / math.sqrt(row @ row / len(row) + 1e-6) * gain


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
    gain = np.diag(w["0.attention_norm"])
    return gain @ query @ (gain @ key).T


def place_scores(model: Model, head: int, length: int) -> list[np.ndarray]:
    """The term of the scores that knows only places, for each query and the keys up to it.

    The rows are divided by the mean length of the inputs, over all tokens at all places. The
    scores of each query have the mean 0: softmax gives the same weights.
    """
    tokens, width = range(len(model.arrays["embedding"])), len(model.arrays["embedding"][0])
    inputs = [embedded(model, token, place) for token in tokens for place in range(length)]
    mean = np.mean([math.sqrt(row @ row / width) for row in inputs])
    rows = [added(model, place, width) / mean for place in range(length)]
    matrix, root = product(model, head), math.sqrt(width // HEADS)
    return [
        centred([row @ matrix @ rows[q] / root for q in range(p + 1)]) for p, row in enumerate(rows)
    ]


def centred(line: Any) -> np.ndarray:
    """A line less its mean."""
    return np.subtract(line, np.mean(line))
