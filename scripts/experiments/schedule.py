"""Trains what is missing on two cores, and says how much time is left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import as_completed
from dataclasses import replace

from scripts import workers
from scripts.experiments import provenance, store
from scripts.experiments.runs import STEPS, TUNING_STEPS, Run

PROCESSES = 2
_BAR = 30


def train_missing(runs: list[Run]) -> None:
    """Train each of `runs` that has no file; a tuning follows the run that it changes."""
    missing = [run for run in runs if not store.path(run).is_file()]
    finished: dict[Run, float] = {}  # seconds
    for tunings in (False, True):
        chosen = [run for run in missing if bool(run.tuning) == tunings]
        for run, seconds in _trained(chosen):
            finished[run] = seconds
            print(_line(run, finished, missing), flush=True)


def _trained(chosen: list[Run]) -> Iterator[tuple[Run, float]]:
    """Each of `chosen` when it is finished, and its seconds."""
    if not chosen:
        return
    with workers.pool(PROCESSES) as pool:
        jobs = {pool.submit(_train, run): run for run in chosen}
        for job in as_completed(jobs):
            yield jobs[job], job.result()


def title(run: Run) -> str:
    """The task, the encoding, and the options that are not the usual ones."""
    usual = Run(run.task, run.encoding, run.seed).options()
    options = [f"{k} {v}" for k, v in run.options().items() if v != usual[k]]
    return ", ".join([run.task, run.encoding, *options, f"seed {run.seed}"])


def _train(run: Run) -> float:
    """Train `run` in this process and keep its weights; the seconds that it took."""
    from scripts.experiments import training  # it needs PyTorch

    began, processor = time.monotonic(), time.process_time()
    before = store.load(replace(run, tuning=None)).arrays if run.tuning else None
    trained = training.train(run, before)
    seconds = round(time.process_time() - processor, 1)
    curve = {"loss": trained.losses, "accuracy": trained.accuracies}
    made = {"processor_seconds": seconds, **provenance.versions()}
    store.save(run, store.Finished(trained.weights, curve, made))
    return time.monotonic() - began


def _cost(run: Run) -> float:
    """How long `run` takes, in runs of one layer."""
    return (run.layers + 0.1) * (TUNING_STEPS if run.tuning else run.steps) / STEPS + 0.01


def _line(run: Run, finished: dict[Run, float], missing: list[Run]) -> str:
    done, total = sum(map(_cost, finished)), sum(map(_cost, missing))
    bar = ("#" * round(done / total * _BAR)).ljust(_BAR, ".")
    left = sum(finished.values()) / done * (total - done) / PROCESSES
    about = f"{len(finished)}/{len(missing)}, {left // 60:.0f} min {left % 60:.0f} s left"
    return f"[{bar}] {about}; {title(run)}: {finished[run]:.0f} s"
