"""Which functions each test runs, found with Python's profiler in a copy without mutants."""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.mutation import copies

Function = tuple[str, int]  # a file, and the first line of a function in it; 0 for the module
OF_MODULES = (  # tests that look at constants and classes, and call no function of their module
    "tests/test_values.py::",
    "tests/test_which_encoding_answers.py::test_the_page_has_pythons_limits",
)
AGAINST_THE_LAST_BUILD = (  # after a build with the mutant, these would see it on both sides
    "tests/test_cards.py::test_a_card_made_again_has_the_same_bytes",
    "tests/test_embed.py::test_embed_pages_made_again_have_the_same_bytes",
)


@dataclass(frozen=True)
class Reach:
    """The tests of a file: their processor seconds, what they run, and which fail in the copy."""

    check: str
    tests: dict[str, float]
    functions: dict[Function, list[str]]
    failing: list[str]

    def tests_of(self, file: str, first_line: int) -> dict[str, float]:
        """The tests that run this function and pass without a mutant, with their seconds."""
        if self.check in copies.WHOLE:
            return self.tests if file.startswith("scripts/") and not self.failing else {}
        found = self.functions.get((file, first_line), [])
        if not first_line:  # a constant, for example: prefer tests that run the functions
            running = [
                tests for place, tests in self.functions.items() if place[0] == file and place[1]
            ]
            found = [
                *([test for tests in running for test in tests] or found),
                *(test for test in self.tests if test.startswith(OF_MODULES)),
            ]
        return {
            test: self.tests[test]
            for test in found
            if test not in self.failing and not test.startswith(AGAINST_THE_LAST_BUILD)
        }


class Tracer:
    """Notes, for each test, the functions of the project that run, and writes this in `target`.

    A fixture of a wider scope, or a function with a cache, may run for one test and serve all: the
    functions that run in it count for all tests of the file.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.shared: dict[int, object] = {}
        self.codes: dict[str, dict[int, object]] = {}
        self.current = self.shared
        self.cached: set[int] = set()
        self.inside = 1  # until all tests are imported
        self.failing: list[str] = []
        self.seconds: dict[str, float] = {}
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame, event, _) -> None:
        code = frame.f_code
        if event == "call":
            if id(code) in self.cached:
                self.inside += 1
            (self.shared if self.inside else self.current).setdefault(id(code), code)
        elif event == "return" and id(code) in self.cached:
            self.inside -= 1

    def pytest_collection_finish(self) -> None:
        """Find the functions with caches, now that all modules are there."""
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in copies.OURS:
                for one in vars(module).values():
                    if hasattr(one, "cache_info"):
                        self.cached.add(id(one.__wrapped__.__code__))
        self.inside = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        """See the functions of a fixture of a wider scope as those of all tests."""
        wide = fixturedef.scope != "function"
        self.inside += wide
        try:
            return (yield)
        finally:
            self.inside -= wide

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        """Measure a test."""
        self.current = self.codes.setdefault(item.nodeid, {})
        before = sum(os.times()[:4])
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = sum(os.times()[:4]) - before
            self.current = self.shared

    def pytest_runtest_logreport(self, report) -> None:
        """Note a test that fails."""
        if report.failed:
            self.failing.append(report.nodeid)

    def pytest_unconfigure(self) -> None:
        """Write the notes."""
        sys.setprofile(None)
        root = Path.cwd()
        places: dict[str, list[str]] = {}
        for test in self.codes:
            for place in _places({**self.shared, **self.codes[test]}.values(), root):
                places.setdefault(place, []).append(test)
        notes = {"tests": self.seconds, "functions": places, "failing": self.failing}
        self.target.write_text(json.dumps(notes), "utf-8")


def _places(codes, root: Path) -> set[str]:
    """The functions of the project among `codes`."""
    found = set()
    for code in codes:
        if code.co_filename.startswith(f"{root}/"):
            line = 0 if code.co_name == "<module>" else code.co_firstlineno
            found.add(f"{code.co_filename.removeprefix(f'{root}/')}:{line}")
    return found


def reach(root: Path, check: str) -> dict[str, Any]:
    """Run a test file in the copy at `root`, and say what it reaches."""
    if check in copies.WHOLE:
        before = sum(os.times()[:4])
        failing = [check] if copies.failing(root, [check]) else []
        seconds = sum(os.times()[:4]) - before
        return {"check": check, "tests": {check: seconds}, "functions": {}, "failing": failing}
    target = root.with_name(f"{root.name}.reach.json")
    target.write_text('{"tests": {}, "functions": {}, "failing": []}', "utf-8")
    copies.failing(root, [check], tracer=lambda: Tracer(target))
    return {"check": check, **json.loads(target.read_text("utf-8"))}


def read(notes: dict) -> Reach:
    """The reach of a test file, from what `reach` has noted."""
    functions = {}
    for place, tests in notes["functions"].items():
        file, _, line = place.rpartition(":")
        functions[file, int(line)] = tests
    return Reach(notes["check"], notes["tests"], functions, notes["failing"])
