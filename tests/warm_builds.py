"""Runs builds in forks of one process that has imported the libraries before.

A build of a small project takes most of its time to import libraries. Each fork imports the
modules of the project itself, as `python -m scripts.build` does. Run as a script, this module
reads one request per line, and answers with one line.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import subprocess
import sys
import traceback
from pathlib import Path

LIBRARIES = (
    *("numpy", "flint", "math_core", "bs4", "yaml", "rjsmin", "PIL.Image", "plotly.offline"),
    *("matplotlib.figure", "matplotlib.backends.backend_svg", "plotly.graph_objects"),
    *("mkdocs.commands.build", "mkdocs_jupyter.plugin", "mkdocstrings", "fontTools.subset"),
    *("mkdocstrings_handlers.python", "material.plugins", "pymdownx.arithmatex"),
    "nbformat.validator",
)


class Builds:
    """The process that forks; a call runs one build, and returns as subprocess.run does."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )

    def __call__(self, root: Path, *arguments: str):
        """Build the project at `root`."""
        request = {"root": str(root), "arguments": arguments}
        outputs = {name: root.parent / f"{root.name}.{name}" for name in ("stdout", "stderr")}
        request |= {name: str(path) for name, path in outputs.items()}
        code = self._answer(request)
        texts = {name: path.read_text("utf-8") for name, path in outputs.items()}
        return subprocess.CompletedProcess(["build", *arguments], code, **texts)

    def loaded(self, root: Path, modules: list[str]) -> set[str]:
        """The files below `root` that Python loads when it imports `modules`."""
        return set(self._answer({"root": str(root), "modules": modules}))

    def _answer(self, request: dict):
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def environment(root: Path) -> dict[str, str]:
    """An empty PATH: no npm that could download anything, no git."""
    known = {"REPO_URL": "https://github.com/a/b", "SITE_URL": "https://site.example/"}
    return {"PATH": f"{root}/nothing", "HOME": str(root), "LANG": "C.UTF-8", **known}


def answer() -> None:
    """Answer each line of the standard input: run its build, or import its modules."""
    for name in LIBRARIES:
        importlib.import_module(name)
    # The libraries keep what these calls compile: patterns of selectors, the schema of notebooks.
    sys.modules["bs4"].BeautifulSoup("", "html.parser").select_one("p")
    sys.modules["nbformat.validator"].get_validator(4)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child and "modules" in request:
            print(json.dumps(load(**request)), flush=True)
            os._exit(0)
        if not child:
            os._exit(run(**request))
        _, status = os.waitpid(child, 0)
        if "modules" not in request:
            print(os.waitstatus_to_exitcode(status), flush=True)


def load(*, root: str, modules: list[str]) -> list[str]:
    """Import `modules`, and name the files below `root` that Python has loaded then."""
    os.chdir(root)
    sys.path[0] = root
    for name in modules:
        importlib.import_module(name)
    found = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    paths = {Path(file).absolute() for file in found if file} - {Path(__file__).absolute()}
    project = (path for path in paths if path.is_relative_to(root))
    return sorted(path.relative_to(root).as_posix() for path in project)


def run(*, root: str, arguments: list[str], stdout: str, stderr: str) -> int:
    """The exit code of `python -m scripts.build` in the folder `root`."""
    for number, name in ((0, os.devnull), (1, stdout), (2, stderr)):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | (os.O_TRUNC if number else 0)), number)
    os.chdir(root)
    known = environment(Path(root))
    os.environ.clear()
    os.environ.update(known)
    sys.path[0] = root
    sys.argv = ["scripts.build", *arguments]
    try:
        runpy.run_module("scripts.build", run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as done:
        code = int(done.code or 0)
    except BaseException:
        traceback.print_exc()
        code = 70
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    answer()
