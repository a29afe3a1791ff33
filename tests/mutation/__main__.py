"""Plants small errors in the code, one at a time, and counts those that a check notices.

`python -m tests.mutation` takes a sample with a fixed seed; `--within posenc/grids.py` plants
errors only below that path. The tests near an error run first, then all others except those in a
browser, then a build with the tests of its site, and at last mypy. It ends with code 1 if they
notice fewer than 95 of 100.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.files import ROOT, relative
from tests import changed, planted
from tests.mutation.operators import Mutant, mutants

PARTS = {
    "posenc": ("posenc",),
    "machinery": ("scripts/numbers", "scripts/render", "scripts/pages", "scripts/build"),
}
SIZES = {"posenc": 300, "machinery": 200}  # of the sample of each
AT_LEAST = 0.95
NEAREST = 60  # tests
LIMITS = {resource.RLIMIT_CPU: 1800, resource.RLIMIT_AS: 2**33}  # seconds and bytes
# They compare with the last build, which `make test` makes with the error, or with the code.
PYTEST = (
    "pytest -m 'not browser and not torch' --deselect=tests/test_planted.py "
    "--deselect=tests/test_twins.py::test_a_twin_made_again_has_the_same_bytes "
)


def sample(part: str, within: str, size: int, seed: int) -> list[tuple[str, Mutant]]:
    """Mutants of the files of a part, in the seed's order: a smaller sample is its beginning."""
    paths = (path for folder in PARTS[part] for path in (ROOT / folder).rglob("*.py"))
    files = (name for path in paths if (name := relative(path)).startswith(within))
    found = [(file, one) for file in sorted(files) for one in mutants((ROOT / file).read_bytes())]
    random.Random(seed).shuffle(found)
    return found[:size]


def checks(file: str, mutant: Mutant) -> Iterator[str]:
    """Commands, each of which may notice the mutant, the quickest first."""
    around = [names for names, _, at in changed.statements(ROOT / file) if mutant.line in at]
    near = changed.of_module(ROOT / file, set().union(*around)) if any(around) else ()
    tests = [f"tests/{path.name}::{test}" for path, some in near for test in sorted(some)]
    if tests:
        yield PYTEST + " ".join(tests[:NEAREST])
    yield PYTEST + "--ignore=tests/test_build.py --ignore=tests/test_stages.py"
    if file.startswith("scripts/"):
        yield "build"
        yield PYTEST
    yield "mypy"


def verdict(file: str, mutant: Mutant, clean: Path) -> tuple[bool, str]:
    """Whether a check notices the mutant, and what to say of it."""
    source = (ROOT / file).read_bytes()
    change = (file, source.decode(), mutant.plant(source).decode())
    return planted.verdict([change], checks(file, mutant), clean, strict=False, ALL_EXAMPLES="1")


def main(options: argparse.Namespace) -> int:
    """Plant the mutants, and return 1 if the checks notice too few."""
    for limit, most in LIMITS.items():
        resource.setrlimit(limit, (most, most))
    low = False
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        clean = planted.project(Path(folder) / "clean")
        for part, usual in SIZES.items():
            size = getattr(options, part)
            size = (sys.maxsize if options.within else usual) if size is None else size
            some, noticed = sample(part, options.within, size, options.seed), 0
            for (file, mutant), (caught, said) in zip(
                some, pool.map(lambda one: verdict(*one, clean), some), strict=True
            ):
                noticed += caught
                place = f"{file}:{mutant.line} {mutant.old!r} -> {mutant.new!r}"
                print(f"{place}\n      {said}", flush=True)
            if some:
                low |= noticed < AT_LEAST * len(some)
                print(f"{part}: {len(some)} mutants, {noticed} noticed ({noticed / len(some):.1%})")
    return int(low)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--posenc", type=int, help="mutants of the package (300)")
    parser.add_argument("--machinery", type=int, help="mutants of four folders (200)")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--within", default="", help="all below this path, or as many as said")
    parser.add_argument("--jobs", type=int, default=2)
    sys.exit(main(parser.parse_args()))
