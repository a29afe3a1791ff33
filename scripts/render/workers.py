"""Figures rendered side by side, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from scripts.files import BuildError


def rendered(names: list[str]) -> Iterator[tuple[str, dict[str, bytes], float]]:
    """Each figure's files, and the seconds that they took, in the order of `names`."""
    if not names:
        return
    workers = min(len(names), os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, initializer=die_with_the_parent) as pool:
        for name, job in [(name, pool.submit(_render, name)) for name in names]:
            try:
                made, seconds = job.result()
            except Exception as error:
                pool.shutdown(cancel_futures=True)
                raise BuildError(f"scripts/figures/{name}.py: {error}") from error
            yield name, made, seconds


def die_with_the_parent() -> None:
    """Let a worker end when the build is killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _render(name: str) -> tuple[dict[str, bytes], float]:
    from scripts.render import figure

    began = time.perf_counter()
    return figure.files(name), time.perf_counter() - began
