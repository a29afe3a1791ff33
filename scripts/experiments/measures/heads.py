"""What the heads of a one-layer model look at, beside the head built by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

import posenc
from scripts.experiments import accuracy, encodings, store, tasks
from scripts.experiments.forward import FloatArray, added_rows, run_model
from scripts.experiments.runs import HEAD_WIDTH, HEADS, LENGTH, WIDTH, Run
from scripts.experiments.weights import Arrays

_FIRST_QUERY = 8  # the first places have few keys
_FAST = 8  # features of the four fastest pairs


def measure(run: Run) -> dict[str, Any]:
    """Mean weight by offset for each head; for added rows, also the scores between the rows."""
    arrays = store.load(run).arrays
    tokens, _ = accuracy.test_set(run.task, LENGTH)
    weights = run_model(arrays, run, tokens).weights[0].mean(axis=0)
    found: dict[str, Any] = {"weights": [_by_offset(w, _FIRST_QUERY) for w in weights]}
    if run.encoding in ("sinusoidal", "learned"):
        scores = row_scores(arrays, run)
        found["scores"] = [_by_offset(s, tasks.BACK) for s in map(_centred, scores)]
        if run.encoding == "sinusoidal":
            found["by_hand"] = [_beside(s, run.base) for s in scores]
            found["matrices"] = [_cosine(m, run.base, WIDTH) for m in _products(arrays)]
            found["fast_matrices"] = [_cosine(m, run.base, _FAST) for m in _products(arrays)]
        found["likeness"] = _likeness(arrays, run)
    return found


def row_scores(arrays: Arrays, run: Run) -> FloatArray:
    """The term of the scores that knows only places, `(HEADS, LENGTH, LENGTH)`.

    The norm of the input divides the rows as it does in the model, on average over tokens.
    """
    exact = {name: array.astype(np.float64) for name, array in arrays.items()}
    rows = added_rows(exact, run, LENGTH)
    inputs = exact["embedding"][:, None] * (np.sqrt(WIDTH) if run.scaled else 1.0) + rows
    rows = rows / np.sqrt(np.mean(inputs**2, axis=-1)).mean()
    scores: FloatArray = rows @ _products(arrays) @ rows.T / np.sqrt(HEAD_WIDTH)
    return scores


def _products(arrays: Arrays) -> FloatArray:
    """W_Q W_K^T of each head, with the gains of the norm, `(HEADS, WIDTH, WIDTH)`."""
    gain = arrays["0.attention_norm"].astype(np.float64)[:, None]
    query, key = (gain * arrays[f"0.{name}"] for name in ("query", "key"))
    parts = zip(np.split(query, HEADS, axis=1), np.split(key, HEADS, axis=1), strict=True)
    return np.stack([q @ k.T for q, k in parts])


def _likeness(arrays: Arrays, run: Run) -> list[float]:
    """The mean cosine between two rows, for each offset between them."""
    exact = {name: array.astype(np.float64) for name, array in arrays.items()}
    rows = added_rows(exact, run, LENGTH)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return _by_offset(rows @ rows.T, 0)


def _centred(scores: FloatArray) -> FloatArray:
    """`scores` less the mean of each row over its keys: softmax gives the same weights."""
    seen = np.tril(np.ones_like(scores))
    means = (scores * seen).sum(axis=1, keepdims=True) / seen.sum(axis=1, keepdims=True)
    centred: FloatArray = (scores - means) * seen
    return centred


def _by_offset(matrix: FloatArray, first: int) -> list[float]:
    """The mean over the queries from `first` on, for each offset from the query back to a key."""
    return [
        round(float(np.mean(np.diagonal(matrix, -k)[max(first - k, 0) :])), 4)
        for k in range(LENGTH)
    ]


def _beside(scores: FloatArray, base: float) -> dict[str, float]:
    """Correlation with the scores of the shift matrix, and the gain that fits best."""
    by_hand = posenc.similarity(-encodings.offsets(LENGTH) - tasks.BACK, WIDTH, base=base)
    trained, built = _centred(scores)[tasks.BACK :], _centred(np.asarray(by_hand))[tasks.BACK :]
    product, length = np.sum(trained * built), np.sum(built * built)
    return {
        "correlation": round(float(product / np.sqrt(length * np.sum(trained * trained))), 4),
        "gain": round(float(product / length), 4),
    }


def _cosine(product: FloatArray, base: float, features: int) -> float:
    """The cosine between W_Q W_K^T and the shift matrix, taken as long lists of numbers.

    Only the first `features` of queries and keys count, which are those of the fastest pairs.
    """
    shift = posenc.shift_matrix(tasks.BACK, WIDTH, base=base)[:features, :features]
    product = product[:features, :features]
    cosine = np.sum(product * shift) / np.linalg.norm(product) / np.linalg.norm(shift)
    return round(float(cosine), 4)
