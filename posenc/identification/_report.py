"""The lines that the command prints about the tables of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from inspect import signature

from posenc._output import code
from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification._answer import Identification, Maker, Match, NearMiss
from posenc.identification._identify import identify
from posenc.identification._vectors import as_cache, holds_frequencies, is_certain, named_vector
from posenc.reading._names import paired
from posenc.reading._weights import Array
from posenc.rotary import Rotary, axes
from posenc.rotary._caches import AxialCache, RotaryCache

PAGE = 'section "If nothing fits" of the page "Which encoding is this?"'
_NAMES = 2  # libraries that a line names
_FIRST = ("beside", "rounded")  # findings that stand in the first line
_PARTS = {
    "cos": "cosines",
    "sin": "sines",
    "cos|sin": "cosines, then sines",
    "sin|cos": "sines, then cosines",
    "both": "cosines and sines",
}
_FORMS = {
    "once": "each pair once",
    "halves": "each pair twice, in halves (rotate_half)",
    "interleaved": "each pair twice, side by side (interleaved)",
}


@dataclass(frozen=True)
class Report:
    """A table's name, shape and dtype, and the answer about it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    answer: Identification

    def lines(self, *, every: bool = False) -> Iterator[str]:
        """At most five lines about the table; all that is known if `every`."""
        head = f"{self.name}: {' x '.join(map(str, self.shape))}, {self.dtype}: "
        matches = self.answer.matches
        if not matches:
            yield head + self._failure(every=every)
            yield from self._missed(every=every)
            return
        yield head + title(matches[0], every=every)
        for place, match in enumerate(matches[: None if every else 1]):
            if place:
                yield f"  also {title(match, every=every)}"
            yield from self._matched(match)
        if len(matches) > 1 and not every:
            others = "; ".join(title(match) for match in matches[1:3])
            yield f"  also {others}"

    def _matched(self, match: Match) -> Iterator[str]:
        yield f"  {code(match.convention)}"
        of_what = "each frequency" if isinstance(match.convention, Rotary) else "the amplitude"
        ignored = len(self.answer.rows_ignored)
        kind = "rows" if len(self.shape) > 1 else "pairs"
        left_out = f", {ignored:,} of zeros left out" if ignored else ""
        used = f"{self.answer.rows_used:,} {kind} compared{left_out}"
        yield f"  largest difference {match.error:.1e} of {of_what}, {used}"
        later = [one for one in match.findings if one.code not in _FIRST]
        if found := [*later, *self.answer.findings]:
            yield f"  {'; '.join(map(str, found))}"

    def _failure(self, *, every: bool) -> str:
        near, slack = self.answer.nearest, self.answer.tolerance
        if self.answer.findings and not near:
            return "; ".join(map(str, self.answer.findings))
        if near and near.error <= slack:  # or its rows or columns, but in other places
            how = "near" if near.findings[0].code == "loose" else "made from"
            return f"{how} {title(near, every=every)}"
        return f"no known encoding makes this table to within {slack:g} of its amplitude"

    def _missed(self, *, every: bool) -> Iterator[str]:
        near = self.answer.nearest
        if near is not None:
            size = f"differs by up to {near.error:.1e}, typically {near.typical:.1e}"
            if near.error <= self.answer.tolerance:
                yield f"  {code(near.convention)}; {size}"
            else:
                yield f"  nearest: {title(near, every=every)}, {code(near.convention)}; {size}"
            yield f"  {'; '.join(map(str, near.findings))}"
            if every and (near.rows or near.columns):
                kind = "rows" if near.rows else "columns"
                yield f"  {kind} that do not fit: {list(near.rows or near.columns)}"
        yield f"  see the {PAGE}"


def reports(
    arrays: Iterator[tuple[str, Array]], default: str, tolerance: float | None
) -> list[Report]:
    """A report for each table among `arrays`; arrays named cos and sin are taken together.

    Raises the first error if no array is a table.
    """
    refused: list[Exception] = []
    found: list[Report] = []
    for name, held in paired(arrays):
        one = next(iter(held.values()))
        try:
            is_named, given = holds_frequencies(name, one), held if len(held) > 1 else one
            answer = named_vector(one) if is_named else identify(given, tolerance=tolerance)
        except (ValueError, TypeError) as error:
            refused.append(error)  # skip weights and masks beside the table
            continue
        if one.ndim == 1 and not is_certain(name, answer):
            refused.append(ValueError(f"table must have two axes, got shape {one.shape}"))
            continue
        if "cos_sin" in name:
            answer = replace(answer, matches=tuple(map(as_cache, answer.matches[:1])))
        shape = tuple(size for size in one.shape if size != 1 or one.ndim <= 2)
        found.append(Report(name or default, shape, str(one.dtype), answer))
    if not found:
        raise refused[0] if refused else ValueError("table must have two axes, got no array")
    return found


def title(match: Match | NearMiss, *, every: bool = False) -> str:
    """The match in a few words: its slips, its roundings, the libraries or the kind of table."""
    slips = "; ".join(map(str, match.mistakes)) if isinstance(match, Match) else ""
    before = f"a known mistake: {slips}" if slips else ""
    if slips and isinstance(match.convention, Convention | Grid):
        return before
    rounded = [str(one) for one in match.findings if one.code in _FIRST]
    base = None if rounded else _base(match.convention)
    after = f", base {base:,.12g}" if base else ""
    return "; ".join(filter(None, (before, *rounded, _kind(match, every=every) + after)))


def _base(kind: Maker) -> float | None:
    """The base of a rotary encoding; that of points stands in their call, or is its default."""
    if isinstance(kind, AxialCache):
        given = re.search(r"base=([^,)]+)", kind.made_by)
        if given or "Rotary(" in kind.made_by:
            return float(given[1]) if given else 10_000.0
        name = re.match(r"axes\.(\w+)", kind.made_by)
        usual = signature(getattr(axes, name[1])).parameters.get("base") if name else None
        return usual.default if usual else None  # some count in other ways
    rotary = kind.rotary if isinstance(kind, RotaryCache) else kind
    return rotary.base if isinstance(rotary, Rotary) else None


def _kind(match: Match | NearMiss, *, every: bool) -> str:
    """The libraries, or the kind of table."""
    kind, names = match.convention, match.libraries
    if isinstance(kind, RotaryCache | AxialCache):
        of = " of points" if isinstance(kind, AxialCache) else ""
        return f"a rotary cache{of}: {_PARTS[kind.part]}, {_FORMS[kind.form]}"
    if isinstance(kind, Rotary):
        return "the inverse frequencies of a rotary encoding"
    shown = names if every or len(names) <= _NAMES + 1 else names[:_NAMES]
    listed = ", ".join(shown)
    if len(shown) < len(names):
        listed += f" and {len(names) - len(shown)} others"
    if isinstance(kind, Convention) and replace(kind, start=0.0, amplitude=1.0) == Convention():
        return f"the paper's, as in {listed}" if names else "the paper's"
    if names:
        return f"as in {listed}"
    return (
        "a grid" if isinstance(kind, Grid) else "a convention of none of the libraries that we ran"
    )
