"""The loop over the stages, and the notes that say which are up to date."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scripts import files, workers
from scripts.build.stage import Stage

Rounds = list[list[Stage]]
Notes = dict[str, dict[str, str]]  # by stage: the hashes of its sources and of its outputs
_NOTES = "notes.json"


def run(rounds: Rounds, *, making: bool = True) -> list[tuple[Stage, str]]:
    """The stages that are stale, and why; with `making`, bring them up to date."""
    notes: Notes = files.read_notes(files.WORK / _NOTES)
    found = []
    for stages in rounds:
        stale = [(stage, reason) for stage in stages if (reason := staleness(stage, notes))]
        found += stale
        if making:
            _make([stage for stage, _ in stale], notes)
            _say_what_is_current(stages, [stage for stage, _ in stale])
    return found


def staleness(stage: Stage, notes: Notes) -> str:
    """Why `stage` must be made again; an empty text if it is up to date."""
    note = notes.get(stage.name)
    if not stage.written():
        return "its files are missing"
    if not isinstance(note, dict) or note.get("sources") != stage.sources_hash():
        return "its sources have changed"
    if note.get("outputs") != stage.outputs_hash():
        return "its files have changed"
    return stage.unfinished


def remove_unknown(rounds: Rounds) -> None:
    """Delete the files that no stage writes, in folders where only stages write."""
    stages = [stage for stages in rounds for stage in stages if "*" in stage.outputs]
    known = {path for stage in stages for path in stage.written()}
    for folder in {stage.folder for stage in stages}:
        for path in files.below(folder):
            if path not in known:
                path.unlink()


def _make(stages: list[Stage], notes: Notes) -> None:
    sources = [stage.sources_hash() for stage in stages]  # hashed before they can change
    made = workers.results([stage.make for stage in stages])
    for stage, before, (result, seconds) in zip(stages, sources, made, strict=True):
        result, remark = result if isinstance(result, tuple) else (result, "made")
        _write(stage, result)
        notes[stage.name] = {"sources": before, "outputs": stage.outputs_hash()}
        files.write(files.WORK / _NOTES, json.dumps(notes, sort_keys=True).encode())
        print(f"{stage.name}: {remark} ({seconds:.2f} s)")


def _write(stage: Stage, made: Any) -> None:
    """Write the result of a stage: one file, several by name, or a new folder."""
    if isinstance(made, Path):
        files.swap(made, stage.folder)
    elif isinstance(made, bytes):
        files.write(files.ROOT / stage.outputs, made)
    else:
        for name, content in made.items():
            files.write(stage.folder / name, content)
        for path in stage.written():
            if path.name not in made:
                path.unlink()


def _say_what_is_current(stages: list[Stage], stale: Iterable[Stage]) -> None:
    kinds = dict.fromkeys(stage.kind for stage in stages)
    for kind in kinds:
        match [stage.name for stage in stages if stage.kind == kind and stage not in stale]:
            case [name]:
                print(f"{name}: up to date")
            case [_, *_] as several:
                print(f"{len(several)} {kind}s: up to date")
