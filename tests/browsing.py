"""A visit to the built site in Chromium, for the tests that look at pages as readers do.

No server and no port: a visit answers every request to the site's address from site/. It refuses
every other request, which fails the test.
"""

from __future__ import annotations

import mimetypes
import os
import shutil
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from scripts.files import ROOT
from tests import site_files

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
# Chromium warns that Plotly is slow in reading back its drawing without a graphics card.
FOR_PLOTLYS_AUTHORS = ("Canvas2D: Multiple readback operations", "GL Driver Message")
# Messages of Chromium about a file that does not load, and about a script that needs it.
LOADING_FAILED = ("Failed to load", "Failed to fetch", "cannot load", "warning: Event")
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
TABLET = {"width": 768, "height": 1024}
TOUCH = {"has_touch": True, "is_mobile": True, "viewport": NARROW}
HOPELESS = 60_000  # ms; a time limit only ends a wait that a busy machine does not explain
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
MUST = os.environ.get("CI") == "true"

expect.set_options(timeout=HOPELESS)


@cache
def script(file, name):
    """The function `name` of tests/browser/`file`, as Playwright's `evaluate` takes it."""
    code = (Path(__file__).parent / "browser" / file).read_text("utf-8")
    code = code.replace("\nexport ", "\n")
    return f"(...given) => {{\n{code}\nreturn {name}(...given);\n}}"


ANSWERED = script("page.js", "answered")


def missing(what):
    """Skip, or fail where everything must be there."""
    (pytest.fail if MUST else pytest.skip)(what)


def path_of_browser():
    """The path of the system's Chromium or Chrome; None if only Playwright may have one."""
    # The headless shell is the same engine without a window, and takes a third less time.
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def has_browser():
    """Whether there is a browser to start."""
    path = path_of_browser()
    if path is None:
        with sync_playwright() as playwright:
            path = playwright.chromium.executable_path
    return os.access(path, os.X_OK)


@contextmanager
def browser():
    """Chromium or Chrome, from the system or from Playwright; else the reason why there is none."""
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=path_of_browser(), args=FLAGS)
        except Error as error:
            yield str(error).strip().splitlines()[0]
            return
        yield started
        started.close()


@cache
def content(path):
    """The file's bytes and MIME type."""
    return path.read_bytes(), mimetypes.guess_type(path.name)[0]


def answered(page, question, wanted, *given):
    """What the JavaScript function `question` answers, once `wanted` or in the end.

    Playwright's own wait evaluates a text, which the policy of the pages does not allow.
    """
    frames = f"""async ([wanted, given]) => {{
        const question = {question}, end = performance.now() + {HOPELESS};
        for (let found;; await new Promise(requestAnimationFrame)) {{
            found = await question(...given);
            const isWanted = JSON.stringify(found) === JSON.stringify(wanted);
            if (isWanted || !(performance.now() < end)) return found;
        }}
    }}"""
    return page.evaluate(frames, [wanted, given])


def wait_until(page, predicate, *given):
    """Wait until the JavaScript function `predicate` is true in the page."""
    holds = f"async (...given) => Boolean(await ({predicate})(...given))"
    assert answered(page, holds, True, *given), f"never true: {predicate}"


class Visit:
    """A browser context with one page; it notes the requests and complaints of the page.

    A complaint may arrive late, or twice. A test that provokes some says so in `provoked`: texts
    of which each complaint must have one, which then goes to `answers` instead.
    """

    def __init__(self, browser, **options):
        defaults = {"viewport": WIDE, "reduced_motion": "reduce", "service_workers": "block"}
        self.options = {"color_scheme": "light", **defaults, **options}
        self.forget()
        self.context = browser.new_context(**self.options)
        self.context.route("**/*", self.answer)
        self.page = self.context.new_page()
        self.page.set_default_timeout(HOPELESS)
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.complain(str(error)))

    def forget(self):
        self.requested, self.complaints, self.answers = [], [], []
        self.is_spent = False  # True: the clock stands still, for other tests too
        self.refused, self.provoked = set(), ()

    def complain(self, text):
        provoked = any(part in text for part in self.provoked)
        (self.answers if provoked else self.complaints).append(text)

    def answer(self, route):
        url = route.request.url
        path = site_files.file(url)
        self.requested.append(url)
        if path is None:
            self.complain(f"requested {url}")
        if path is None or any(url.endswith(ending) for ending in self.refused):
            route.abort()
        else:
            body, kind = content(path)
            route.fulfill(body=body, content_type=kind)

    def heard(self, message):
        advice = any(text in message.text for text in FOR_PLOTLYS_AUTHORS)
        if message.type in ("error", "warning") and not advice:
            self.complain(f"{message.type}: {message.text}")

    def go(self, name):
        self.page.goto(site_files.address(name), wait_until="load")
        if self.options.get("java_script_enabled", True):
            self.page.wait_for_selector(".expressions-toggle")  # the last script has run
        return self

    def settle(self):
        """Wait until the page has requested nothing for half a second.

        Playwright's "networkidle" sometimes never comes, as its issue 42598 explains.
        """
        seen = -1
        while seen < len(self.requested):
            seen = len(self.requested)
            self.page.wait_for_timeout(500)

    def renew(self):
        """Leave nothing of this test to the next one: no page, no request, nothing stored."""
        for extra in self.context.pages[1:]:
            extra.close()
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.page.goto("about:blank")
        self.context.set_offline(False)
        scheme = self.options["color_scheme"]
        self.page.emulate_media(media="screen", color_scheme=scheme, forced_colors="none")
        self.page.set_viewport_size(self.options["viewport"])
        self.forget()

    def touch(self, x, y, *path):
        """Touch the page, and move the finger along `path`."""
        finger = self.context.new_cdp_session(self.page)
        for kind, points in [
            ("touchStart", [{"x": x, "y": y}]),
            *(("touchMove", [{"x": x + dx, "y": y + dy}]) for dx, dy in path),
            ("touchEnd", []),
        ]:
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        finger.detach()
