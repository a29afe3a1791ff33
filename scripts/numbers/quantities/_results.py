"""Rows of the committed results of the small trained models, and summaries over their seeds.

Summaries have six digits, one more than the results.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from posenc.encoding import FloatArray

TASK = "look_back"
_RESULTS = Path(__file__).parents[2] / "experiments" / "results"
_DIGITS = 6


def row(question: str, model: str, task: str = TASK) -> dict[str, Any]:
    """The row of `model` in the results of `question`."""
    return rows(question, task)[model]


@cache
def rows(question: str, task: str = TASK) -> dict[str, dict[str, Any]]:
    """The rows of a file of results, by name."""
    content = json.loads((_RESULTS / f"{question}.json").read_text("utf-8"))
    return {row["name"]: row for row in content["rows"] if row["options"]["task"] == task}


def mean(values: list[float] | FloatArray) -> float:
    """The mean over seeds, or over seeds and heads."""
    return round(float(np.mean(values)), _DIGITS)
