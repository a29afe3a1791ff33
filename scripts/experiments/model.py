"""The model in PyTorch: blocks of attention and of two dense layers, without biases.

`forward` says the same in NumPy. Vectors are rows: `x @ weights`. Each block takes the RMS norm
of its input, which makes all sinusoidal rows equally long and keeps their directions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from scripts.experiments import encodings
from scripts.experiments.runs import HEAD_WIDTH, HEADS, HIDDEN, LENGTH, VOCABULARY, WIDTH, Run

Weights = dict[str, torch.Tensor]
EPSILON = 1e-6
BLOCK = ("attention_norm", "query", "key", "value", "mix", "dense_norm", "widen", "narrow")


def shapes(run: Run) -> dict[str, tuple[int, ...]]:
    """The shape of each array of weights."""
    found: dict[str, tuple[int, ...]] = {"embedding": (VOCABULARY, WIDTH)}
    if run.encoding == "learned":
        found["positions"] = (LENGTH, WIDTH)
    if run.encoding == "t5":
        found["bias"] = (HEADS, encodings.BUCKETS)
    square = dict.fromkeys(("query", "key", "value", "mix"), (WIDTH, WIDTH))
    norms = {"attention_norm": (WIDTH,), "dense_norm": (WIDTH,)}
    block = {**norms, **square, "widen": (WIDTH, HIDDEN), "narrow": (HIDDEN, WIDTH)}
    for layer in range(run.layers):
        found |= {f"{layer}.{name}": block[name] for name in BLOCK}
    return {**found, "norm": (WIDTH,), "unembedding": (WIDTH, VOCABULARY)}


def initial(run: Run) -> Weights:
    """The weights before training."""
    generator = torch.Generator().manual_seed(run.seed)
    weights = {}
    for name, shape in shapes(run).items():
        if name.endswith("norm"):
            weights[name] = torch.ones(shape)
        elif name == "bias":
            weights[name] = torch.zeros(shape)
        else:
            weights[name] = torch.randn(shape, generator=generator) * _spread(name, shape)
    return weights


def _spread(name: str, shape: tuple[int, ...]) -> float:
    """Standard deviation of the initial weights."""
    if name == "positions":
        return math.sqrt(0.5)  # as in sinusoidal rows
    return 1 / math.sqrt(WIDTH if name == "embedding" else shape[0])


@dataclass(frozen=True)
class Constants:
    """The arrays that depend only on the options and on the length."""

    rows: torch.Tensor  # (positions, WIDTH)
    cosine: torch.Tensor  # (length, HEAD_WIDTH // 2)
    sine: torch.Tensor
    buckets: torch.Tensor  # (length, length)
    scores: torch.Tensor  # (HEADS, length, length): what the encoding and the mask add


def constants(run: Run, length: int) -> Constants:
    """The arrays for texts of `length` positions."""
    scaling = run.tuning.scaling if run.tuning else "trained"
    speeds = encodings.frequencies(run.base, scaling, length / LENGTH)
    angles = np.arange(length)[:, None] * speeds
    offsets = encodings.offsets(length)
    scores = np.zeros((HEADS, length, length))
    if run.encoding == "alibi":
        scores -= encodings.slopes()[:, None, None] * np.abs(offsets)
    if run.causal:
        scores[:, offsets > 0] = -np.inf
    return Constants(
        _tensor(encodings.rows(np.arange(run.start + length), run.base)),
        _tensor(np.cos(angles)),
        _tensor(np.sin(angles)),
        torch.from_numpy(encodings.buckets(length, causal=run.causal)),
        _tensor(scores),
    )


def logits(
    weights: Weights,
    run: Run,
    fixed: Constants,
    tokens: torch.Tensor,
    starts: torch.Tensor,
) -> torch.Tensor:
    """Scores of each token as the answer at each place, `(batch, length, VOCABULARY)`."""
    x = functional.embedding(tokens, weights["embedding"])
    if run.scaled:
        x = x * math.sqrt(WIDTH)
    if run.encoding == "sinusoidal":
        x = x + fixed.rows[starts[:, None] + torch.arange(tokens.shape[1])]
    if run.encoding == "learned":
        x = x + weights["positions"][: tokens.shape[1]]
    scores = fixed.scores
    if run.encoding == "t5":
        scores = scores + weights["bias"][:, fixed.buckets]
    for layer in range(run.layers):
        own = {name: weights[f"{layer}.{name}"] for name in BLOCK}
        brought = _attention(own, run, fixed, scores, _norm(x, own["attention_norm"]))
        x = x + brought if run.residual else brought
        brought = torch.relu(_norm(x, own["dense_norm"]) @ own["widen"]) @ own["narrow"]
        x = x + brought if run.residual else brought
    return _norm(x, weights["norm"]) @ weights["unembedding"]


def _attention(
    own: Weights, run: Run, fixed: Constants, scores: torch.Tensor, x: torch.Tensor
) -> torch.Tensor:
    """The sum of what the heads bring to each place, `(batch, length, WIDTH)`."""
    query, key, value = (_heads(x @ own[name]) for name in ("query", "key", "value"))
    if run.encoding == "rope":
        query, key = _turned(query, fixed), _turned(key, fixed)
    products = query @ key.transpose(-1, -2) / math.sqrt(HEAD_WIDTH)
    brought = torch.softmax(products + scores, dim=-1) @ value
    return brought.transpose(1, 2).reshape(x.shape) @ own["mix"]


def _heads(x: torch.Tensor) -> torch.Tensor:
    """`(batch, HEADS, length, HEAD_WIDTH)`: the first head has the first features."""
    return x.view(*x.shape[:2], HEADS, HEAD_WIDTH).transpose(1, 2)


def _turned(x: torch.Tensor, fixed: Constants) -> torch.Tensor:
    """Each head turned to its position; features i and i + HEAD_WIDTH / 2 are a pair."""
    first, second = x.chunk(2, dim=-1)
    turned = (
        first * fixed.cosine - second * fixed.sine,
        first * fixed.sine + second * fixed.cosine,
    )
    return torch.cat(turned, dim=-1)


def _norm(x: torch.Tensor, gain: torch.Tensor) -> torch.Tensor:
    return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + EPSILON) * gain


def _tensor(array: encodings.FloatArray) -> torch.Tensor:
    return torch.from_numpy(array.astype(np.float32))
