"""Judge an answer about a generated table: what it states that is false, what it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from posenc import Convention, RotaryCache
from posenc import __main__ as command
from tests.identification_tables import Made

SCALINGS = r"\b(Linear|NTK|DynamicNTK|SteppedNTK|Proportional|Llama3|YaRN|LongRoPE)\b"
NUMBER = r"(\d+(?:[,_]\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?)"
FAR = 4  # times as many rows as the table has are compared


def faults(made: Made) -> list[str]:
    """What is wrong with the answer that the command prints about a table."""
    held = made.table if isinstance(made.table, dict) else {"table": made.table}
    (report,) = command.reports(iter(held.items()), "table", None)
    lines = [line for line in report.lines() if not line.startswith("  nearest:")]
    said = "\n".join(lines)
    left_out = omissions(made, report.answer, said) if made.known else ()
    return [*falsehoods(made, report.answer, said), *left_out]


def falsehoods(made: Made, answer: Any, said: str) -> Iterator[str]:
    """Each base, scaling or convention that `answer` states and that is wrong."""
    shown = [fault for match in answer.matches if (fault := _differs(made, match))]
    yield from shown
    for name in set(re.findall(SCALINGS, said)) - set(made.scalings):
        yield f"scaling {name}"
    near = [_base(match) for match in answer.matches] if made.at and not shown else []
    alike = re.search(rf"all from {NUMBER} to {NUMBER} look the same", said)
    if alike and any(_value(alike[1]) <= 1.001 * b <= 1.002 * _value(alike[2]) for b in made.bases):
        near += [_base(match) for match in answer.matches]
    for number in re.findall(rf"\bbase(?:=| of | is | )?{NUMBER}", said):
        if not any(_is_near(made, _value(number), base) for base in (*made.bases, *near) if base):
            yield f"base {number}"
    for pattern in made.never:
        if re.search(pattern, said, re.M):
            yield f"says {pattern}"
    if answer.matches and made.at is None and not (made.bases or made.words):
        yield "a match"


def omissions(made: Made, answer: Any, said: str) -> Iterator[str]:
    """Whatever an answer about a known table has to state and does not."""
    for pattern in made.words:
        if not re.search(pattern, said, re.I):
            yield f"lacks {pattern}"
    named = [_value(number) for number in re.findall(rf"base\D{{,4}}{NUMBER}", said)]
    named += [base for match in answer.matches if (base := _base(match))]
    agrees = made.at is not None and any(not _differs(made, match) for match in answer.matches)
    if not agrees and not any(_is_near(made, one, base) for one in named for base in made.bases):
        yield f"lacks the base {made.bases[0]:g}"
    if not answer and made.at is not None:
        yield "no match"
    if made.first is not None and answer and not made.words:
        start = getattr(answer.match.convention, "start", made.first)
        scale = getattr(answer.match.convention, "angle_scale", 1.0)
        if abs(abs(start * scale) - made.first * abs(scale)) > 0.02 and scale == made.step:
            yield f"start {start:g}, not {made.first:g}"


def _value(number: str) -> float:
    return float(number.replace(",", "").replace("_", ""))


def _base(match: Any) -> float | None:
    kind = getattr(match.convention, "axis", getattr(match.convention, "rotary", match.convention))
    return getattr(kind, "base", None)


def _is_near(made: Made, one: float, base: float) -> bool:
    return abs(one / base - 1) <= (0.02 if made.fine > 1e-6 else 1e-3)


def _differs(made: Made, match: Any) -> str:
    """What of the stated encoding differs from the true one, in rows that go on."""
    kind = match.convention
    table = made.table if not isinstance(made.table, dict) else np.stack(list(made.table.values()))
    leaves_out = any(one.code == "others" for one in match.findings)  # it says which columns
    if made.at is None or made.first is None or match.mistakes or leaves_out:
        return ""
    count = np.arange(float(FAR * table.shape[-2]))
    true = made.at(made.first + made.step * count)
    if isinstance(kind, Convention):
        found = kind.encode(kind.start + count, table.shape[-1])
    elif isinstance(kind, RotaryCache):
        places = match.positions or (kind.start, kind.start + 1)
        even = len(places) > 1 and np.ptp(np.diff(places)) < 1e-6
        step = places[1] - places[0] if even else 1  # rows that jump or restart do not go on
        found = kind.at(places[0] + step * count)
    else:
        return f"a {type(kind).__name__}"
    if found.shape != true.shape:
        return f"shape {found.shape} for {true.shape}"
    size = np.abs(true).max()
    off = float(np.sqrt(np.mean((found - true) ** 2)) / size)
    limit = max(1e-3, 30 * made.fine / size)
    return f"its rows differ by {off:.1e}: {kind}" if off > limit else ""
