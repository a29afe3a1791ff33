"""A page of the site in Chromium, the time of its main thread, and the claim about its frames.

Chromium's frame rate is not limited, so that times contain no wait for the screen's next tick, only
work. The CPU is made 4 times slower. If other processes keep the processors busy, `work` is
steadier than the time from an event to a frame, because it counts only the time that the thread
ran.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import CDPSession, Error, Page, Route, sync_playwright

from scripts.files import SITE

THROTTLE = 4
WARM_UP, STEPS, ROUNDS = 60, 80, 4  # in the first second of dragging, the code is not yet compiled
ADDRESS = "http://127.0.0.1:8000/"
WINDOW = {"width": 1280, "height": 900}
FLAGS = "--headless --no-sandbox --disable-gpu --disable-gpu-vsync --disable-frame-rate-limit"

Times = Mapping[str, float]


@dataclass(frozen=True)
class Tab:
    """A page of the browser, and its connection to the developer tools."""

    page: Page
    protocol: CDPSession

    @contextmanager
    def throttled(self) -> Iterator[None]:
        """Slow the CPU down in the `with` block."""
        self.protocol.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
        yield
        self.protocol.send("Emulation.setCPUThrottlingRate", {"rate": 1})

    def work(self, steps: Callable[[int], object]) -> float:
        """Milliseconds of the main thread for one step, without throttling, times 4."""
        self.protocol.send("Performance.enable", {"timeDomain": "threadTicks"})
        spans = []
        for _ in range(ROUNDS):
            began = self._busy()
            steps(STEPS)
            spans.append((self._busy() - began) / STEPS)
        self.protocol.send("Performance.disable")
        return 1000 * THROTTLE * min(spans)

    def _busy(self) -> float:
        """Seconds that the main thread has run."""
        metrics = self.protocol.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def run(name: str, measure: Callable[[Tab], None]) -> None:
    """Call `measure` with a tab, or say why the benchmark `name` is skipped."""
    if not SITE.is_dir():
        print(f"{name}: skipped, no site (run `make site`)")
        return
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        except Error:
            print(f"{name}: skipped, no Chromium or Chrome (set CHROMIUM to its path)")
            return
        page = browser.new_page(viewport=WINDOW)
        page.route("**/*", _answer)
        measure(Tab(page, page.context.new_cdp_session(page)))
        browser.close()


def row(name: str, times: Times) -> None:
    """Print a line of times."""
    shown = "  ".join(f"{kind} {time:5.1f}" for kind, time in times.items())
    print(f"{name:24} {shown}", flush=True)


def claim(name: str, times: Times, slider: Times, *, target: int) -> None:
    """Say whether each kind of time is at most `target` ms, or twice the empty slider's."""
    bounds = {kind: max(target, 2 * time) for kind, time in slider.items()}
    shown = "  ".join(
        f"{kind} {times[kind]:.1f} <= {bound:.1f} {'holds' if times[kind] <= bound else 'MISSED'}"
        for kind, bound in bounds.items()
    )
    print(f"{name:24} at most {target} ms or twice the empty slider's: {shown}")


def _answer(route: Route) -> None:
    """Answer with the site's file at the requested address."""
    name = route.request.url.removeprefix(ADDRESS).partition("?")[0]
    path = SITE / (f"{name}index.html" if name.endswith("/") else name)
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.abort()
