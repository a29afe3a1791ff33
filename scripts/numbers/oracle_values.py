"""The oracle's values of expressions. Only this module of the build imports the tests' oracle.

The oracle is slow, because it proves 50 digits. The build keeps its values until a file of the
oracle changes.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any, TypeAlias

from scripts import files, workers
from scripts.files import ROOT, WORK
from tests import balls, expression_oracle, oracle, site_oracle

_NOTES = WORK / "oracle.json"
_FEW = 16  # up to this many values, processes would take longer
Exact: TypeAlias = Any  # a whole number, or a ball of tests/balls.py
_Noted = int | list[str]  # a whole number, or two decimal ones with the value between them


class OracleError(Exception):
    """An expression that the oracle cannot evaluate: its arguments are the code and the reason."""

    def __str__(self) -> str:
        code, reason = self.args
        return f"the oracle cannot evaluate {code}: {reason}"


def values(codes: set[str]) -> dict[str, Exact]:
    """The oracle's value of each of `codes`, which are expressions as a page shows them."""
    kept = _kept()
    found = {code: kept[code] for code in codes & kept.keys()}
    found |= _computed(sorted(codes - kept.keys()))
    keep = {code: found[code] for code in sorted(found) if not site_oracle.counts_the_site(code)}
    files.write(_NOTES, json.dumps({"inputs": _inputs(), "values": keep}).encode())
    return _exact(found)


def known() -> dict[str, Exact]:
    """The values that the last build kept; none if a file of the oracle has changed."""
    return _exact(_kept())


def text(exact: Exact, spec: str) -> str:
    """`exact` in the format `spec`, as the oracle writes it."""
    return str(oracle.formatted(exact, spec))


def digits(exact: Exact) -> str:
    """`exact` in the CSV: the digits that are proved, at most 50."""
    return str(exact) if isinstance(exact, int) else balls.digits(exact, oracle.DIGITS)


def _kept() -> dict[str, _Noted]:
    notes = files.read_notes(_NOTES)
    return dict(notes.get("values", {})) if notes.get("inputs") == _inputs() else {}


def _exact(noted: dict[str, _Noted]) -> dict[str, Exact]:
    return {
        code: value if isinstance(value, int) else balls.between(*value)
        for code, value in noted.items()
    }


def _inputs() -> str:
    data = files.below(ROOT / "scripts" / "figures" / "data")  # the oracle reads both as well
    results = (ROOT / "scripts" / "experiments" / "results").glob("*.json")
    code = [*(ROOT / "tests").glob("*oracle.py"), ROOT / "tests" / "balls.py"]
    return files.digest([*code, *data, *results], version("python-flint"))


def _computed(codes: list[str]) -> dict[str, _Noted]:
    if len(codes) <= _FEW:
        return {code: _value(code) for code in codes}
    with workers.pool(len(codes)) as pool:
        return dict(zip(codes, pool.map(_value, codes, chunksize=_FEW), strict=True))


def _value(code: str) -> _Noted:
    try:
        value = expression_oracle.value(code)
    except Exception as error:
        raise OracleError(code, f"{type(error).__name__}: {error}") from error
    whole = expression_oracle.is_whole(value)
    return int(value) if whole else [str(end) for end in balls.ends(value)]
