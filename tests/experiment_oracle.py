"""The small models again, in plain loops over single numbers, from nothing but their files.

Nothing here comes from `scripts`, `posenc` or NumPy. A model is a header and lists of numbers.
"""

from __future__ import annotations

import json
import math
import struct
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

HEADS, BACK = 2, 3


class Model(NamedTuple):
    """Matrices by name, as lists of rows; a vector is one row."""

    run: dict[str, Any]
    matrices: dict[str, list[list[float]]]


def model(path: Path) -> Model:
    """The model in a file of weights."""
    content = path.read_bytes()
    (size,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + size])
    matrices = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            numbers = struct.unpack_from(f"<{(end - begin) // 4}f", content, 8 + size + begin)
            width = entry["shape"][-1]
            matrices[name] = [list(numbers[i : i + width]) for i in range(0, len(numbers), width)]
    return Model(json.loads(header["__metadata__"]["run"]), matrices)


def logits(
    model: Model,
    tokens: list[int],
    speeds: list[float] | None = None,
    pairs: int | None = None,
    nearest: int | None = None,
) -> list[list[float]]:
    """Scores of each token at each place of one sequence.

    A changed model has other `speeds` of its rotary pairs, only its fastest `pairs` of sinusoids,
    or queries that see only their `nearest` keys.
    """
    run, w = model
    x = [embedded(model, token, place, pairs) for place, token in enumerate(tokens)]
    for layer in range(run["layers"]):
        own = {name[2:]: matrix for name, matrix in w.items() if name.startswith(f"{layer}.")}
        normed = [norm(row, own["attention_norm"][0]) for row in x]
        brought, _ = attention(model, own, normed, speeds, nearest)
        x = [
            plus(old, new) if run["residual"] else new for old, new in zip(x, brought, strict=True)
        ]
        for place, row in enumerate(x):
            hidden = [max(h, 0.0) for h in times(norm(row, own["dense_norm"][0]), own["widen"])]
            new = times(hidden, own["narrow"])
            x[place] = plus(row, new) if run["residual"] else new
    return [times(norm(row, w["norm"][0]), w["unembedding"]) for row in x]


def first_attention(model: Model, tokens: list[int]) -> list[list[list[float]]]:
    """For each place, the weights of each head of the first layer on the places up to it."""
    x = [embedded(model, token, place) for place, token in enumerate(tokens)]
    own = {name[2:]: matrix for name, matrix in model.matrices.items() if name.startswith("0.")}
    return attention(model, own, [norm(row, own["attention_norm"][0]) for row in x], None)[1]


def embedded(model: Model, token: int, place: int, pairs: int | None = None) -> list[float]:
    """The embedding of a token, with the row of its place."""
    run, w = model
    row = w["embedding"][token]
    width = len(row)
    if run["scaled"]:
        row = [math.sqrt(width) * a for a in row]
    return plus(row, added(model, place, width, pairs))


def added(model: Model, place: int, width: int, pairs: int | None = None) -> list[float]:
    """The row of a place, or zeros."""
    run, w = model
    if run["encoding"] == "learned":
        return w["positions"][min(place, len(w["positions"]) - 1)]
    if run["encoding"] == "sinusoidal":
        angles = [place / run["base"] ** (2 * i / width) for i in range(width // 2)]
        row = [f(angle) for angle in angles for f in (math.sin, math.cos)]
        return row if pairs is None else row[: 2 * pairs] + [0.0] * (width - 2 * pairs)
    return [0.0] * width


def attention(
    model: Model,
    own: dict[str, Any],
    x: list[list[float]],
    speeds: list[float] | None,
    nearest: int | None = None,
) -> tuple[list[list[float]], list[list[list[float]]]]:
    """The heads' sums at each place, mixed; and for each place the weights of each head."""
    queries, keys, values = ([times(row, own[n]) for row in x] for n in ("query", "key", "value"))
    width = len(x[0]) // HEADS
    parts = [slice(head * width, (head + 1) * width) for head in range(HEADS)]
    answers = [
        [placed(model, key[part], q, speeds) for q, key in enumerate(keys)] for part in parts
    ]
    columns = list(zip(*values, strict=True))
    brought, weights = [], []
    for p, query in enumerate(queries):
        sums: list[float] = []
        weights.append([])
        for head, part in enumerate(parts):
            asks = placed(model, query[part], p, speeds)
            seen = range(p + 1) if model.run["causal"] else range(len(x))
            seen = seen[-nearest:] if nearest else seen
            scores = []
            for q in seen:
                score = dot(asks, answers[head][q]) / math.sqrt(width)
                scores.append(score + bias(model, head, q - p))
            powers = [math.exp(score - max(scores)) for score in scores]
            total = math.fsum(powers)
            weights[p].append([power / total for power in powers])
            for column in columns[part]:
                sums.append(dot(powers, column[seen.start : seen.stop]) / total)
        brought.append(times(sums, own["mix"]))
    return brought, weights


def placed(model: Model, head: list[float], place: int, speeds: list[float] | None) -> list[float]:
    """A query or key, turned to its place if the encoding is rotary."""
    if model.run["encoding"] != "rope":
        return head
    half = len(head) // 2
    turned = list(head)
    for i in range(half):
        speed = speeds[i] if speeds else model.run["base"] ** (-i / half)
        number = complex(head[i], head[i + half]) * complex(
            math.cos(place * speed), math.sin(place * speed)
        )
        turned[i], turned[i + half] = number.real, number.imag
    return turned


def bias(model: Model, head: int, offset: int) -> float:
    """The number that ALiBi or T5 adds to a score, by key position minus query position."""
    if model.run["encoding"] == "alibi":
        return -abs(offset) * 2.0 ** (-8 * (head + 1) / HEADS)
    if model.run["encoding"] == "t5":
        assert model.run["causal"]
        row = model.matrices["bias"][head]
        return row[min(-offset, len(row) - 1)]  # one bucket for each distance up to the last
    return 0.0


def norm(row: list[float], gain: list[float]) -> list[float]:
    """A row over the root of its mean square, times the gains."""
    root = math.sqrt(math.fsum(a * a for a in row) / len(row) + 1e-6)
    return [a / root * g for a, g in zip(row, gain, strict=True)]


def times(row: list[float], matrix: list[list[float]]) -> list[float]:
    """A row times a matrix."""
    columns = zip(*matrix, strict=True)
    return [sum(map(mul, row, column)) for column in columns]


def dot(one: list[float], other: list[float]) -> float:
    """The sum of the products."""
    assert len(one) == len(other)
    return math.fsum(map(mul, one, other))


def plus(one: list[float], other: list[float]) -> list[float]:
    """The sum of two rows."""
    return [a + b for a, b in zip(one, other, strict=True)]


def drawn(state: int, below: int, count: int) -> list[int]:
    """The first integers of the generator of the test sets, after the 16 that it skips."""
    found = []
    for _ in range(16 + count):
        state = (state ^ (state * 2**13)) % 2**32
        state = state ^ (state // 2**17)
        state = (state ^ (state * 2**5)) % 2**32
        found.append(math.floor(state / 2**32 * below))
    return found[16:]


def product(model: Model, head: int) -> list[list[float]]:
    """W_Q W_K^T of a head of the first layer, with the gains of the norm."""
    w = model.matrices
    gain, width = w["0.attention_norm"][0], len(w["0.query"][0]) // HEADS
    part = slice(head * width, (head + 1) * width)
    query, key = (
        [[g * a for a in row[part]] for g, row in zip(gain, w[f"0.{name}"], strict=True)]
        for name in ("query", "key")
    )
    return [[dot(one, other) for other in key] for one in query]


def place_scores(model: Model, head: int, length: int) -> list[list[float]]:
    """The term of the scores that knows only places, for each query and the keys up to it.

    The rows are divided by the mean length of the inputs, over all tokens at all places.
    """
    width = len(model.matrices["embedding"][0])
    tokens = range(len(model.matrices["embedding"]))
    inputs = [embedded(model, token, place) for token in tokens for place in range(length)]
    mean = math.fsum(math.sqrt(dot(row, row) / width) for row in inputs) / len(inputs)
    rows = [[a / mean for a in added(model, place, width)] for place in range(length)]
    matrix, root = product(model, head), math.sqrt(width // HEADS)
    asks = [times(row, matrix) for row in rows]
    return [[dot(asks[p], rows[q]) / root for q in range(p + 1)] for p in range(length)]


def centred(lines: list[list[float]]) -> list[list[float]]:
    """Each line less its mean: softmax gives the same weights."""
    return [[a - math.fsum(line) / len(line) for a in line] for line in lines]
