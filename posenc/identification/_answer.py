"""The answer of `identify`: what matches, what comes nearest, and what was noticed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification._words import Finding
from posenc.rotary import Rotary
from posenc.rotary._caches import AxialCache, RotaryCache
from posenc.rotary.axes import AxialRotary

Maker = Convention | Grid | RotaryCache | AxialCache | Rotary


@dataclass(frozen=True, kw_only=True)
class Match:
    """A convention that makes the table, within the tolerance.

    `convention` is a `Convention`, a `Grid`, a `RotaryCache` or an `AxialCache`, and `error` is the
    largest difference from the table, as a fraction of the amplitude. `libraries` are the names in
    `CONVENTIONS` or `GRIDS` that agree except for the amplitude; the table begins at row
    `first_row` of theirs, after `zero_rows` rows of zeros. `mistakes` explain a table that no
    library makes; if no convention makes it either, `convention` is the one that the author
    probably meant. `points` is (height, width) of a grid. `positions` has the position of each row
    if they are not counted. Of a vector of inverse frequencies, `convention` is the `Rotary` that
    has them, and `error` a fraction of each.

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
    positions: tuple[float, ...] | None = field(default=None, repr=False)
    made: npt.NDArray[Any] | None = field(default=None, repr=False, compare=False)

    @property
    def rotary(self) -> Rotary | AxialRotary | None:
        """The rotary encoding of the table, None if a `Convention` or a `Grid` makes it."""
        if isinstance(self.convention, RotaryCache | AxialCache):
            return self.convention.rotary
        return self.convention if isinstance(self.convention, Rotary) else None

    def table(self) -> npt.NDArray[Any]:
        """The table that explains the input, in the shape of the input.

        Cosines and sines that came as a mapping have shape `(2, n, width)`. Raises ValueError if
        `identify` did not make this match.

        >>> from posenc import identify
        >>> identify(Convention(amplitude=3).table(20, 4)).match.table()[0]
        array([0., 3., 0., 3.])
        """
        if self.made is None:
            raise ValueError("the match must come from identify, got one without a table")
        return self.made.copy()


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
