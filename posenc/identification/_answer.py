"""The answer of `identify`: what matches, what comes nearest, and what was noticed."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any

from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification._cache import AxialCache, RotaryCache
from posenc.identification._words import Finding

Maker = Convention | Grid | RotaryCache | AxialCache


@dataclass(frozen=True, kw_only=True)
class Match:
    """A convention that makes the table, within the tolerance.

    `convention` is a `Convention`, a `Grid`, a `RotaryCache` or an `AxialCache`, and `error` is the
    largest difference from the table, as a fraction of the amplitude. `libraries` are the names in
    `CONVENTIONS` or `GRIDS` that agree except for the amplitude; the table begins at row
    `first_row` of theirs, after `zero_rows` rows of zeros. `mistakes` explain a table that no
    library makes; if no convention makes it either, `convention` is the one that the author
    probably meant. `points` is (height, width) of a grid.

    >>> Match(convention=Convention(), error=0.0, libraries=("trax",)).mistakes
    ()
    """

    convention: Maker
    error: float
    libraries: tuple[str, ...] = ()
    mistakes: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()
    first_row: int = 0
    zero_rows: int = 0
    points: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True)
class NearMiss:
    """The candidate that comes nearest to a table that nothing matches.

    `error` is its largest difference from the table and `typical` the root of the mean
    square, as fractions of the amplitude. If only the order of rows or columns differs, both
    are the largest difference that is left after reordering. `rows` and `columns` are those
    that do not fit, counted from 0; both are empty if the difference is everywhere. `findings`
    say why.

    >>> NearMiss(convention=Convention(), error=0.3, typical=0.02, rows=(7,)).rows
    (7,)
    """

    convention: Maker
    error: float
    typical: float
    libraries: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Identification:
    """What `identify` found out about a table; false if nothing matches.

    `matches` has the best match first, and `nearest` is the nearest miss if there is none.
    `rows_used` rows were compared with an error of at most `tolerance`; `rows_ignored` hold
    only zeros. `findings` hold for the table as a whole.

    >>> answer = Identification()
    >>> bool(answer), answer.match
    (False, None)
    """

    matches: tuple[Match, ...] = ()
    nearest: NearMiss | None = None
    rows_used: int = 0
    rows_ignored: tuple[int, ...] = ()
    findings: tuple[Finding, ...] = ()
    tolerance: float = 1e-3

    @property
    def match(self) -> Match | None:
        """The best match, None if there is none."""
        return self.matches[0] if self.matches else None

    def __bool__(self) -> bool:
        return bool(self.matches)


def code(kind: Any) -> str:
    """`kind` as Python code, with only the options that differ from their defaults."""
    written = []
    for field in fields(kind):
        value = getattr(kind, field.name)
        if isinstance(kind, AxialCache) and field.default is MISSING:
            written += [f"rotary={kind.made_by}"] if field.name == "rotary" else []
            continue
        if field.default is MISSING:
            written.append(f"{field.name}={_plain(value)}" if field.kw_only else _plain(value))
        elif value != field.default and (field.name, value) != (
            "rotary_dim",
            kind.__dict__.get("head_dim"),
        ):
            written.append(f"{field.name}={_plain(value)}")
    return f"{type(kind).__name__}({', '.join(written)})"


def _plain(value: Any) -> str:
    """`value` as code; an integer instead of a float with no fraction and at most 16 digits."""
    if is_dataclass(value):
        return code(value)
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e16
    return repr(int(value) if whole else value)
