"""Plants small errors in the code, one at a time, and counts those that a check notices.

The checks are the tests, except those in a browser, and at last mypy, as in `make check`.

`python -m tests.mutation` takes a sample with a fixed seed; `--within posenc/grids.py` plants
errors only below that path. It ends with code 1 if the tests miss an error that is not in
tests/data/mutation/survivors.toml, or notice fewer than 95 of 100.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import re
import shutil
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from operator import itemgetter
from typing import Any, NamedTuple

from scripts import files
from scripts.files import ROOT, WORK
from tests.mutation import copies
from tests.mutation.operators import Mutant, mutants
from tests.mutation.reach import Reach, reach, read

PARTS = {
    "posenc": ("posenc",),
    "machinery": ("scripts/numbers", "scripts/render", "scripts/pages", "scripts/build"),
}
SIZES = {"posenc": 300, "machinery": 200}  # of a sample
KNOWN = ROOT / "tests" / "data" / "mutation" / "survivors.toml"
FOLDER = WORK / "mutants"
AT_LEAST = 0.95


class Plan(NamedTuple):
    """A test file, and the processor seconds of those of its tests that can notice a mutant."""

    check: str
    tests: dict[str, float]


def modules(part: str) -> list[str]:
    """The files of a part, as paths below the root."""
    folders = [ROOT / folder for folder in PARTS[part]]
    found = (path for folder in folders for path in folder.rglob("*.py"))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def sample(files: Iterable[str], *, size: int, seed: int) -> list[tuple[str, Mutant]]:
    """Mutants of the files, in the seed's order: a smaller sample is its beginning."""
    found = [(file, mutant) for file in files for mutant in mutants((ROOT / file).read_bytes())]
    random.Random(seed).shuffle(found)
    return found[:size]


def name(file: str, mutant: Mutant) -> dict[str, str]:
    """The entries that identify a mutant among the survivors, without its line: edits move it."""
    place = f"{file}:{mutant.function}" if mutant.function else file
    was, becomes = mutant.lines((ROOT / file).read_bytes())
    return {"place": place, "was": was, "becomes": becomes}


def plan(file: str, mutant: Mutant, found: list[Reach]) -> list[Plan]:
    """The test files that can notice the mutant, the fastest first."""
    plans = [Plan(one.check, one.tests_of(file, mutant.first_line)) for one in found]
    return sorted((one for one in plans if one.tests), key=lambda one: sum(one.tests.values()))


def survives(file: str, mutant: Mutant, plans: list[Plan]) -> tuple[bool, str]:
    """Whether all these tests pass with the mutant; if not, the file in which one fails."""
    root, noticed = _worker
    path = root / file
    source, times = path.read_bytes(), path.stat()
    path.write_bytes(mutant.plant(source))
    try:
        for some in in_steps(sorted(plans, key=lambda one: -noticed[file, one.check])):
            tests = sorted((test for one in some for test in one.tests.items()), key=itemgetter(1))
            failing = copies.failing(
                root,
                [one.check for one in some],
                tests=[test for test, _ in tests],
                cpu=4 * sum(seconds for _, seconds in tests) + 20,
            )
            if failing:
                noticed[file, failing.partition("::")[0]] += 1
                return False, failing
        if copies.has_wrong_types(root):
            return False, "mypy"
    finally:
        path.write_bytes(source)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return True, f"{sum(len(one.tests) for one in plans)} tests"


def in_steps(plans: list[Plan]) -> Iterator[list[Plan]]:
    """First the file most likely to notice the mutant, then the others, then those with builds."""
    quick = [one for one in plans if one.check not in copies.WHOLE]
    yield from filter(None, (quick[:1], quick[1:]))
    yield from ([one] for one in plans if one.check in copies.WHOLE)


def start(numbers: multiprocessing.Queue) -> None:
    """Give the worker a copy of the project, and import the libraries."""
    global _worker
    _worker = FOLDER / f"copy-{numbers.get()}", Counter()
    copies.prepare()


def reached(pool: ProcessPoolExecutor, pattern: str) -> list[Reach]:
    """The functions that each test file runs. A test that fails without a mutant does not count."""
    files = sorted(path.name for path in (ROOT / "tests").glob("test_*.py"))
    checks = ["posenc", *(f"tests/{file}" for file in files), copies.SITE]  # posenc has doctests
    return [read(one) for one in pool.map(_reach, filter(re.compile(pattern).search, checks))]


def _reach(check: str) -> dict[str, Any]:
    note = FOLDER / "reach" / f"{check.replace('/', '.')}.json"
    if not note.is_file():
        print(f"which functions run: {check}", flush=True)
        note.parent.mkdir(exist_ok=True)
        files.write(note, json.dumps(reach(_worker[0], check)).encode())
    return json.loads(note.read_text("utf-8"))


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--posenc", type=int, help="mutants of the package (300)")
    parser.add_argument("--machinery", type=int, help="mutants of four folders (200)")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument(
        "--within", default="", help="only below this path: all, or as many as said"
    )
    parser.add_argument("--tests", default="", help="only files of tests that this pattern finds")
    parser.add_argument("--again", action="store_true", help="with the functions of the last run")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    files = [file for part in PARTS for file in modules(part)]
    usually = dict.fromkeys(PARTS, sys.maxsize) if options.within else SIZES
    planned = {
        part: sample(
            [file for file in modules(part) if file.startswith(options.within)],
            size=usual if getattr(options, part) is None else getattr(options, part),
            seed=options.seed,
        )
        for part, usual in usually.items()
    }
    if not options.again:
        shutil.rmtree(FOLDER / "reach", ignore_errors=True)
    numbers = multiprocessing.Queue()
    for number in range(options.jobs):
        root = FOLDER / f"copy-{number}"
        copies.copy(ROOT, root)
        for file in files:  # a test that fails because a module's bytes differ notices nothing
            (root / file).write_bytes((ROOT / file).read_bytes() + b"# No mutant.\n")
        numbers.put(number)
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(options.jobs, fork, start, (numbers,)) as pool:
        found = reached(pool, options.tests)
        for test in [test for one in found for test in one.failing]:
            print(f"fails without a mutant, and does not count: {test}")
            if test in copies.WHOLE:
                sys.exit("without this check the share would be too low: mend it first")
        missed, parts = [], defaultdict(Counter)
        for part, some in planned.items():
            jobs = [(*one, pool.submit(survives, *one, plan(*one, found))) for one in some]
            for file, mutant, job in jobs:
                alive, where = job.result()
                parts[part]["missed" if alive else "killed"] += 1
                print(
                    f"{'MISSED' if alive else 'killed'} {file}:{mutant.line} {mutant.function} "
                    f"{mutant.old!r} -> {mutant.new!r} by {where}",
                    flush=True,
                )
                if alive:
                    missed.append(name(file, mutant))
    return report(parts, missed)


def report(parts: dict[str, Counter[str]], missed: list[dict[str, str]]) -> int:
    """Print the counts and the survivors that nobody has explained."""
    known = tomllib.loads(KNOWN.read_text("utf-8")).get("survivor", [])
    named = [({key: one[key] for key in ("place", "was", "becomes")}, one) for one in known]
    fresh = [one for one in missed if one not in [entry for entry, _ in named]]
    equivalent = [entry for entry, one in named if one.get("equivalent")]
    for one in fresh:
        print(
            "[[survivor]]", *(f"{key} = {json.dumps(text)}" for key, text in one.items()), sep="\n"
        )
        print('reason = ""\n')
    low = False
    for part, counts in parts.items():
        share = counts["killed"] / max(1, counts.total())
        low |= share < AT_LEAST
        print(f"{part}: {counts.total()} mutants, {counts['killed']} killed ({share:.1%})")
        beyond = sum(one in equivalent and one["place"].startswith(PARTS[part]) for one in missed)
        others = counts["killed"] / max(1, counts.total() - beyond)
        print(
            f"{part}: {beyond} missed are listed as equivalent; {others:.1%} of the others killed"
        )
    print(f"{len(missed)} survivors, {len(fresh)} of them new")
    return int(bool(fresh) or low)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
