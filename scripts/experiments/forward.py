"""The model in NumPy, with 64-bit numbers: every measurement comes from this pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scripts.experiments import encodings
from scripts.experiments.runs import HEAD_WIDTH, HEADS, LENGTH, WIDTH, Run
from scripts.experiments.weights import Arrays

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
EPSILON = 1e-6


@dataclass(frozen=True)
class Pass:
    """The logits, and the steps to them."""

    logits: FloatArray  # (batch, length, VOCABULARY)
    states: list[FloatArray]  # each (batch, length, WIDTH): the input, and after each layer
    weights: list[FloatArray]  # each (batch, HEADS, length, length): each layer's attention


@dataclass(frozen=True)
class Changes:
    """What a measurement changes in a trained model."""

    speeds: FloatArray | None = None  # radians per position of each rotary pair
    rows: FloatArray | None = None  # in place of the sinusoidal ones, (length, WIDTH)
    sharpness: float = 1.0  # factor of the products of queries and keys
    nearest: int | None = None  # keys that a query may see, its own place among them


def run_model(arrays: Arrays, run: Run, tokens: IntArray, changes: Changes | None = None) -> Pass:
    """The pass over `tokens`, `(batch, length)`, from position 0 on."""
    changes = changes or Changes()
    exact = {name: array.astype(np.float64) for name, array in arrays.items()}
    attention = _attention(exact, run, tokens.shape[1], changes)
    x = _input(exact, run, tokens, changes)
    states, weights = [x], []
    for layer in range(run.layers):
        own = {name.partition(".")[2]: a for name, a in exact.items() if name[0] == str(layer)}
        brought, attended = attention(own, rms_norm(x, own["attention_norm"]))
        x = x + brought if run.residual else brought
        hidden = np.maximum(rms_norm(x, own["dense_norm"]) @ own["widen"], 0)
        x = x + hidden @ own["narrow"] if run.residual else hidden @ own["narrow"]
        states.append(x)
        weights.append(attended)
    return Pass(rms_norm(x, exact["norm"]) @ exact["unembedding"], states, weights)


def rms_norm(x: FloatArray, gain: FloatArray) -> FloatArray:
    """`x` over the root of its mean square, times `gain`."""
    normed: FloatArray = x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + EPSILON) * gain
    return normed


def added_rows(exact: dict[str, FloatArray], run: Run, length: int) -> FloatArray:
    """The rows that are added to the embeddings, `(length, WIDTH)`; zeros if there are none."""
    if run.encoding == "sinusoidal":
        return encodings.rows(np.arange(length), run.base)
    if run.encoding == "learned":
        return exact["positions"][np.minimum(np.arange(length), LENGTH - 1)]
    return np.zeros((length, WIDTH))


def _input(
    exact: dict[str, FloatArray], run: Run, tokens: IntArray, changes: Changes
) -> FloatArray:
    rows = added_rows(exact, run, tokens.shape[1]) if changes.rows is None else changes.rows
    scale = np.sqrt(WIDTH) if run.scaled else 1.0
    summed: FloatArray = exact["embedding"][tokens] * scale + rows
    return summed


def _attention(
    exact: dict[str, FloatArray], run: Run, length: int, changes: Changes
) -> Callable[[dict[str, FloatArray], FloatArray], tuple[FloatArray, FloatArray]]:
    """A function that takes a layer and its input, and gives what its heads bring, and weights."""
    added = _added_scores(exact, run, length)
    if changes.nearest is not None:
        added[:, encodings.offsets(length) <= -changes.nearest] = -np.inf
    speeds = encodings.frequencies(run.base) if changes.speeds is None else changes.speeds
    angles = np.arange(length)[:, None] * speeds

    def attend(own: dict[str, FloatArray], x: FloatArray) -> tuple[FloatArray, FloatArray]:
        query, key, value = (_heads(x @ own[name]) for name in ("query", "key", "value"))
        if run.encoding == "rope":
            query, key = turned(query, angles), turned(key, angles)
        products = query @ key.swapaxes(-1, -2) * (changes.sharpness / np.sqrt(HEAD_WIDTH))
        weights = softmax(products + added)
        brought = (weights @ value).swapaxes(1, 2).reshape(x.shape) @ own["mix"]
        return brought, weights

    return attend


def _added_scores(exact: dict[str, FloatArray], run: Run, length: int) -> FloatArray:
    """The mask, and the terms of ALiBi or T5, `(HEADS, length, length)`."""
    offsets = encodings.offsets(length)
    scores = np.zeros((HEADS, length, length))
    if run.encoding == "alibi":
        scores -= encodings.slopes()[:, None, None] * np.abs(offsets)
    if run.encoding == "t5":
        scores += exact["bias"][:, encodings.buckets(length, causal=run.causal)]
    if run.causal:
        scores[:, offsets > 0] = -np.inf
    return scores


def softmax(scores: FloatArray) -> FloatArray:
    """Weights that sum to 1 along the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: FloatArray = powers / powers.sum(axis=-1, keepdims=True)
    return weights


def turned(x: FloatArray, angles: FloatArray) -> FloatArray:
    """Heads turned by `angles`; features i and i + HEAD_WIDTH / 2 are a pair."""
    first, second = np.split(x, 2, axis=-1)
    cosine, sine = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cosine - second * sine, first * sine + second * cosine], axis=-1)


def _heads(x: FloatArray) -> FloatArray:
    """`(batch, HEADS, length, HEAD_WIDTH)`: the first head has the first features."""
    return x.reshape(*x.shape[:2], HEADS, HEAD_WIDTH).swapaxes(1, 2)
