"""The project's files that Python loads for some modules, found by importing them.

Run as a script, it reads two JSON values: libraries to import before, and an object of lists of
modules. It writes an object of lists of files.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path


def main() -> None:
    """Import each list of modules in a fork that has the libraries, but nothing of the project."""
    libraries, wanted = json.load(sys.stdin)
    sys.path[0] = str(Path.cwd())
    for name in libraries:
        importlib.import_module(name)
    loaded = {name: loads(modules) for name, modules in wanted.items()}
    json.dump(loaded, sys.stdout)


def loads(modules: list[str]) -> list[str]:
    """The files below the working directory that importing `modules` loads."""
    reader, writer = os.pipe()
    if not os.fork():
        for name in modules:
            importlib.import_module(name)
        found = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
        paths = {Path(file).absolute() for file in found if file} - {Path(__file__).absolute()}
        project = (path for path in paths if path.is_relative_to(Path.cwd()))
        names = sorted(path.relative_to(Path.cwd()).as_posix() for path in project)
        with os.fdopen(writer, "w") as pipe:
            json.dump(names, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        names = json.load(pipe)
    os.wait()
    return names


if __name__ == "__main__":
    main()
