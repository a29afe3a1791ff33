"""The oracle's values of expressions. Only this module of the build imports the tests' oracle.

The oracle is slow, because it proves 50 digits. The build keeps its values until a file of the
oracle changes.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from scripts import files, workers
from scripts.files import ROOT, WORK
from tests import balls, expression_oracle, oracle, site_oracle

_NOTES = WORK / "oracle.json"
_FEW = 16  # up to this many values, processes would take longer
Exact = int | list[str]  # a whole number, or two decimal ones with the value between them


class OracleError(Exception):
    """An expression that the oracle cannot evaluate: its arguments are a message and the code."""


def values(codes: set[str]) -> dict[str, Exact]:
    """The oracle's value of each of `codes`, which are expressions as a page shows them."""
    kept = known()
    found = {code: kept[code] for code in codes & kept.keys()}
    found |= _computed(sorted(codes - kept.keys()))
    keep = {code: found[code] for code in sorted(found) if not site_oracle.counts_the_site(code)}
    files.write(_NOTES, json.dumps({"inputs": _inputs(), "values": keep}).encode())
    return found


def known() -> dict[str, Exact]:
    """The values that the last build kept; none if a file of the oracle has changed."""
    notes = files.read_notes(_NOTES)
    return dict(notes.get("values", {})) if notes.get("inputs") == _inputs() else {}


def number(exact: Exact) -> Any:
    """`exact` as a whole number or a ball."""
    return exact if isinstance(exact, int) else balls.between(*exact)


def text(exact: Exact, spec: str) -> str:
    """`exact` in the format `spec`, as the oracle writes it."""
    return str(oracle.formatted(number(exact), spec))


def digits(exact: Exact) -> str:
    """`exact` in the CSV: the digits that are proved, at most 50."""
    return str(balls.digits(number(exact), oracle.DIGITS))


def _inputs() -> str:
    data = files.below(ROOT / "scripts" / "figures" / "data")  # the oracle reads both as well
    results = (ROOT / "scripts" / "experiments" / "results").glob("*.json")
    tests = ROOT / "tests"
    code = set(tests.glob("*oracle.py")) | set(tests.glob("balls/*.py"))
    code -= set(tests.glob("test_*.py"))
    return files.digest([*code, *data, *results], version("python-flint"))


def _computed(codes: list[str]) -> dict[str, Exact]:
    if len(codes) <= _FEW:
        return {code: compute(code) for code in codes}
    with workers.pool(len(codes)) as pool:
        return dict(zip(codes, pool.map(compute, codes, chunksize=_FEW), strict=True))


def compute(code: str) -> Exact:
    """The oracle's value of `code`."""
    try:
        value = expression_oracle.value(code)
    except Exception as error:
        reason = f"the oracle cannot evaluate {code}: {type(error).__name__}: {error}"
        raise OracleError(reason, code) from error
    whole = expression_oracle.is_whole(value)
    return int(value) if whole else [str(end) for end in balls.ends(value)]
