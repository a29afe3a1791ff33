"""The oracle's values of expressions. Only this module of the build imports the tests' oracle.

The oracle is slow, because it computes 50 digits. The build keeps its values until a file of
the oracle changes.
"""

from __future__ import annotations

import json
from decimal import Decimal

from scripts import files, workers
from scripts.files import ROOT, WORK
from tests import expression_oracle, oracle, site_oracle

_NOTES = WORK / "oracle.json"
_FEW = 16  # up to this many values, processes would take longer
Exact = int | float | str  # digits of an mpmath number, as many as the oracle guarantees


class OracleError(Exception):
    """An expression that the oracle cannot evaluate: its arguments are the code and the reason."""

    def __str__(self) -> str:
        code, reason = self.args
        return f"the oracle cannot evaluate {code}: {reason}"


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


def text(exact: Exact, spec: str) -> str:
    """`exact` in the format `spec`, as the oracle writes it."""
    value = oracle.mp.mpf(exact) if isinstance(exact, str) else exact
    return str(oracle.formatted(value, spec))


def decimal(exact: Exact) -> Decimal:
    """`exact` as a number to calculate with."""
    return Decimal(exact)


def digits(exact: Exact) -> str:
    """`exact` in the CSV: 50 digits, or those that a float64 has."""
    return exact if isinstance(exact, str) else repr(exact)


def _inputs() -> str:
    data = files.below(ROOT / "scripts" / "figures" / "data")  # the oracle reads both as well
    results = (ROOT / "scripts" / "experiments" / "results").glob("*.json")
    return files.digest([*(ROOT / "tests").glob("*oracle.py"), *data, *results])


def _computed(codes: list[str]) -> dict[str, Exact]:
    if len(codes) <= _FEW:
        return {code: _value(code) for code in codes}
    with workers.pool(len(codes)) as pool:
        return dict(zip(codes, pool.map(_value, codes, chunksize=_FEW), strict=True))


def _value(code: str) -> Exact:
    try:
        value = expression_oracle.value(code)
    except Exception as error:
        raise OracleError(code, f"{type(error).__name__}: {error}") from error
    if expression_oracle.is_whole(value):
        return int(value)
    return float(value) if isinstance(value, float) else str(oracle.mp.nstr(value, oracle.DIGITS))
