"""The one build: front-end parts, figures, notebooks, numbers, site.

Each stage writes only what changed, and every file in one step. If a build is killed, the
previous site stays as it was, and the next build continues where it stopped.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from scripts import files
from scripts.build import imports, loop
from scripts.build.server import serve
from scripts.build.stages import rounds
from scripts.files import ROOT, SITE, BuildError


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.build", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("serve",))
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if anything generated is stale"
    )
    parser.add_argument("--port", type=_port, default=8000, help="for serve")
    options = parser.parse_args(arguments)
    os.chdir(ROOT)
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the build has a process for each core already
    gc.set_threshold(20_000, 20, 50)  # rarer garbage collection saves a sixteenth of the time
    try:
        if options.check:
            return check()
        if options.what == "serve":
            return serve(options.port)
        with alone():
            build()
    except (BuildError, OSError) as error:
        print("error:", _told(error), file=sys.stderr)
        return 1
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 2**16:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to 65535, got {text!r}")
    return int(text)


@contextmanager
def alone() -> Iterator[None]:
    """Let one build run at a time in this folder; a lock ends with the process that holds it."""
    lock = FileLock(files.WORK / "lock")  # it makes the folder
    try:
        held = lock.acquire(blocking=False)
    except Timeout:
        print("another build is running in this folder: waiting for it", flush=True)
        held = lock.acquire()
    with held:
        yield


def _told(error: BuildError | OSError) -> str:
    """The error in one line; an error of the operating system with its file."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(text.replace(f"{ROOT}{os.sep}", "").split())


def build() -> None:
    """Bring everything generated up to date."""
    began = time.perf_counter()
    files.restore(SITE)
    files.clear_leftovers()
    stages = rounds()
    loop.remove_unknown(stages)
    loop.run(stages)
    imports.keep()
    print(f"done in {time.perf_counter() - began:.1f} s")
    if "SITE_URL" not in os.environ:
        print("to read it: python3 -m http.server 8000 --directory site")
        print("       then open http://127.0.0.1:8000/")


def check() -> int:
    """Name the stages that are stale; 1 if there are any."""
    stale = loop.run(rounds(), making=False)
    for stage, reason in stale:
        print(f"stale: {stage.name}: {reason}; run `make site`", file=sys.stderr)
    if not stale:
        print("everything generated is up to date")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
