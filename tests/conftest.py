"""Settings of all tests, one line for what was left out, and a browser."""

import os
import shutil
from collections import Counter

import pytest
from hypothesis import settings
from playwright.sync_api import Error, sync_playwright

from tests.browsing import FLAGS, Visit, missing

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")  # in CI too, where Hypothesis would choose its own


def pytest_terminal_summary(terminalreporter):
    """Say once why tests were skipped, not once a test."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{count} skipped: {reason}")


@pytest.fixture(scope="session")
def browser():
    """Chromium or Chrome, the system's or Playwright's own."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error as error:
            started = None
            reason = str(error).strip().splitlines()[0]
        if started is None:
            missing(f"no Chromium or Chrome (set CHROMIUM to its path): {reason}")
        yield started
        started.close()


@pytest.fixture
def visit(browser):
    """A function that visits a page; what the page complains about fails the test."""
    visits = []

    def go(name, **options):
        visits.append(Visit(browser, name, options))
        return visits[-1]

    yield go
    for one in visits:
        one.context.close()
    assert [complaint for one in visits for complaint in one.complaints] == []
