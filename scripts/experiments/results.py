"""The committed results: JSON with the values of every seed, and the weights of a few models."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts import files, workers
from scripts.experiments import grid, provenance, runs, schedule, store, weights
from scripts.experiments.measures import (
    desk,
    frequent,
    heads,
    maps,
    nearest,
    pairs,
    readout,
    stretched,
    trained,
)
from scripts.experiments.runs import Run

FOLDER = Path(__file__).with_name("results")
_DIGITS = 5

Measure = Callable[[Run], dict[str, Any]]
_ROTARY = [run for run in grid.COMPARED if run.encoding == "rope"]
_PAIRED = [run for run in grid.COMPARED if run.encoding in ("sinusoidal", "rope")]
_UNMASKED = [run for run in grid.LENGTHS if not run.causal]
QUESTIONS: dict[str, tuple[Measure, list[Run]]] = {
    "lengths": (trained.measure, grid.LENGTHS),
    "scalings": (stretched.scalings, _ROTARY),
    "tunings": (stretched.tuned, grid.TUNINGS),
    "heads": (heads.measure, grid.COMPARED),
    "pairs": (pairs.measure, _PAIRED),
    "nearest": (nearest.measure, _PAIRED),
    "frequent": (frequent.measure, _UNMASKED),
    "starts": (trained.measure, grid.STARTS),
    "unscaled": (trained.measure, grid.UNSCALED),
    "depths": (trained.measure, [run for run in grid.DEPTHS if run.steps]),
    "readout": (readout.measure, [run for run in grid.DEPTHS if run.layers == 4]),
    "tasks": (trained.measure, grid.TASKS),
    "small": (trained.measure, grid.SMALL),
    "maps": (maps.measure, [grid.LIVE["learned"]]),
    "desk": (desk.measure, [grid.DESK]),
}


def write() -> None:
    """Measure all runs, and write one file for each question and each live model."""
    with workers.pool(schedule.PROCESSES) as pool:
        jobs = {
            question: {run: pool.submit(_measured, question, run) for run in chosen}
            for question, (_, chosen) in QUESTIONS.items()
        }
        for question, asked in jobs.items():
            found = {run: job.result() for run, job in asked.items()}
            content = text({"made": made(list(found)), "rows": rows(found)})
            files.write(FOLDER / f"{question}.json", content.encode())
            print(f"{question}: measured", flush=True)
    for name, run in {**grid.LIVE, "desk": grid.DESK}.items():
        about = {"made": json.dumps(made([run]))}
        packed = weights.packed(store.load(run).arrays, run, about)
        files.write(FOLDER / f"{name}.safetensors", packed)


def made(chosen: list[Run]) -> dict[str, Any]:
    """How `chosen` were made: code, versions, and the constants that all of them share."""
    versions = {k: v for k, v in store.load(chosen[0]).made.items() if isinstance(v, str)}
    names = ("VOCABULARY", "LENGTH", "BATCH", "WIDTH", "HEADS", "HIDDEN", "PEAK_RATE")
    constants = {name.lower(): getattr(runs, name) for name in names}
    return {"code": provenance.code_hash(), **versions, **constants}


def rows(measured: dict[Run, dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each set of options, with the seeds' values side by side."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in measured:
        groups.setdefault((run.task, grid.name(run)), []).append(run)
    return [
        {
            "name": name,
            "options": {k: v for k, v in group[0].options().items() if k != "seed"},
            "seeds": [run.seed for run in group],
            "processor_seconds": [store.load(run).made.get("processor_seconds") for run in group],
            **side_by_side([measured[run] for run in group]),
        }
        for (_, name), group in groups.items()
    ]


def side_by_side(found: list[Any]) -> Any:
    """Objects of the same form as one: a list of the seeds' values at each place, and a summary."""
    if isinstance(found[0], dict):
        return {key: side_by_side([one[key] for one in found]) for key in found[0]}
    if isinstance(found[0], float):
        values = [round(value, _DIGITS) for value in found]
        mean = round(sum(found) / len(found), _DIGITS)
        return {"mean": mean, "low": min(values), "high": max(values), "seeds": values}
    return found


def text(content: dict[str, Any]) -> str:
    """`content` as JSON with one line for each row."""
    lines = [json.dumps(row, ensure_ascii=False) for row in content["rows"]]
    return f'{{"made": {json.dumps(content["made"])},\n"rows": [\n' + ",\n".join(lines) + "\n]}\n"


def _measured(question: str, run: Run) -> dict[str, Any]:
    return QUESTIONS[question][0](run)
