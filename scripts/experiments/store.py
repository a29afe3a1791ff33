"""The weights of finished runs, one file each: a run that has its file is not trained again."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from scripts import files
from scripts.experiments import provenance, weights
from scripts.experiments.runs import Run

FOLDER = files.WORK / "experiments"


class Finished(NamedTuple):
    """What a run left: its weights, its learning curve, and how it was made."""

    arrays: weights.Arrays
    curve: dict[str, list[float]]  # loss and accuracy
    made: dict[str, Any]  # seconds, and versions


def path(run: Run) -> Path:
    """The file of `run`, made by the code as it is now."""
    return FOLDER / f"{run.key(provenance.code_hash())}.safetensors"


def save(run: Run, finished: Finished) -> None:
    """Write the file of `run` in one step."""
    about = {"curve": json.dumps(finished.curve), "made": json.dumps(finished.made)}
    files.write(path(run), weights.packed(finished.arrays, run, about))


@cache
def load(run: Run) -> Finished:
    """The finished `run`."""
    arrays, kept, about = weights.unpacked(path(run).read_bytes())
    if kept != run:
        raise ValueError(f"{path(run).name} must hold {run}, got {kept}")
    return Finished(arrays, json.loads(about["curve"]), json.loads(about["made"]))
