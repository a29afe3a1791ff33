"""Runs the tests that the changed files can break, the nearest first, for about 20 seconds.

`python -m tests.changed` looks at what git has not committed, `--since main` at all that differs
from that branch. It finds tests by names:

- of a changed function: tests that mention it, or a name that mentions it, module by module;
- of a page or a figure: tests with its name in their parameters or in their file;
- of a script of the site: the tests of the pages that load it;
- of any other file: the tests whose file mentions it.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from scripts.build import imports
from scripts.files import ROOT

SECONDS = 12  # after these no test starts
NEAREST = 20  # files of tests; more take too long to import
CHOSEN = "CHOSEN_TESTS"  # in the environment: by file, words of which a test's name must have one
OF_BUILDS = {"test_build.py", "test_stages.py"}  # too slow
TESTS = [p for p in sorted((ROOT / "tests").glob("test_*.py")) if p.name not in OF_BUILDS]
FOLDERS = [ROOT / name for name in ("posenc", "scripts", "tests")]
MODULES = {path for folder in FOLDERS for path in folder.rglob("*.py")} - {*TESTS}
ASSETS = ROOT / "docs" / "assets"
OF_PAGES, OF_FIGURES = r"page_text\.(?:names|pages)", r"figure_drawings|figures\.names"

text = cache(Path.read_text)


@cache
def statements(path: Path) -> list[tuple[set[str], str, range]]:
    """What each statement at the top of a module defines, its code, and its lines."""
    lines, found = text(path, "utf-8").splitlines(), []
    for node in ast.parse(text(path, "utf-8")).body:
        first = min(one.lineno for one in [node, *getattr(node, "decorator_list", [])])
        code = "\n".join(lines[first - 1 : node.end_lineno])
        targets = getattr(node, "targets", [getattr(node, "target", node)])
        names = {one.id for top in targets for one in ast.walk(top) if isinstance(one, ast.Name)}
        names = {node.name} if hasattr(node, "name") else names
        if not isinstance(node, ast.Import | ast.ImportFrom):
            found.append((names, code, range(first, node.end_lineno + 1)))
    return found


def mentioning(path: Path, pattern: str) -> set[str]:
    """The names at the top of a module whose code has the pattern, or another of these names."""
    found: set[str] = set()
    while True:
        wanted = re.compile("|".join([pattern, *([words(found)] if found else [])]))
        hits = (names for names, code, _ in statements(path) if wanted.search(code))
        before, found = found, found.union(*hits)
        if found == before:
            return found


def words(names: Iterable[str]) -> str:
    """A pattern that finds any of the words."""
    return rf"\b(?:{'|'.join(map(re.escape, names))})\b"


def tests_in(path: Path, pattern: str) -> tuple[Path, set[str]]:
    """The test file, and its tests that have the pattern."""
    return path, {name for name in mentioning(path, pattern) if name.startswith("test_")}


def changed_names(path: Path, since: str) -> set[str]:
    """The names at the top of a module in whose lines something has changed."""
    shown = git("diff", "-U0", since, "--", str(path))
    places = re.findall(r"^@@ .*\+(\d+)(?:,(\d+))? @@", shown, re.M)
    lines = {int(first) + k for first, count in places for k in range(int(count or 1) or 1)}
    spans = ((names, span) for names, _, span in statements(path))
    return set().union(*(names for names, span in spans if not shown or lines & set(span)))


def of_module(path: Path, names: set[str]) -> Iterator[tuple[Path, set[str]]]:
    """Test files and their tests that mention `names`, then those of modules that mention them."""
    level, seen = {path: names}, set()
    while level:
        level = {one: mentioning(one, words(some)) | some for one, some in level.items()}
        for one, some in level.items():
            packages = {p for p in MODULES if p.stem == "__init__" and one in imports.imported(p)}
            near = (test for test in TESTS if imports.imported(test) & {one, *packages})
            found = (tests_in(test, words(some)) for test in near)
            yield from sorted(found, key=lambda pair: -len(pair[1]))
        seen |= {(one, name) for one, some in level.items() for name in some}
        every = words(set().union(*level.values()))
        above = (p for p in MODULES if p.stem != "__init__" and imports.imported(p) & level.keys())
        fresh = {p: {n for n in mentioning(p, every) if (p, n) not in seen} for p in above}
        level = {one: names for one, names in fresh.items() if names}


def pages_with(path: Path) -> Iterator[str]:
    """The names of the pages that load a script of docs/assets/ or the stylesheet beside it."""
    level, seen = {path.with_suffix(".js")}, set()
    while level:
        seen |= level
        level = {p for p in ASSETS.rglob("*.js") if level & set(loaded_by(p))} - seen
    names = {one.relative_to(ASSETS).with_suffix("").as_posix() for one in seen}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if names & set(re.findall(r'data-live="([^"]+)"', text(page, "utf-8"))):
            yield page.stem


def loaded_by(path: Path) -> list[Path]:
    """The scripts that a script of docs/assets/ loads."""
    found = re.findall(r"""["'`](\.[\w./-]+\.js)["'`]""", text(path, "utf-8"))
    return [Path(os.path.normpath(path.parent / one)) for one in found]


def choice(path: Path, since: str) -> Iterator[tuple[Path, set[str]]]:
    """Test files, and words of which the name of a test must have one, for a changed file."""
    name = path.relative_to(ROOT).as_posix()
    of_figure = name.startswith(("scripts/figures/", "tests/figure_oracles/"))
    if name.startswith("posenc/"):
        yield path, {"posenc"}  # its doctests
    if path.suffix == ".py" and not of_figure:
        whole = [(path, {"test_"})]
        yield from whole if path in TESTS else of_module(path, changed_names(path, since))
        return
    own = [path.stem if of_figure else path.name]
    if path.parent.name == "figure_oracles":
        own = sorted(changed_names(path, since)) or own
    if name.startswith("docs/"):
        pages = pages_with(path) if ASSETS in path.parents else [path.stem]
        own += [f"{page}/index.html".replace("index/", "") for page in pages]
    yield from (tests_in(one, rf'["/]{words(own)}') for one in TESTS)
    if of_figure or len(own) > 1:
        wanted = re.compile(OF_FIGURES if of_figure else OF_PAGES)
        site = [one for one in TESTS if wanted.search(text(one, "utf-8"))]
        site.sort(key=lambda one: "mark.browser" in text(one, "utf-8"))
        parameters = {f"{before}{word}" for before in "[-" for word in own}
        yield from ((one, parameters) for one in site)


def git(*words: str) -> str:
    """What git says."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, stdout=-1, text=True).stdout


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep the chosen tests, in the order of their files."""
    result = yield
    chosen = json.loads(os.environ[CHOSEN])
    order = {file: place for place, file in enumerate(chosen)}
    items[:] = [one for one in items if any(word in one.name for word in chosen[one.path.name])]
    items.sort(key=lambda one: order[one.path.name])
    return result


def pytest_runtest_setup(item):
    """Leave out what is too late."""
    first = vars(item.session).setdefault("started", time.monotonic())
    if time.monotonic() > first + SECONDS:
        pytest.skip("its time is over; `make test` runs it")


def main(paths: Iterable[Path], since: str) -> int:
    """Run the tests for these files, and return pytest's exit code."""
    found: dict[Path, set[str]] = {}
    for test, some in chain.from_iterable(choice(path, since) for path in paths):
        if some:
            found.setdefault(test, set()).update(some)
    files = list(found)[:NEAREST]
    print(f"{len(found)} files of tests mention what has changed; {len(files)} run")
    os.environ[CHOSEN] = json.dumps({one.name: sorted(found[one]) for one in files})
    arguments = ["-p", "tests.changed", "-p", "no:cacheprovider", *map(str, files)]
    code = pytest.main(arguments) if files else pytest.ExitCode.OK
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.changed", description=__doc__)
    parser.add_argument("--since", default="HEAD", help="a commit or a branch (HEAD)")
    since = parser.parse_args().since
    listed = git("diff", "--name-only", "--diff-filter=d", since)
    listed += git("ls-files", "--others", "--exclude-standard")
    sys.exit(main([ROOT / line for line in listed.splitlines()], since))
