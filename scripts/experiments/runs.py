"""A run is one training: its options name it, and a hash of them keeps its weights."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

Task = Literal["look_back", "first", "copy", "reverse", "count"]
Encoding = Literal["none", "sinusoidal", "learned", "rope", "alibi", "t5"]
Scaling = Literal["trained", "linear", "ntk", "parts"]

VOCABULARY, LENGTH, BATCH = 16, 32, 64
WIDTH, HEADS, HIDDEN = 64, 2, 128
HEAD_WIDTH = WIDTH // HEADS
STEPS, PEAK_RATE = 1500, 3e-3
TUNING_STEPS, TUNING_RATE = 150, 1e-3


class Tuning(NamedTuple):
    """A short training on longer texts that follows, with stretched rotary frequencies."""

    scaling: Scaling
    length: int


@dataclass(frozen=True)
class Run:
    """The options of one training, apart from the constants above."""

    task: Task
    encoding: Encoding
    seed: int
    base: float = 10_000.0
    layers: int = 1
    causal: bool = True
    residual: bool = True
    scaled: bool = True  # embeddings times sqrt(WIDTH), as in the paper
    start: int = 0  # each sequence begins at a random position from 0 to this one
    steps: int = STEPS
    tuning: Tuning | None = None

    def options(self) -> dict[str, Any]:
        """The fields, as JSON keeps them."""
        return {**asdict(self), "tuning": list(self.tuning) if self.tuning else None}

    def key(self, code: str) -> str:
        """A hash of the options and of `code`, the hash of the code that trains."""
        text = json.dumps([self.options(), code], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:20]


def from_options(options: dict[str, Any]) -> Run:
    """The run with these `options`, as `Run.options` gives them."""
    tuning = options["tuning"]
    return Run(**{**options, "tuning": Tuning(*tuning) if tuning else None})
