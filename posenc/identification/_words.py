"""The code and the words of everything that `identify` notices; the site's page has the same."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

MISTAKES = {
    "exponent-doubled": "the exponent is doubled",
    "cosine-exponent": "each cosine's exponent differs from its sine's",
    "cosine-exponent-doubled": (
        "each cosine's exponent differs from its sine's, and exponents are doubled"
    ),
    "exponent-0": "integer division makes every exponent 0",
    "exponent-0-or-1": "integer division makes every exponent 0 or 1",
    "exponent-0-or-1-each": "integer division makes each column's own exponent 0 or 1",
    "exponent-sign": "the sign of the exponent is lost: frequencies grow from pair to pair",
    "sine-sign": "every sine has the other sign",
    "two-layouts": "cosines and sines stand in different layouts: halves and side by side",
    "factor-minus-1": "integer division makes the exponent's factor -1",
    "cosines-zero": "the cosines are missing, their columns hold zeros",
    "cosines-are-sines": "the cosines are missing, their columns hold sines",
    "swapped": "sine and cosine are swapped",
    "from-one": "positions are counted from 1",
    "transposed": "positions run along the columns: transpose the table",
}
FINDINGS = {
    "one-row": "one row cannot decide: many conventions make it",
    "vague": "its rows are too few or too alike: many encodings make it",
    "angles": (
        "its columns are straight lines, as angles are before sine and cosine are taken:"
        " from row to row they change by {list}"
    ),
    "loose": (
        "values are off, typically by {typical}, which no rounding explains: perhaps another"
        " base, or other numbers of the scaling"
    ),
    "beside": "{turned} features turn by base {base}, beside {stay} that stay or hardly turn",
    "doubled": "a doubled exponent gives such frequencies too",
    "all-zeros": "every value is 0",
    "equal-rows": "all rows are equal: one position, or one row, for every token",
    "zero-frequencies": (
        "no pair turns: every frequency is zero or nearly so, as if it was never filled"
    ),
    "mostly-zeros": (
        "{count} of {rows} rows hold only zeros: this happens when a table is cast to integers"
    ),
    "equal-slices": "the {count} tables in shape {shape} are equal: one was used",
    "rough": "its values are rounded to {format}: compared with a tolerance of {tolerance}",
    "rounded": "{what} rounded to {format}, base {base}",
    "dynamic": (
        "a dynamic NTK cache of factor {factor} is left like this"
        " by a text of {times} times the trained length"
    ),
    "begins": "the same as {which} of frequencies {power}",
    "float32-far": (
        "differs by {near} in the first {rows} rows and by {error} at most: "
        "at far positions float32 angles are that rough"
    ),
    "from-row": "from row {row} of the table",
    "after-zeros": "after {rows} of zeros",
    "exchanged": "the sines stand in the place of the cosines",
    "falling": "positions fall from {first} to {last}: reverse the order of the rows",
    "growing": "its frequencies grow, to {list} times the first{end}",
    "two-pairs": "any two frequencies fit some base and scale",
    "rotary-too": "a rotary cache that holds {halves} looks the same",
    "cosines-missing-too": "a table whose {missing} are missing looks the same",
    "grid": "a grid of {height} x {width} points",
    "grid-turned": (
        "the same table is a grid of {height} x {width} points listed column by column,"
        " as meshgrid's other indexing gives"
    ),
    "waves": (
        "sines and cosines of no known encoding: their frequencies in radians per row are {list}"
    ),
    "noise": (
        "values in most rows and columns are off, typically by {typical}: "
        "perhaps trained further, rounded, or with noise added"
    ),
    "other-rows": "{count} of {rows} rows do not fit: {list}",
    "other-columns": "{count} of {width} columns do not fit: {list}",
}
OF_COMMAND = {  # those that the page does not look for
    "equal-rows-at": "all rows are equal: each is row {row} of the table of {names}",
    "dynamic-perhaps": "perhaps a dynamic cache of base {base} that a long text left so: {list}",
    "others": "columns left out, which the others do not explain: {list}",
    "grows-as": "they grow from pair to pair as if the sign of the exponent was lost, base {base}",
    "falls-as": "they fall as those of base {base}",
    "padded": "{rows} at position {place}, as padding does; the others are counted from {first}",
    "points": "a grid of {size} points, from {first} in steps of {steps}",
    "faster": "its {one} coordinate changes faster than its {other}",
    "in-turn": "its pairs take the coordinates in turn",
    "origin": "after {rows} at the origin",
    "mixed": "a text, then points with several coordinates",
    "jumps": "its rows jump: {list}",
    "restarts": "its positions start again at {first}: {rows}",
    "mirrored": "its positions fall from {first} to 0 and rise again to {last}",
    "times": "its rows are positions or times {how}, from {first} to {last}",
    "line": (
        "column {column} is the coordinate itself, a line from {first} in steps of {step}: in its"
        " unit, the frequencies of the others are {list}"
    ),
    "divisors": (
        "its cosines and sines are {size} long; as LongRoPE they would be"
        " 10000 ** (-2 i / d) divided by {list}"
    ),
    "columns-moved": "its columns are in another order: {list}",
    "rows-moved": "its rows are in another order: {list}",
    "places-rounded": "its positions, from {first} on, are rounded to {format}",
    "every-nth-row": "it holds one row in {step}, from row {first}",
}


@dataclass(frozen=True)
class Finding:
    """Something that `identify` noticed: a `code` that does not change, and `words` to read.

    >>> print(Finding("from-row", "from row 3"))
    from row 3
    """

    code: str
    words: str

    def __str__(self) -> str:
        return self.words


def mistake(code: str) -> Finding:
    """The known mistake of this code."""
    return Finding(code, MISTAKES[code])


def finding(code: str, **values: int | str) -> Finding:
    """The finding of this code, with `values` in its words."""
    return Finding(code, {**FINDINGS, **OF_COMMAND}[code].format(**values))


def rows_in_words(count: int) -> str:
    """How many rows, in words."""
    return "one row" if count == 1 else f"{count} rows"


def series(words: list[str], most: int = 3) -> str:
    """The first of `words`, and how many more there are."""
    left = len(words) - most
    return ", ".join(words[:most]) + (f" and {left} more" if left > 0 else "")


def listed(places: list[int], most: int = 5, to: str = "-") -> str:
    """The first runs of `places`, and how many more places there are.

    >>> listed([0, 1, 2, 3, 7, 9, 10, 12], most=3)
    '0-3, 7, 9-10 and 1 more'
    """
    groups = groupby(enumerate(places), lambda one: one[1] - one[0])
    runs = [[place for _, place in group] for _, group in groups]
    shown = [f"{run[0]}{to}{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs[:most]]
    left = sum(map(len, runs[most:]))
    return ", ".join(shown) + (f" and {left} more" if left else "")
