"""Calls of functions side by side, in worker processes that end with the build."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from scripts.files import BuildError

Call = tuple[str, ...]  # a module, a function, its arguments


def results(calls: list[Call]) -> Iterator[tuple[Any, float]]:
    """The result of each of `calls`, and the seconds that it took, in their order."""
    if len(calls) == 1:
        yield _timed(calls[0])
    elif calls:
        with pool(len(calls)) as workers:
            jobs = [workers.submit(_timed, call) for call in calls]
            for job in jobs:
                yield job.result()


@contextmanager
def pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes for `jobs` jobs, at most one for each core; after an error, no other job begins."""
    count = min(jobs, os.cpu_count() or 1)
    with ProcessPoolExecutor(count, initializer=_end_with_the_parent) as workers:
        try:
            yield workers
        except BrokenProcessPool as error:
            raise BuildError("a worker process died, perhaps for lack of memory") from error
        except BaseException:
            workers.shutdown(cancel_futures=True)
            raise


def _end_with_the_parent() -> None:
    """Let a worker end when the build is killed; otherwise it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _timed(call: Call) -> tuple[Any, float]:
    began = time.perf_counter()
    module, function, *arguments = call
    made = getattr(import_module(module), function)(*arguments)
    return made, time.perf_counter() - began
