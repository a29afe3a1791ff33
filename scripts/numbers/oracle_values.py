"""What the tests' oracle says of expressions: the one place where the build asks it.

The oracle takes its time, with 50 digits. Its answers are kept in the build's folder until a
file of the oracle changes.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from typing import Any

from scripts import files
from scripts.files import ROOT, WORK
from scripts.render import workers
from tests import expression_oracle, oracle, site_oracle

_NOTES = WORK / "oracle.json"
_MODULES = ("expression_oracle", "oracle", "quantity_oracle", "site_oracle")
SOURCES = (
    *(ROOT / "tests" / f"{name}.py" for name in _MODULES),
    *files.below(ROOT / "scripts" / "figures" / "data"),  # it reads what others print
)
_FEW = 16  # answers that are not worth a process
Exact = int | float | str  # digits of an mpmath number, as many as the oracle vouches for


class OracleError(Exception):
    """An expression that the oracle cannot evaluate."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code

    def __str__(self) -> str:
        return f"the oracle cannot evaluate {self.code}: {self.args[1]}"


def values(codes: set[str]) -> dict[str, Exact]:
    """The oracle's value of each of `codes`, which are expressions as a page shows them."""
    inputs = files.digest(SOURCES)
    known = _known(inputs)
    found = {code: known[code] for code in codes & known.keys()}
    found |= _answers(sorted(codes - known.keys()))
    kept = {code: found[code] for code in sorted(found) if not site_oracle.speaks_of_site(code)}
    files.write(_NOTES, json.dumps({"inputs": inputs, "values": kept}, indent=0).encode())
    return found


def shown(exact: Exact, spec: str) -> str:
    """`exact` in the format `spec`, as the oracle writes it."""
    text: str = oracle.formatted(oracle.mp.mpf(exact) if isinstance(exact, str) else exact, spec)
    return text


def decimal(exact: Exact) -> Decimal:
    """`exact` as a number to calculate with."""
    return Decimal(exact)


def digits(exact: Exact) -> str:
    """`exact` as it is written down: 50 digits, or those that a float64 has."""
    return exact if isinstance(exact, str) else repr(exact)


def _known(inputs: str) -> dict[str, Exact]:
    try:
        notes: dict[str, Any] = json.loads(_NOTES.read_text("utf-8"))
        return dict(notes["values"]) if notes["inputs"] == inputs else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _answers(codes: list[str]) -> dict[str, Exact]:
    if len(codes) <= _FEW:
        return {code: _asked(code) for code in codes}
    with ProcessPoolExecutor(os.cpu_count(), initializer=workers.die_with_the_parent) as pool:
        return dict(zip(codes, pool.map(_asked, codes, chunksize=_FEW), strict=True))


def _asked(code: str) -> Exact:
    try:
        value = expression_oracle.value(code)
    except Exception as error:
        raise OracleError(code, f"{type(error).__name__}: {error}") from error
    if expression_oracle.is_whole(value):
        return int(value)
    return float(value) if isinstance(value, float) else str(oracle.mp.nstr(value, oracle.DIGITS))
