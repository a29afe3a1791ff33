"""Calls of functions side by side, in worker processes that end with the build."""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from scripts.files import BuildError

Call = tuple[str, ...]  # a module, a function, its arguments
_open: list[ProcessPoolExecutor] = []  # the pool of `results`, while there is one


def results(calls: list[Call]) -> Iterator[tuple[Any, float]]:
    """The result of each of `calls`, and the seconds that it took, in their order.

    This process makes the last one itself, and so keeps what that one caches. It imports the
    modules first, because a forked worker then has them too.
    """
    if len(calls) == 1:
        yield _timed(calls[0])
    elif calls:
        for module in dict.fromkeys(module for module, *_ in calls):
            import_module(module)
        gc.freeze()  # no process collects garbage among the modules
        *others, last = calls
        try:
            with ThreadPoolExecutor(1) as here, pool(len(others)) as workers:
                _open.append(workers)
                jobs = [workers.submit(_timed, call) for call in others]
                for job in [*jobs, here.submit(_timed, last)]:
                    yield job.result()
        finally:
            _open.clear()  # only now: after an error, the last call must find no new pool


@contextmanager
def pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes for `jobs` jobs, at most one for each core; after an error, no other job begins.

    For the last of `results`, it is the pool of the others.
    """
    if _open:
        yield _open[0]
        return
    count = min(jobs, os.cpu_count() or 1)
    with ProcessPoolExecutor(count, initializer=_begin) as workers:
        try:
            yield workers
        except BrokenProcessPool as error:
            raise BuildError("a worker process died, perhaps for lack of memory") from error
        except BaseException:
            workers.shutdown(cancel_futures=True)
            raise


def _begin() -> None:
    """Let a worker end when the build is killed; otherwise it would wait for work for ever."""
    _open.clear()  # it is the parent's
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
