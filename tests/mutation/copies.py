"""A copy of the project, and the test files that run in it, each in a fork."""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

LIBRARIES = (
    *("numpy", "flint", "hypothesis", "lxml.html", "html5lib", "bs4", "yaml", "PIL.Image"),
    *("matplotlib.figure", "matplotlib.backends.backend_svg", "plotly.graph_objects", "markdown"),
    *("playwright.sync_api", "pytest_examples", "mkdocs.commands.build", "math_core", "rjsmin"),
    *("fontTools.subset", "pymdownx.arithmatex", "safetensors", "dask.array", "ml_dtypes"),
)
LINKED = (".git", ".venv", "node_modules")
NOT_COPIED = {*LINKED, "__pycache__", ".hypothesis", ".mypy_cache", "html", "training", "mutants"}
# A build with an error in it may change these.
MADE = ("site", ".build", "docs/figures", "docs/assets", "docs/dist", "docs/numbers.csv")
SITE = "the built site"  # stands for a build, and for the tests that read the built pages
WHOLE = (SITE, "tests/test_build.py")  # these run the whole machinery in other processes
SITE_FILES = tuple(
    f"tests/test_{name}.py"
    for name in (
        *("site", "pages", "numbers", "notebooks", "faq", "course", "gallery", "api_page"),
        *("sources", "search", "policy", "lighter", "reading", "embed", "preloads", "offline"),
    )
)
PYTEST = (
    *("-q", "--tb=line", "-p", "no:cacheprovider", "-m", "not browser and not torch"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # the libraries are there already
)
OURS = {"posenc", "scripts", "tests", "benchmarks"}
SECONDS = 3600  # for a test that waits for ever; a limit of processor time stops one that computes
MEMORY = 8 << 30


def copy(root: Path, target: Path) -> None:
    """Copy the project at `root` with what the build made, and link to its libraries."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(root, target, ignore=lambda _, names: NOT_COPIED & set(names), symlinks=True)
    for name in LINKED:
        if (root / name).exists():
            (target / name).symlink_to((root / name).resolve())
    for name in MADE:
        _replace(target / name, _kept(target) / name)


def prepare() -> None:
    """Import the libraries, for every fork after this."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["ALL_EXAMPLES"] = "1"  # tests/examples.py
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # bytecode saves each fork half a second
    sys.dont_write_bytecode = False
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


class Only:
    """Keeps only `tests` of those that pytest finds, in this order; notes one that fails."""

    def __init__(self, tests: list[str], note: Path) -> None:
        self.places = {test: place for place, test in enumerate(tests)}
        self.note = note

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items) -> None:
        """Change the list of tests in place, as pytest wants it."""
        items[:] = [item for item in items if item.nodeid in self.places]
        items.sort(key=lambda item: self.places[item.nodeid])

    def pytest_runtest_logreport(self, report) -> None:
        """Write the name of the test."""
        if report.failed:
            self.note.write_text(report.nodeid, "utf-8")


def failing(
    root: Path,
    checks: list[str],
    *,
    tests: list[str] | None = None,
    tracer: Callable[[], object] | None = None,
    cpu: float = 0,
) -> str:
    """The test, or the file, that fails first in the copy at `root`; an empty text if all pass.

    Only `tests` run, and the tests of WHOLE files, within `cpu` seconds.
    """
    note = root.with_suffix(".failing")
    note.write_text(checks[0], "utf-8")
    files, plugin = checks, tracer
    if checks[0] in WHOLE:
        files = SITE_FILES if checks == [SITE] else checks
    elif not tracer:
        plugin = partial(Only, tests, note)
    try:
        if checks == [SITE] and not _forked(root, _build, cpu=cpu):
            return "the build"
        stop = [] if tracer else ["-x"]
        arguments = [*PYTEST, *stop, *files]
        passed = _forked(
            root, lambda: pytest.main(arguments, plugins=[plugin()] if plugin else []), cpu=cpu
        )
        return "" if passed else note.read_text("utf-8")
    finally:
        if checks == [SITE]:
            for name in MADE:
                _replace(_kept(root) / name, root / name)


def has_wrong_types(root: Path) -> bool:
    """Whether mypy complains of the copy at `root`. It remembers what has not changed."""
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(root.with_suffix(".types"))]
    return subprocess.run(command, cwd=root, capture_output=True, check=False).returncode == 1


def _kept(root: Path) -> Path:
    return root.with_name(f"{root.name}-made")


def _replace(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def _build() -> int:
    return subprocess.run([sys.executable, "-m", "scripts.build"], check=False).returncode


def _forked(root: Path, work: Callable[[], int], *, cpu: float) -> bool:
    """Whether `work` returns 0, or 5 for no tests, in a fork that has imported nothing of ours."""
    child = os.fork()
    if not child:
        code = 70
        try:
            os.setsid()
            log = os.open(root.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.chdir(root)
            sys.path[0] = str(root)
            for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
                del sys.modules[name]
            if cpu:
                # Python trusts a .pyc file of the same second and size.
                sys.dont_write_bytecode = True
                os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
                resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 1))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            code = int(work())
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    alarm = threading.Timer(SECONDS, os.killpg, (child, signal.SIGKILL))
    alarm.start()
    _, status = os.waitpid(child, 0)
    alarm.cancel()
    with contextlib.suppress(ProcessLookupError):  # what the tests have left running
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status) in {0, 5}
