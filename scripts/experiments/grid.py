"""All runs, by the question that they answer."""

from __future__ import annotations

from dataclasses import replace

from scripts.experiments.encodings import FITTED_BASE
from scripts.experiments.runs import Encoding, Run, Scaling, Task, Tuning

MANY, FEW = range(10), range(3)  # seeds
SHORT = 600  # steps of the tasks that are learned sooner, and of the deeper models
BASES = {100.0: "-100", 10_000.0: "", FITTED_BASE: "-fitted"}
ENCODINGS: tuple[Encoding, ...] = ("none", "sinusoidal", "learned", "rope", "alibi", "t5")
SCALINGS: tuple[Scaling, ...] = ("trained", "linear", "ntk", "parts")
STRETCHED = (64, 128, 256)
FURTHEST_START = 96  # with it, training reaches all positions of a text of 128


def _run(encoding: Encoding, task: Task = "look_back", **options: object) -> Run:
    return replace(Run(task, encoding, seed=0), **options)  # type: ignore[arg-type]


def _seeded(runs: list[Run], seeds: range = FEW) -> list[Run]:
    return [replace(run, seed=seed) for run in runs for seed in seeds]


COMPARED = _seeded([_run(encoding) for encoding in ENCODINGS], MANY)
LENGTHS = [
    *COMPARED,
    *_seeded(
        [
            _run("none", layers=2),
            _run("none", causal=False),
            *(_run("sinusoidal", base=base) for base in BASES if BASES[base]),
        ]
    ),
]
TUNINGS = _seeded(
    [_run("rope", tuning=Tuning(scaling, length)) for length in STRETCHED for scaling in SCALINGS],
)
DEPTHS = _seeded(
    [
        *(_run(encoding, layers=2, steps=SHORT) for encoding in ("sinusoidal", "rope", "alibi")),
        *(_run(encoding, layers=4, steps=SHORT) for encoding in ("none", "sinusoidal")),
        _run("sinusoidal", layers=4, steps=SHORT, residual=False),
        _run("none", layers=4, steps=0),
        _run("sinusoidal", layers=4, steps=0),
    ]
)
STARTS = _seeded([_run("sinusoidal", base=base, start=FURTHEST_START) for base in BASES])
UNSCALED = _seeded([_run("sinusoidal", scaled=False), _run("rope", scaled=False)])
TASKS = _seeded(
    [
        *(_run(encoding, "first", causal=False, steps=SHORT) for encoding in ENCODINGS),
        *(_run(encoding, "reverse", steps=SHORT) for encoding in ENCODINGS),
        _run("rope", "reverse", layers=2, steps=SHORT),
        *(_run(encoding, "copy", steps=SHORT) for encoding in ("sinusoidal", "rope")),
        *(
            _run(encoding, "count", causal=False, steps=SHORT)
            for encoding in ("none", "sinusoidal", "rope")
        ),
    ]
)
SMALL = [_run("rope", steps=100)]  # a test trains it again
DESK = _run("rope", seed=9)  # of ten seeds, the one with the fewest right answers at length 256

ALL = list(dict.fromkeys([*SMALL, DESK, *LENGTHS, *TUNINGS, *STARTS, *UNSCALED, *DEPTHS, *TASKS]))

# The models that the page loads, by the names of their files.
LIVE: dict[str, Run] = {
    "none": _run("none"),
    "none-2-layers": _run("none", layers=2),
    "sinusoidal": _run("sinusoidal"),
    "learned": _run("learned"),
    "rope": _run("rope"),
    "alibi": _run("alibi"),
    "t5": _run("t5"),
}


def name(run: Run) -> str:
    """A short name of the options, without task and seed: sinusoidal-100, none-2-layers."""
    marks = [
        run.encoding + BASES[run.base],
        *([f"{run.layers}-layers"] if run.layers > 1 else []),
        *(["no-mask"] if run.task == "look_back" and not run.causal else []),
        *(["no-residual"] if not run.residual else []),
        *(["unscaled"] if not run.scaled else []),
        *(["random-start"] if run.start else []),
        *(["untrained"] if not run.steps else []),
        *([run.tuning.scaling, str(run.tuning.length)] if run.tuning else []),
    ]
    return "-".join(marks)
