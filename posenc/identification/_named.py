"""Say which rows of a library's table a table holds: from row 100, after a row of zeros."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from posenc.conventions import Convention
from posenc.identification._answer import Match
from posenc.identification._rows import Rows
from posenc.identification._words import Finding, finding, rows_in_words
from posenc.libraries import FALLING


def named(
    match: Match, kind: Convention, rows: Rows, libraries: Mapping[Convention, tuple[str, ...]]
) -> Match:
    """Add to `match` where its rows lie in the table of `libraries`, and what else looks the same.

    `kind` is its convention at amplitude 1, and row 0 of the table is at its `start`.
    """
    if match.mistakes:
        return match
    if kind.angle_scale < 0:
        return _falling(match, kind, rows)
    if not match.libraries:
        match = _moved(match, kind, int(rows.places[0]), libraries)
    found = (*match.findings, *_rotary(kind, rows.width))
    if not match.libraries and rows.width == 4 and kind.angle_scale != 1:
        found = (*found, finding("two-pairs"))
    return replace(match, findings=found)


def _falling(match: Match, kind: Convention, rows: Rows) -> Match:
    """A table whose positions fall, as relative encodings have them."""
    first = 0.0 - kind.start  # not -0.0
    last = first - float(rows.places[-1])
    whole = replace(kind, start=0.0) == Convention(angle_scale=-1)
    libraries = FALLING if whole and first == -last else match.libraries
    found = (finding("falling", first=f"{first:.12g}", last=f"{last:.12g}"),)
    return replace(match, libraries=libraries, findings=found)


def _moved(
    match: Match, kind: Convention, zeros: int, libraries: Mapping[Convention, tuple[str, ...]]
) -> Match:
    """`match` with the library whose table begins earlier, or after rows of zeros."""
    start = kind.start + zeros  # the position of the first row that is not zero
    rows = [
        (start - other.start, names)
        for other, names in libraries.items()
        if replace(kind, start=other.start) == other
    ]
    whole = [(row, names) for row, names in rows if row >= 0 and row.is_integer()]
    first, names = max(whole, default=(0.0, ()))
    amplified = match.convention
    assert isinstance(amplified, Convention)
    found = [finding("after-zeros", rows=rows_in_words(zeros))] if zeros else []
    if first:
        found.append(finding("from-row", row=int(first)))
    return replace(
        match,
        convention=replace(amplified, start=start),
        libraries=names,
        findings=tuple(found),
        first_row=int(first),
        zero_rows=zeros,
    )


def _rotary(kind: Convention, width: int) -> tuple[Finding, ...]:
    """A rotary cache with each pair once has the same columns as some conventions."""
    layout = (kind.arrangement, kind.order)
    if width % 2 or kind.freq_shift or kind.spread or layout == ("interleaved", "sin_first"):
        return ()
    halves = {
        ("halves", "sin_first"): "sines, then cosines",
        ("halves", "cos_first"): "cosines, then sines",
        ("interleaved", "cos_first"): "cosine and sine of each pair",
    }[layout]
    return (finding("rotary-too", halves=halves),)
