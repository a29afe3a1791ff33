"""Training of one run on one thread: the same bits for the same seed, library and processor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from scripts.experiments import model, tasks
from scripts.experiments.generator import IntArray
from scripts.experiments.runs import (
    BATCH,
    LENGTH,
    PEAK_RATE,
    TUNING_RATE,
    TUNING_STEPS,
    VOCABULARY,
    Run,
)
from scripts.experiments.weights import Arrays, rounded

EVERY = 25  # steps in each point of the learning curve


class Trained(NamedTuple):
    """The weights, and the mean loss and accuracy of the batches of each EVERY steps."""

    weights: Arrays
    losses: list[float]
    accuracies: list[float]


def train(run: Run, before: Arrays | None = None) -> Trained:
    """Train `run`; if it is a tuning, from the weights `before` it."""
    if run.tuning and before is None:
        raise ValueError("a tuning needs the weights before it, got None")
    torch.set_num_threads(1)
    if before is None:
        weights = model.initial(run)
    else:
        weights = {name: torch.from_numpy(array.copy()) for name, array in before.items()}
    for array in weights.values():
        array.requires_grad_()
    losses, accuracies = _steps(run, weights)
    arrays = {name: rounded(array.detach().numpy()) for name, array in weights.items()}
    return Trained(arrays, _means(losses), _means(accuracies))


def _steps(run: Run, weights: model.Weights) -> tuple[list[float], list[float]]:
    """Change `weights` step by step; the loss and the accuracy of each batch."""
    steps, rate = (TUNING_STEPS, TUNING_RATE) if run.tuning else (run.steps, PEAK_RATE)
    losses: list[float] = []
    accuracies: list[float] = []
    if steps == 0:
        return losses, accuracies
    optimizer = torch.optim.AdamW(list(weights.values()), lr=rate, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    length = run.tuning.length if run.tuning else LENGTH
    fixed = model.constants(run, length)
    for _, (tokens, answers, starts) in zip(range(steps), _batches(run, length), strict=False):
        asked = answers != tasks.NOT_ASKED
        said = model.logits(weights, run, fixed, tokens, starts).view(-1, VOCABULARY)[asked]
        loss = functional.cross_entropy(said, answers[asked])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        accuracies.append((said.argmax(dim=1) == answers[asked]).float().mean().item())
    return losses, accuracies


def _batches(run: Run, length: int) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """Tokens, answers in one row, and first positions; always as many tokens in a batch."""
    random = np.random.default_rng([run.seed, length])
    count = BATCH * LENGTH // length

    def draw(below: int, shape: tuple[int, ...]) -> IntArray:
        return random.integers(below, size=shape)

    while True:
        tokens, answers = tasks.sequences(run.task, draw, count, length)
        starts = draw(run.start + 1, (count,))
        yield torch.from_numpy(tokens), torch.from_numpy(answers).ravel(), torch.from_numpy(starts)


def _means(values: list[float]) -> list[float]:
    """The mean of each EVERY steps."""
    return [float(np.mean(values[i : i + EVERY])) for i in range(0, len(values), EVERY)]
