"""`make fuzz`: hostile files, texts and addresses for the site's pages, in Chromium.

The cases come from tests/browser/hostile.js, each from a seed and a number. A case fails if a
script out of it runs, its HTML becomes part of a page, the page complains, an answer takes half a
minute, or a refusal gives no reason. Failing cases are saved in .build/fuzz/; the command that
repeats one is printed with it.
"""

from __future__ import annotations

import argparse
import base64
import sys
from dataclasses import dataclass, field

from scripts.files import ROOT
from tests import site_files
from tests.browsing import Visit, browser, script

FAILED = ROOT / ".build" / "fuzz"
BATCH = 50  # cases between two looks at the page's complaints
CASES = 10_000


@dataclass(frozen=True)
class Kind:
    """Cases of one kind: how they are made, the page, and the function that gives them to it."""

    made: str
    page: str
    function: str  # of hostile.js; without one, the address of the page gets the case as its query
    share: float  # of all cases


KINDS = {
    "files": Kind("file", "which-encoding", "chosen", 0.45),
    "configs": Kind("config", "config", "chosen", 0.33),
    "states": Kind("query", "explorer", "states", 0.1),
    "explorer": Kind("query", "explorer", "", 0.005),
    "live model": Kind("query", "trained-models", "", 0.005),
    "config addresses": Kind("query", "config", "", 0.004),
    "searches": Kind("query", "", "", 0.004),
    "embedded figures": Kind("query", "embed/heatmap", "", 0.002),
    "explorer controls": Kind("query", "explorer", "used", 0.02),
    "model controls": Kind("query", "trained-models", "used", 0.02),
    "sliders": Kind("query", "wavelengths", "used", 0.05),
    "tables that sort": Kind("query", "conventions", "used", 0.01),
}


@dataclass
class Result:
    """How many cases of a kind a page answered and refused, and what went wrong with which."""

    answered: int = 0
    refused: int = 0
    wrong: list[tuple[int, str]] = field(default_factory=list)


def examine(visit: Visit, name: str, seed: int, numbers: range) -> Result:
    """Give the cases of the kind `name` to its page."""
    kind, result = KINDS[name], Result()
    page = f"{kind.page}/index.html".lstrip("/")
    if not kind.function:
        for number in numbers:
            result.wrong += [
                (number, text) for text in _opened(visit, page, kind.made, seed, number)
            ]
        result.answered = len(numbers)
        return result
    visit.go(page)
    visit.provoked = ("The specified value",)  # Chromium's words, where a slider takes no text
    visit.page.mouse.wheel(0, 1500)  # sliders load when the reader comes near
    visit.page.wait_for_selector("[data-live] :is(input, textarea)", state="attached")
    for first in range(numbers.start, numbers.stop, BATCH):
        given = {"folder": site_files.address("assets/"), "kind": kind.made, "seed": seed}
        given |= {"from": first, "to": min(first + BATCH, numbers.stop)}
        found = visit.page.evaluate(script("hostile.js", kind.function), given)
        result.answered += found["counts"]["answered"]
        result.refused += found["counts"]["refused"]
        result.wrong += [(number, problem) for number, problem in found["wrong"]]
        result.wrong += [(first, f"{text} (in this or the next {BATCH})") for text in _heard(visit)]
    return result


def _opened(visit: Visit, page: str, made: str, seed: int, number: int) -> list[str]:
    """The faults of the page whose address has the case as its query."""
    fragment, query = content(visit, made, seed, number)
    address = site_files.address(page) + "?" + query.decode("utf-8", "replace") + fragment
    visit.page.goto(address, wait_until="load")
    visit.page.wait_for_selector("body")
    visit.page.evaluate("() => new Promise(done => setTimeout(done, 100))")
    return [*_heard(visit), *["a script ran"] * bool(visit.page.evaluate("window.executed"))]


def _heard(visit: Visit) -> list[str]:
    heard, visit.complaints = visit.complaints, []
    return heard


def content(visit: Visit, made: str, seed: int, number: int) -> tuple[str, bytes]:
    """The name and the bytes of a case."""
    given = {"kind": made, "seed": seed, "number": number}
    name, encoded = visit.page.evaluate(script("hostile.js", "content"), given)
    return name, base64.b64decode(encoded)


def main(arguments: list[str] | None = None) -> int:
    """Run all kinds, or repeat a case; 1 if a case fails."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, help="only this kind")
    parser.add_argument("--number", type=int, help="only the case of this number")
    given = parser.parse_args(arguments)
    total, failed = 0, 0
    with browser() as started:
        if isinstance(started, str):
            sys.exit(f"no Chromium or Chrome (set CHROMIUM to its path): {started}")
        visit = Visit(started).go("index.html")
        for name in [given.kind] if given.kind else KINDS:
            numbers = range(max(1, round(CASES * KINDS[name].share)))
            if given.number is not None:
                numbers = range(given.number, given.number + 1)
            result = examine(visit, name, given.seed, numbers)
            answers = f"{result.answered:,} answered, {result.refused:,} refused"
            print(f"{name}: {len(numbers):,} cases: {answers}", flush=True)
            for number, problem in result.wrong:
                _save(visit, name, given.seed, number, problem)
            total, failed = total + len(numbers), failed + len(result.wrong)
        visit.context.close()
    print(f"{total:,} cases of seed {given.seed}, {failed} failures")
    return 1 if failed else 0


def _save(visit: Visit, name: str, seed: int, number: int, problem: str) -> None:
    FAILED.mkdir(parents=True, exist_ok=True)
    path = FAILED / f"{name.replace(' ', '-')}-{seed}-{number}.bin"
    path.write_bytes(content(visit, KINDS[name].made, seed, number)[1])
    command = f"{sys.executable} -m tests.fuzz --kind '{name}' --seed {seed} --number {number}"
    print(f"  {problem[:300]}\n    {path}; repeat it: {command}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
