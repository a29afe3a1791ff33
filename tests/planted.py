"""Plants each error of tests/data/planted/ in a copy of the project, and runs its check.

`python -m tests.planted` plants all, four at a time, each in a separate copy; `--only 7 30-40
posenc` those with these numbers, or with the word in their kind or their file; `--sample 40` forty
of them, which `--seed` chooses. A run ends with code 1 if an error is missed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scripts.files import ROOT
from scripts.pages import repository

LISTS = ROOT / "tests" / "data" / "planted"
_PYTEST = ("pytest", "-x", "-p", "no:cacheprovider", "-q", "--tb=line", "-n0")
COMMANDS = {  # the first word of a check, and what it runs
    "build": (sys.executable, "-m", "scripts.build"),
    "mypy": (sys.executable, "-m", "mypy"),
    "ruff": (sys.executable, "-m", "ruff", "check"),
    "tsc": ("node", "node_modules/typescript/bin/tsc", "--project", "jsconfig.json"),
    "pytest": (sys.executable, "-m", *_PYTEST),
}
# A check that finds an error ends with 1, or tsc with 2. Other codes say that it could not run.
RED = {tool: {1, 2} if tool == "tsc" else {1} for tool in COMMANDS}
NOT_COPIED = shutil.ignore_patterns(
    *(".git", ".venv", "node_modules", ".*_cache", ".hypothesis", ".benchmarks"),
    *("html", "lighthouse", "lowest", "training"),  # in .build
)


@dataclass(frozen=True)
class Planted:
    """An error: `old` becomes `new`, and `check` is red; or `beyond` says why no check is."""

    kind: str
    what: str
    file: str
    old: str
    new: str
    check: str = ""
    beyond: str = ""
    build: bool = False  # the check reads what the build makes
    also: Sequence[dict[str, str]] = ()  # `file`, `old` and `new` of further places

    @property
    def changes(self) -> list[tuple[str, str, str]]:
        """File, old and new text of each place; tests/test_planted.py checks them."""
        more = [(place["file"], place["old"], place["new"]) for place in self.also]
        return [(self.file, self.old, self.new), *more]


@cache
def numbered() -> dict[int, Planted]:
    """All errors, list by list, counted from 1."""
    lists = [tomllib.loads(path.read_text("utf-8")) for path in sorted(LISTS.glob("*.toml"))]
    return dict(enumerate((Planted(**row) for rows in lists for row in rows["error"]), 1))


def project(target: Path) -> Path:
    """A built copy of the project, with git's list of its files, in the new folder `target`."""
    shutil.copytree(ROOT, target, ignore=NOT_COPIED, symlinks=True)
    for name in (".venv", "node_modules"):
        if (ROOT / name).exists():
            (target / name).symlink_to((ROOT / name).resolve())
    subprocess.run(["git", "init", "--quiet"], cwd=target, check=True)
    (target / ".git" / "info" / "exclude").write_text(".venv\nnode_modules\n")
    subprocess.run(["git", "add", "--all"], cwd=target, check=True)
    return target


def run(check: str, root: Path, **known: str) -> subprocess.CompletedProcess[str]:
    """The check, or several of one kind at once, in the project at `root`."""
    tool, *arguments = shlex.split(check)
    known = known or {"THOROUGH": "1"}
    environment = os.environ | {"REPO_URL": repository.address(), "NO_COLOR": "1"} | known
    return subprocess.run(
        [*COMMANDS[tool], *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def reason(done: subprocess.CompletedProcess[str]) -> str:
    """The line of a failed check that explains it best."""
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    told = re.compile(r"(error: |FAILED |\S+: error)")
    telling = [line for line in lines if told.match(line)]
    return " ".join((telling or lines or ["no output"])[-1].split())[:150]


def verdict(
    changes: Sequence[tuple[str, str, str]],
    checks: Iterable[str],
    clean: Path,
    *,
    strict: bool = True,
    **known: str,
) -> tuple[bool, str]:
    """Whether a check of a copy of `clean` with the changes is red, and what to say of it.

    Strictly, a check that could not run has not found the error. Otherwise only 5 is no failure:
    then pytest found no test.
    """
    start, green = time.perf_counter(), {0} if strict else {0, 5}
    with tempfile.TemporaryDirectory(dir=clean.parent) as folder:
        root = shutil.copytree(clean, Path(folder) / "project", symlinks=True)
        for file, old, new in changes:
            text = (root / file).read_text("utf-8")
            (root / file).write_text(text.replace(old, new), "utf-8")
        for check in checks:
            done = run(check, root, **known)
            if done.returncode not in green:
                red = not strict or done.returncode in RED[check.partition(" ")[0]]
                said = "caught" if red else f"MISSED with code {done.returncode}"
                said += f" by {check[:60]}: {reason(done)}"
                break
        else:
            said = "MISSED: every check is green"
    return said.startswith("caught"), f"{said} ({time.perf_counter() - start:.0f} s)"


def not_green(errors: Iterable[Planted], clean: Path) -> Iterator[str]:
    """The checks that are red without any error: they would prove nothing."""
    checks = {error.check for error in errors if error.check} | {"build"}
    alone = {check for check in checks if not check.startswith("pytest ") or " -k " in check}
    tests = " ".join(["pytest", *sorted(check[7:] for check in checks - alone)])
    for check in [*sorted(alone), *[tests] * (tests != "pytest")]:
        done = run(check, clean)
        if done.returncode:
            yield f"{check[:60]} is red without an error: {reason(done)}"


def chosen(words: Sequence[str], size: int, seed: int) -> dict[int, Planted]:
    """`size` of the errors with these numbers or words, or of all; their order stays."""

    def meant(number: int, word: str) -> bool:
        first, _, last = word.partition("-")
        if first.isdigit():
            return int(first) <= number <= int(last or first)
        return word in errors[number].kind or word in errors[number].file

    errors = numbered()
    found = [n for n in errors if not words or any(meant(n, word) for word in words)]
    kept = random.Random(seed).sample(found, min(size, len(found)))
    return {number: errors[number] for number in sorted(kept)}


def main(errors: dict[int, Planted], jobs: int) -> int:
    """Plant the errors, `jobs` at a time; 1 if one of them is missed."""
    tried = {number: error for number, error in errors.items() if error.check}
    with tempfile.TemporaryDirectory(prefix="planted-") as folder, ThreadPoolExecutor(jobs) as pool:
        clean = project(Path(folder) / "clean")
        red = list(not_green(tried.values(), clean))
        print("\n".join(red), end="\n" * bool(red), flush=True)
        verdicts = pool.map(
            lambda one: verdict(one.changes, [*["build"] * one.build, one.check], clean),
            tried.values(),
        )
        missed = 0
        for (number, error), (caught, said) in zip(tried.items(), verdicts, strict=True):
            missed += not caught
            print(f"{number:3} {error.kind}: {error.what}\n      {said}", flush=True)
    beyond = f"{len(errors) - len(tried)} beyond any check"
    print(f"{len(errors)} errors: {len(tried) - missed} caught, {missed} missed, {beyond}")
    return int(bool(missed or red))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=(), metavar="WORD")
    parser.add_argument("--sample", type=int, default=sys.maxsize, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    sys.exit(main(chosen(options.only, options.sample, options.seed), options.jobs))
