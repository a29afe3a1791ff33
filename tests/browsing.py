"""A visit to the built site in Chromium, for the tests that look at pages as readers do.

No server and no port: every request to the site's own address is answered from site/, every
other one is refused and fails the test.
"""

from __future__ import annotations

import mimetypes
import os
from contextlib import contextmanager

import pytest

from scripts.files import ROOT
from tests import site_files

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
# What Chromium says of speed when Plotly reads back what it drew, without a graphics card.
FOR_PLOTLYS_AUTHORS = ("Canvas2D: Multiple readback operations", "GL Driver Message")
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
# Whatever answers to a change, observers of sizes too, has done so after two frames.
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
MUST = os.environ.get("CI") == "true"


def missing(what):
    """Skip, or fail where everything must be there."""
    (pytest.fail if MUST else pytest.skip)(what)


class Visit:
    """A page in a context of its own, with what it asked for and what it complained about."""

    def __init__(self, browser, name, options):
        self.asked, self.complaints, self.refused = [], [], set()
        self.context = browser.new_context(
            **{"viewport": WIDE, "reduced_motion": "reduce", "service_workers": "block", **options}
        )
        self.context.route("**/*", self.answer)
        self.context.add_init_script(LISTENERS)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.scripts = options.get("java_script_enabled", True)
        self.go(name)

    def answer(self, route):
        url = route.request.url
        path = site_files.file(url)
        self.asked.append(url)
        if path is None or any(url.endswith(ending) for ending in self.refused):
            if path is None:
                self.complaints.append(f"asked for {url}")
            route.abort()
        else:
            kind = mimetypes.guess_type(path.name)[0]
            route.fulfill(body=path.read_bytes(), content_type=kind)

    def heard(self, message):
        advice = any(text in message.text for text in FOR_PLOTLYS_AUTHORS)
        if message.type in ("error", "warning") and not advice:
            self.complaints.append(f"{message.type}: {message.text}")

    def go(self, name):
        self.page.goto(site_files.address(name), wait_until="load")
        if self.scripts:
            self.page.wait_for_selector(".expressions-toggle")  # the last script has run

    def touch(self, x, y, *path):
        """A finger on the page, and where it goes from there."""
        finger = self.context.new_cdp_session(self.page)
        for kind, points in [
            ("touchStart", [{"x": x, "y": y}]),
            *(("touchMove", [{"x": x + dx, "y": y + dy}]) for dx, dy in path),
            ("touchEnd", []),
        ]:
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        finger.detach()


AT_REST = """async () => {
  for (let still = 0, before = NaN; still < 8; before = scrollY) {
    await new Promise(requestAnimationFrame);
    still = scrollY === before ? still + 1 : 0;
  }
}"""

LISTENERS = """
window.resizeListeners = new Set();
for (const [method, change] of [["addEventListener", "add"], ["removeEventListener", "delete"]]) {
  const original = window[method];
  window[method] = function (type, listener, ...rest) {
    if (type === "resize") window.resizeListeners[change](listener);
    return original.call(this, type, listener, ...rest);
  };
}
"""


@contextmanager
def visiting(browser, name, **options):
    visit = Visit(browser, name, options)
    try:
        yield visit
    finally:
        visit.context.close()
    assert visit.complaints == []
