"""Settings of all tests: repeatable examples, and one line for what was left out."""

from collections import Counter

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")  # in CI too, where Hypothesis would choose its own


def pytest_terminal_summary(terminalreporter):
    """Say once why tests were skipped, not once a test."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{count} skipped: {reason}")
