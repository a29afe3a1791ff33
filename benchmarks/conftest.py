"""Compare posenc's claims with this run's measurements; a claim that fails fails the run.

A claim without a measurement fails too, unless the run is for a part of the benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

Measured = dict[str, float]
MEASURED: pytest.StashKey[Measured] = pytest.StashKey()
LONG, MIDDLE, SHORT = "32768 x 1024", "2048 x 512", "50 x 128"
TABLES = {
    "shortest times in ms": "time",
    "shortest times of a rotation in ms": "rotate",
    "largest error": "error",
}


@dataclass(frozen=True)
class Claim:
    """A bound on a number computed from the measurements."""

    text: str
    value: Callable[[Measured], float]
    bound: float
    at_least: bool = False

    def line(self, measured: Measured, *, whole: bool) -> tuple[str, bool]:
        """Line of the table for this claim, and whether the claim holds.

        In a `whole` run, a claim without a measurement does not hold.
        """
        try:
            value = self.value(measured)
        except KeyError:
            return f"{self.text:60}      not measured", not whole
        holds = value >= self.bound if self.at_least else value <= self.bound
        sign = ">=" if self.at_least else "<="
        verdict = "holds" if holds else "MISSED"
        return f"{self.text:60} {value:9.3g}  {sign} {self.bound:<7.3g} {verdict}", holds


def _ratio(above: str, below: str, size: str, kind: str = "time") -> Callable[[Measured], float]:
    return lambda measured: (
        measured[f"{kind}, {above}, {size}"] / measured[f"{kind}, {below}, {size}"]
    )


def _claims() -> Iterator[Claim]:
    faster = _ratio("the NLP course", "posenc", LONG)
    # posenc waits for memory, the course for np.sin: with AVX-512 the ratio was 5.5, else above 8
    yield Claim(f"times as fast as the NLP course, {LONG}", faster, 4, at_least=True)
    yield Claim(f"times as long as np.ones, {LONG}", _ratio("posenc", "np.ones", LONG), 2.2)
    slower = _ratio("posenc", "the NLP course", SHORT)
    yield Claim(f"times as long as the NLP course, {SHORT}, caches warm", slower, 0.5)
    for size in (SHORT, MIDDLE, LONG):
        single = _ratio("posenc in float32", "the tensor notebook (float32)", size)
        yield Claim(f"times as long as the tensor notebook, float32, {size}", single, 1)
    for ours, theirs in (
        ("posenc halves", "rotate_half"),
        ("posenc interleaved", "interleaved pairs"),
    ):
        for size, bound in (("one head", 2), ("32 heads", 1)):
            turned = _ratio(ours, theirs, size, "rotate")
            yield Claim(f"times as long as {theirs}, {size}", turned, bound)
    for name in ("the paper's", "backward", "random"):
        key = f"time, identify {name}, 4096 x 1024"
        yield Claim(f"{key} in seconds", lambda measured, key=key: measured[key], 1)
    for kind in ("known", "other"):
        key = f"answers of identify about {kind} tables that are wrong"
        yield Claim(key, lambda measured, key=key: measured[key], 0)
    for kind, bound in (("not named", 25), ("called wrong", 0)):
        key = f"verdicts of check: {kind}, of 500"
        yield Claim(key, lambda measured, key=key: measured[key], bound)
    for length in (4096, 32768):
        for dtype in ("float64", "float32"):
            key = f"peak memory / output, {length} x 1024, {dtype}"
            yield Claim(key, lambda measured, key=key: measured[key], 1.15)
    for name, kind in (
        ("encode", "integers"),
        ("positional_encoding", "integers"),
        ("encode", "fractions"),
    ):
        key = f"error, {name}, {kind}"
        yield Claim(key, lambda measured, key=key: measured[key], 5e-16)
    for kind in ("integers", "fractions"):
        key = f"error, encode in float32, {kind}"
        yield Claim(key, lambda measured, key=key: measured[key], 6e-8)
    key = "error, positional_encoding in float32, integers"
    yield Claim(key, lambda measured: measured[key], 6e-8)


CLAIMS = tuple(_claims())


def pytest_configure(config: pytest.Config) -> None:
    config.stash[MEASURED] = {}
    config.option.benchmark_quiet = True  # its table would fill pages


def is_whole(config: pytest.Config) -> bool:
    """Whether the run is for all benchmarks, and not for those of a path, a `-k` or a `-m`."""
    option = config.option
    part = option.keyword or option.markexpr or option.collectonly
    return not part and [Path(name).resolve() for name in config.args] == [Path(__file__).parent]


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Measured:
    return request.config.stash[MEASURED]


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    lines = [claim.line(config.stash[MEASURED], whole=is_whole(config)) for claim in CLAIMS]
    if not all(holds for _, holds in lines):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    measured = config.stash[MEASURED]
    for title, kind in TABLES.items():
        terminalreporter.section(title)
        for line in _table({key: value for key, value in measured.items() if key.startswith(kind)}):
            terminalreporter.write_line(line)
    terminalreporter.section("claims")
    for claim in CLAIMS:
        line, holds = claim.line(measured, whole=is_whole(config))
        terminalreporter.write_line(line, red=not holds)


def _table(cells: Measured) -> Iterator[str]:
    """Lines of a table of `cells`, whose keys have the form `kind, row, column`."""
    keys = [key.split(", ") for key in cells]
    columns = list(dict.fromkeys(column for _, _, column in keys))
    yield " " * 34 + "".join(f"{column:>14}" for column in columns)
    for kind, row in dict.fromkeys((kind, row) for kind, row, _ in keys):
        values = [cells.get(f"{kind}, {row}, {column}") for column in columns]
        scale, form = (1, ".2e") if kind == "error" else (1000, ".3f")
        shown = ["-" if value is None else format(scale * value, form) for value in values]
        yield f"{row:34}" + "".join(f"{text:>14}" for text in shown)
