"""Plants small errors in the code, one at a time, and counts those that a check notices.

`python -m tests.mutation` takes a sample with a fixed seed; `--within posenc/grids.py` plants
errors only below that path. The tests near an error run first, then all others except those in a
browser, then a build with the tests of its site, and at last mypy. It ends with code 1 if they
notice fewer than 95 of 100.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.files import ROOT, WORK, relative
from tests import changed, planted
from tests.mutation.operators import Mutant, mutants

PARTS = {
    "posenc": ("posenc",),
    "machinery": ("scripts/numbers", "scripts/render", "scripts/pages", "scripts/build"),
}
SIZES = {"posenc": 300, "machinery": 200}  # of the sample of each
FOLDER = WORK / "mutants"
AT_LEAST = 0.95
NEAREST = 60  # tests
LIMITED = ("bash", "-c", 'ulimit -t 1800 -v 8388608; exec "$@"', "_")  # seconds and kB
BUILDS = ("tests/test_build.py", "tests/test_stages.py")
OTHERS = {"test_planted.py"}  # it only reads the code
PYTEST = (
    *("-x", "-p", "no:cacheprovider", "-q", "--tb=no", "-m", "not browser and not torch"),
    # It compares with the last build, which `make test` makes with the error.
    "--deselect=tests/test_twins.py::test_a_twin_made_again_has_the_same_bytes",
)


def sample(part: str, within: str, size: int, seed: int) -> list[tuple[str, Mutant]]:
    """Mutants of the files of a part, in the seed's order: a smaller sample is its beginning."""
    paths = (path for folder in PARTS[part] for path in (ROOT / folder).rglob("*.py"))
    files = (name for path in paths if (name := relative(path)).startswith(within))
    found = [(file, one) for file in sorted(files) for one in mutants((ROOT / file).read_bytes())]
    random.Random(seed).shuffle(found)
    return found[:size]


def nearest(file: str, mutant: Mutant) -> list[str]:
    """The tests that mention the mutant's function, or what mentions it, the nearest first."""
    path = ROOT / file
    around = [names for names, _, lines in changed.statements(path) if mutant.line in lines]
    found = []
    for test, some in changed.of_module(path, set().union(*around)) if any(around) else ():
        found += [f"tests/{test.name}::{one}" for one in sorted(some) if test.name not in OTHERS]
    return found[:NEAREST]


def steps(file: str, mutant: Mutant, tests: str) -> Iterator[list[str]]:
    """Commands, each of which may notice the mutant, the quickest first."""
    pytest = [sys.executable, "-m", "pytest", *PYTEST]
    if near := [test for test in nearest(file, mutant) if tests in test]:
        yield [*pytest, *near]
    files = sorted({path.name for path in (ROOT / "tests").glob("test_*.py")} - OTHERS)
    rest = [f"tests/{one}" for one in files if tests in one and f"tests/{one}" not in BUILDS]
    yield [*pytest, *rest, *([] if tests else ["posenc"])]  # posenc has doctests
    if not tests and file.startswith("scripts/"):
        yield [sys.executable, "-m", "scripts.build"]
        yield [*pytest, *rest, *BUILDS]
    yield [sys.executable, "-m", "mypy"]


def survives(root: Path, file: str, mutant: Mutant, tests: str) -> tuple[bool, str]:
    """Whether all checks pass in a copy with the mutant; if not, the one that does not."""
    path, source = root / file, (ROOT / file).read_bytes()
    path.write_bytes(mutant.plant(source))
    built = False
    try:
        for command in steps(file, mutant, tests):
            built |= command[2] == "scripts.build"
            if noticed := fault(command, root):
                return False, noticed
    finally:
        path.write_bytes(source)
        if built:
            subprocess.run([sys.executable, "-m", "scripts.build"], cwd=root, check=True)
    return True, "nothing"


def fault(command: list[str], root: Path) -> str:
    """What the command complains of; an empty text if it passes or has nothing to run."""
    known = {"ALL_EXAMPLES": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment, limited = {**os.environ, **known}, [*LIMITED, *command]
    done = subprocess.run(
        limited, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    return f"{command[2]}: {planted.reason(done)}" if done.returncode not in (0, 5) else ""


def main(options: argparse.Namespace) -> int:
    """Plant the mutants, and return 1 if the checks notice too few."""
    copies: queue.Queue[Path] = queue.Queue()
    shutil.rmtree(FOLDER, ignore_errors=True)
    for number in range(options.jobs):
        copies.put(planted.project(FOLDER / f"copy-{number}"))

    def tried(file: str, mutant: Mutant) -> tuple[bool, str]:
        root = copies.get()
        try:
            return survives(root, file, mutant, options.tests)
        finally:
            copies.put(root)

    low = False
    with ThreadPoolExecutor(options.jobs) as pool:
        for part, usual in SIZES.items():
            size = getattr(options, part)
            size = (sys.maxsize if options.within else usual) if size is None else size
            some, killed = sample(part, options.within, size, options.seed), 0
            verdicts = pool.map(lambda one: tried(*one), some)
            for (file, mutant), (alive, by) in zip(some, verdicts, strict=True):
                killed += not alive
                place = f"{file}:{mutant.line} {mutant.old!r} -> {mutant.new!r}"
                print(f"{'MISSED' if alive else 'killed'} {place} by {by}", flush=True)
            if some:
                low |= killed < AT_LEAST * len(some)
                print(f"{part}: {len(some)} mutants, {killed} killed ({killed / len(some):.1%})")
    return int(low)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--posenc", type=int, help="mutants of the package (300)")
    parser.add_argument("--machinery", type=int, help="mutants of four folders (200)")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--within", default="", help="all below this path, or as many as said")
    parser.add_argument("--tests", default="", help="only files of tests with this in their name")
    parser.add_argument("--jobs", type=int, default=2)
    sys.exit(main(parser.parse_args()))
