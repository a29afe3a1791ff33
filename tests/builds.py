"""Programs of small projects, each in a new process that begins with the libraries.

To import the libraries takes longer than a small build. One process imports them, and nothing of
the project; it forks for each program.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

_SERVER = """
import flint, fontTools.subset, gc, json, math_core, matplotlib.backends.backend_svg
import matplotlib.figure, mkdocs.commands.build, mkdocs_jupyter.plugin, os, plotly.graph_objects
import mkdocstrings_handlers.python, mpl_toolkits.mplot3d, plotly.offline, rjsmin, runpy, sys
import tinycss2

gc.freeze()
for line in sys.stdin:
    given = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(given["streams"], 1):
        os.dup2(os.open(path, os.O_CREAT | os.O_WRONLY), number)
    os.chdir(given["root"])
    os.environ.clear()
    os.environ.update(given["environment"])
    sys.path.insert(0, given["root"])
    sys.argv = ["", *given["arguments"]]
    code = 0
    try:
        exec(given["code"])
    except SystemExit as end:
        code = end.code
    sys.stdout.flush()
    os._exit(code)  # Python would take apart all the libraries, which takes half a second
"""
_BUILD = """
sys.dont_write_bytecode = False  # the next build saves a second
runpy.run_module("scripts.build", run_name="__main__", alter_sys=True)
"""


def environment(root: Path) -> dict[str, str]:
    """An empty PATH: no npm that could download anything, no git."""
    known = {"REPO_URL": "https://github.com/a/b", "SITE_URL": "https://site.example/"}
    return {"PATH": f"{root}/nothing", "HOME": str(root), "LANG": "C.UTF-8", **known}


@cache
def _server() -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", _SERVER]
    process = subprocess.Popen(command, cwd="/", stdin=pipe, stdout=pipe, text=True)
    atexit.register(process.communicate)  # it ends with its input
    return process


def run(code: str, root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The end of a process that ran the Python code in the project at `root`."""
    server = _server()
    with TemporaryDirectory() as folder:
        given = {
            "code": code,
            "root": str(root),
            "arguments": arguments,
            "environment": environment(root),
            "streams": [f"{folder}/out", f"{folder}/err"],
        }
        print(json.dumps(given), file=server.stdin, flush=True)
        ended = int(server.stdout.readline())
        said = (Path(path).read_text("utf-8") for path in given["streams"])
        return subprocess.CompletedProcess(arguments, ended, *said)


def build(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The finished build of the project at `root`."""
    return run(_BUILD, root, *arguments)
