"""Say what comes nearest to a table that nothing matches, or which waves it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, pairwise
from operator import itemgetter

import numpy as np

from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification import _tables
from posenc.identification._answer import Maker, Match, NearMiss
from posenc.identification._caches import _maker, in_order
from posenc.identification._measure import (
    Limits,
    Parts,
    Reading,
    Waves,
    amplitudes,
    caches,
    measured,
    tables,
    wrapped,
)
from posenc.identification._rules import MODELS, Encoding, near_bases
from posenc.identification._tables import Rows
from posenc.identification._words import Finding, finding, listed, series
from posenc.library_grids import GRIDS
from posenc.rotary._caches import RotaryCache

_SOME = 128  # rows that the candidates are compared with
_FEWEST = 4  # rows that are needed to choose between conventions
_ROWS = 8  # with fewer rows, no cache and no wave is looked for
_NEAR = 0.3  # largest mean difference of a near miss; noise differs by more
_OF_CACHE = 0.1  # mean difference: most of a cosine cache is near 1, so others come close
_WILD = 0.25  # mean difference from waves: noise is further off
_LARGE = 4  # times the largest value: a larger amplitude is that of a line
_EVEN = 0.02  # largest relative spread of the rows' squared lengths
_STILL = 0.5  # radians over all rows: any slow change fits a pair that turns less
_SAME = 1e-4  # largest relative difference of two frequencies that count as one
_WHOLE = 0.01  # largest distance of a multiple from a whole number
_MOST = 100  # the largest multiple
_SHOWN = 5
_FAR = 0.35  # of the amplitude: zeros differ from waves by 0.7
_EXPLAINED = 0.35  # of the size of the values: a nearest cache leaves less unexplained
_POWER = 1e-5  # largest difference of the logarithm of a frequency from a rule

Misses = Iterator[NearMiss | None]
Way = Callable[[FloatArray, Rows, Limits], Misses]


def nearest(values: FloatArray, rows: Rows | None, limits: Limits) -> NearMiss | None:
    """The nearest convention, grid or rotary cache to `values` `(n, width)` or `(2, n, width)`."""
    ways: tuple[Way, ...] = (_library, _of_a_part, _moved, _grid, _closest_cache)
    if rows is None:
        rows, ways = Rows(np.arange(float(values.shape[1])), np.hstack(list(values))), ways[1::3]
    else:
        values = rows.values
    found: list[NearMiss] = []
    for way in ways:
        for miss in filter(None, way(values, rows, limits)):
            if miss.rows or (miss.columns and way is _moved):
                return miss
            found += [miss] if way is not _of_a_part else []
    columns = [miss for miss in found if miss.columns]
    return min(columns or found, key=lambda miss: miss.typical, default=None)


def _library(_: FloatArray, rows: Rows, limits: Limits) -> Misses:
    """The nearest convention of a library, unless all are far off."""
    some = rows.sample(_SOME)
    tries = [(_distance(some, unit), kind, names) for kind, names, unit in _known(some)]
    least, kind, names = min(tries, key=itemgetter(0))
    if least < _NEAR:
        yield _described(rows, kind, names, rows.made_by(kind), limits)


def _known(some: Rows) -> Iterator[tuple[Convention, tuple[str, ...], FloatArray]]:
    for kind, names in _tables.libraries(odd=some.width % 2 == 1).items():
        with suppress(ValueError):  # a frequency exceeds float64
            yield kind, names, some.made_by(kind)


def _distance(rows: Rows, unit: FloatArray) -> float:
    """Mean difference as a fraction of the amplitude; a wild value counts as 1."""
    amplitude = _amplitude(rows, unit)
    if amplitude <= 0:
        return np.inf
    return float(np.minimum(np.abs(rows.values / amplitude - unit), 1).mean())


def _amplitude(rows: Rows, unit: FloatArray) -> float:
    """Least squares over the half of the rows that fits best."""
    amplitude = rows.amplitude(unit)
    if amplitude <= 0:
        return amplitude
    apart = np.abs(rows.values / amplitude - unit).mean(axis=1)
    good = apart <= np.median(apart)
    return Rows(rows.places[good], rows.values[good]).amplitude(unit[good])


def _of_a_part(values: FloatArray, rows: Rows, limits: Limits) -> Misses:
    """Conventions and caches that make a quarter of the rows."""
    count = len(rows.places)
    quarter = max(count // 4, _FEWEST)
    for first in range(0, count - quarter + 1, quarter):
        part = values[..., first : first + min(quarter, _SOME), :]
        for match in in_order(part, limits):
            kind = match.convention if not match.mistakes else None
            if isinstance(kind, Convention | RotaryCache):
                kind = replace(kind, amplitude=1.0, start=kind.start - rows.places[first])
                if isinstance(kind, Convention) or kind.start >= 0:
                    yield _described(rows, kind, match.libraries, _made_by(kind, rows), limits)


def _made_by(kind: Convention | RotaryCache, rows: Rows) -> FloatArray:
    if isinstance(kind, Convention):
        return rows.made_by(kind)
    made = kind.at(kind.start + rows.places)
    return np.hstack(list(made)) if made.ndim == 3 else made


def _moved(_: FloatArray, rows: Rows, limits: Limits) -> Misses:
    """A library whose columns are those of `rows` in another order."""
    if rows.width % 2 or len(rows.places) < _FEWEST:
        return
    squares = np.einsum("ij,ij->i", rows.values, rows.values)
    amplitude = float(np.sqrt(2 * squares.mean() / rows.width))
    if np.ptp(squares) > _EVEN * squares.mean() or not amplitude:  # rows are equally long
        return
    some = Rows(rows.places, rows.values / amplitude).sample(_SOME)
    for kind, names, unit in _known(some):
        order = (np.einsum("ij,ij->j", unit, unit) - 2 * some.values.T @ unit).argmin(axis=1)
        error = float(np.abs(some.values - unit[:, order]).max())
        if len({*order.tolist()}) == rows.width and error <= 2 * limits.slack:
            odd = np.flatnonzero(order != np.arange(rows.width)).tolist()
            words = series([f"column {column} is its {order[column]}" for column in odd])
            yield NearMiss(
                convention=replace(kind, amplitude=amplitude),
                error=error,
                typical=error,
                libraries=names,
                columns=tuple(odd),
                findings=(finding("columns-moved", list=words),),
            )


def _grid(_: FloatArray, rows: Rows, limits: Limits) -> Misses:
    """Near square grids, with or without one row before them."""
    for first in (0, 1):
        side = round((int(rows.places[-1]) + 1 - first) ** 0.5)
        if rows.width % 4 or side < 2 or side * side + first != int(rows.places[-1]) + 1:
            continue
        for name, plain in GRIDS.items():
            grid = replace(plain, class_rows=first)
            unit = grid.table((side, side), rows.width)[rows.places.astype(np.intp)]
            if _distance(rows, unit) < _NEAR:
                yield _described(rows, grid, (name,), unit, limits)


def _described(
    rows: Rows, kind: Maker, names: tuple[str, ...], unit: FloatArray, limits: Limits
) -> NearMiss | None:
    """Where `rows` and the candidate differ; None if most rows have the other sign."""
    amplitude = _amplitude(rows, unit)
    if not 0 < amplitude < _LARGE * np.abs(rows.values).max():
        return None
    amplitude = _tables.rounded(amplitude, rows, unit)
    apart, width = np.abs(rows.values / amplitude - unit), rows.width
    if isinstance(kind, Convention):
        kind = replace(kind, amplitude=amplitude)
    elif isinstance(kind, RotaryCache):
        apart /= kind.rotary.attention_factor()
        kind = replace(kind, amplitude=amplitude)
        width //= 2 if kind.part == "both" else 1
    off = apart > limits.slack
    odd_rows = rows.places[off.any(axis=1)].astype(int).tolist()
    odd_columns = np.flatnonzero(off.reshape(-1, width).any(axis=0)).tolist()
    typical = float(np.sqrt((apart**2).mean()))
    if 2 * len(odd_rows) <= len(off):
        odd_columns, counts = [], {"count": len(odd_rows), "rows": len(off)}
        found = finding("other-rows", list=listed(odd_rows), **counts)
    elif 2 * len(odd_columns) <= width:
        odd_rows, counts = [], {"count": len(odd_columns), "width": width}
        found = finding("other-columns", list=listed(odd_columns), **counts)
    else:
        if typical > _FAR:
            return None
        odd_rows = odd_columns = []
        found = finding("noise", typical=f"{typical:.1g}")
    return NearMiss(
        convention=kind,
        error=float(apart.max()),
        typical=typical,
        libraries=names,
        rows=tuple(odd_rows),
        columns=tuple(odd_columns),
        findings=(found,),
    )


def _closest_cache(values: FloatArray, rows: Rows, limits: Limits) -> Misses:
    """The usual cache or table from position 0 whose mean difference is the least."""
    some = np.unique(np.linspace(0, len(rows.places) - 1, 32).astype(np.intp))
    best: tuple[float, RotaryCache | Convention] | None = None
    readings = caches(values, 0.1, np.mean) if len(rows.places) >= _ROWS else ()
    for reading in chain(readings, tables(values) if readings and values.ndim == 2 else ()):
        parts = reading.parts  # a column of a pair may be learned
        waves = measured(parts)
        if waves is None or not waves.amplitude > 0:
            continue
        if waves.apart(parts).mean() > _WILD * waves.amplitude:
            continue
        few = parts.rows(some)
        for kind in (Encoding(2 * parts.pairs, *model) for model in MODELS):
            made = few.waves(np.multiply.outer(some, kind.speeds()))
            apart = float(np.minimum(np.abs(few.values() / waves.amplitude - made), 1).mean())
            if apart < (best[0] if best else _OF_CACHE):
                found = _maker(reading, kind, kind.attention(), 0.0)
                best = best if found is None else (apart, found)
    if best is not None:
        unit = _made_by(best[1], rows)
        left = rows.values - rows.amplitude(unit) * unit
        if np.linalg.norm(left) < _EXPLAINED * np.linalg.norm(rows.values):
            yield _described(rows, best[1], (), unit, limits)


# Waves of no known encoding


def waves_of(values: FloatArray, limits: Limits) -> tuple[Finding, ...]:
    """Findings with the frequencies if each column of `values` is a wave.

    `values` are `(n, width)`, or cosines and sines `(2, n, width)`. One column may be a line.
    """
    if values.shape[-2] < _ROWS:
        return ()
    found = _even(values, limits)
    if found:
        return _told(*found)
    width = values.shape[-1]
    for column in (width - 1, 0) if values.ndim == 2 and width > 2 else ():
        line = values[:, column]
        step = float(line[-1] - line[0]) / (len(line) - 1)
        even = line[0] + step * np.arange(len(line))
        straight = step and np.abs(line - even).max() <= 1e-6 * np.abs(line).max()
        found = _even(np.delete(values, column, axis=1), limits) if straight else None
        if found:
            waves, reading = found
            ends = {"first": f"{line[0]:.4g}", "step": f"{step:.4g}"}
            shown = _frequencies(np.abs(_unwound(waves, reading)) / abs(step))
            return (finding("line", column=column, list=shown, **ends),)
    return ()


def _even(values: FloatArray, limits: Limits) -> tuple[Waves, Reading] | None:
    """The waves of the columns, if each pair turns evenly, and how they are read."""
    columns = values if values.ndim == 2 else np.hstack(list(values))
    far = limits.slack * float(np.abs(columns).max())
    for reading in _pairs(values, columns, limits.slack):
        parts = reading.parts
        if _turns(parts.of(lambda part: part[:, :1]), far) is None:  # so noise costs little time
            continue
        waves = _turns(parts, far)
        if waves is not None and _is_moving(waves, parts):
            return waves, reading
    return None


def _pairs(values: FloatArray, columns: FloatArray, slack: float) -> Iterator[Reading]:
    """Ways to read `values` as pairs of a sine and a cosine, whichever comes first."""
    if values.ndim == 3:
        yield from caches(values, slack)
    elif values.shape[1] % 2 == 0:
        yield from list(caches(values, slack))[2:3]
        yield Reading(Parts(values[:, ::2], values[:, 1::2]))
    yield Reading(Parts(columns, None))


def _turns(parts: Parts, far: float) -> Waves | None:
    """The waves if each pair turns evenly; a column alone may have any phase, or be constant.

    None if a value is off by more than `far`.
    """
    waves = measured(parts)
    assert waves is not None
    angles = np.arange(len(parts))[:, np.newaxis] * waves.turns
    if parts.sines is not None:
        made = parts.waves(waves.phases + angles) * np.tile(waves.size, 2)
    else:
        columns = parts.values()
        one, other = np.cos(angles), np.sin(angles)
        first, second = amplitudes(columns, one, other)
        made = np.where(waves.turns > 0, first, columns[0]) * one + second * other
    return None if np.abs(made - parts.values()).max() > far else waves


def _is_moving(waves: Waves, parts: Parts) -> bool:
    """Whether waves turn far enough to show it; pairs of one length show slow turns too."""
    moves = np.abs(waves.turns) * len(parts) > _STILL
    alike = (
        parts.sines is not None and parts.pairs >= 4 and np.ptp(waves.size) < 1e-3 * waves.size[0]
    )
    return bool(moves.any() and (alike or not (waves.turns[~moves] != 0).any()))


def _unwound(waves: Waves, reading: Reading) -> FloatArray:
    """The turns, of which the first is forwards, with whole turns that cosines alone hide."""
    turns = waves.turns * np.sign(waves.turns[0])
    return turns if reading.parts.sines is None else _tables.unwound(turns)


def _told(waves: Waves, reading: Reading) -> tuple[Finding, ...]:
    found = [finding("waves", list=_frequencies(waves.turns))]
    pairs = len(waves.turns)
    if reading.parts.sines is not None and (ruled := _ruled(_unwound(waves, reading))):
        return (*found, ruled)
    if reading.part is not None and (waves.turns > 0).all() and pairs >= 4:
        factors = 10_000.0 ** (-np.arange(pairs) / pairs) / waves.turns
        rise = (factors[1:] >= 0.95 * factors[:-1]).all()
        if rise and 0.99 <= factors.min() < 2:
            shown = series([f"{factor:.6g}" for factor in factors])
            found.append(finding("divisors", size=f"{waves.amplitude:.5g}", list=shown))
    return tuple(found)


def _ruled(turns: FloatArray) -> Finding | None:
    """The base if the frequencies are its powers, growing or falling."""
    if len(turns) < 4 or not (turns > 0).all():
        return None
    i, logs = np.arange(len(turns)), np.log(turns)
    slope = float(logs[-1] - logs[0]) / i[-1]
    if abs(logs[0]) > _POWER or np.abs(logs - slope * i).max() > _POWER:
        return None
    exact = near_bases(abs(slope) * len(turns))
    base = next((one for one in exact if abs(one / exact[-1] - 1) < _POWER), exact[-1])
    return finding("grows-as" if slope > 0 else "falls-as", base=f"{base:,.12g}")


def _frequencies(turns: FloatArray) -> str:
    """The frequencies in words: as multiples of the least one if they are."""
    steps = wrapped(np.diff(turns))
    even = len(turns) > 2 and np.abs(wrapped(steps - steps[0])).max() <= _SAME * abs(steps[0])
    if even and (np.abs(np.diff(np.abs(turns)) - steps) > 1e-6).any() and abs(turns[0]) < 1e-9:
        return f"{abs(steps[0]):.4g} times 0-{len(turns) - 1}, evenly spaced; whole turns are lost"
    ordered: list[float] = []
    for turn in np.abs(turns).tolist():
        if not any(abs(turn - known) <= _SAME * known for known in ordered):
            ordered.append(turn)
    least = min(turn for turn in ordered if turn)
    times = np.array(ordered) / least
    whole = np.round(times)
    if len(whole) > 2 and whole.max() <= _MOST and np.abs(times - whole).max() <= _WHOLE:
        multiples = sorted(whole.astype(int).tolist())
        spaced = ", evenly spaced" if len({b - a for a, b in pairwise(multiples)}) == 1 else ""
        return f"{least:.4g} times {listed(multiples)}{spaced}"
    spaced = f", evenly spaced in steps of {abs(steps[0]):.4g}"
    return some_of(ordered) + (spaced if even and len(ordered) > 1 else "")


def some_of(numbers: list[float]) -> str:
    """The first ones in words, each once."""
    return series(list(dict.fromkeys(f"{number:.4g}" for number in numbers)), _SHOWN)


def loose(match: Match, values: FloatArray) -> NearMiss:
    """A `match` of which more is left than rounding explains."""
    apart = np.abs(match.table() - values) / np.abs(values).max()
    typical = float(np.sqrt((apart**2).mean()))
    found = finding("loose", typical=f"{typical:.1g}")
    return NearMiss(
        convention=match.convention, error=match.error, typical=typical, findings=(found,)
    )


def no_turn(values: FloatArray, limits: Limits) -> tuple[Finding, ...]:
    """A finding if all rows of `values` are equal but for rounding, () if they are not."""
    for some in (values[..., :2, :], values):  # two rows decide about most tables
        steps = np.abs(np.diff(some, axis=-2))
        if some.shape[-2] < 2 or steps.max() > 1e-9 * np.abs(values).max():
            return ()
    row = values[..., 0, :]
    if values.ndim == 3:
        cosine, sine = row
        if np.ptp(cosine) <= limits.slack * cosine.max() and np.abs(sine).max() <= limits.slack:
            return (finding("zero-frequencies"),)
        row = row.ravel()
    elif row.min() > 0 and np.ptp(row) <= limits.slack * row.max() and abs(row[0] - 1) < 1e-3:
        return (finding("zero-frequencies"),)
    if values.ndim == 2 and values.shape[1] >= 8:
        for _, names, unit in _known(Rows(np.arange(float(_MOST * 100)), values)):
            power = np.linalg.norm(row) / np.sqrt(values.shape[1] / 2)
            apart = np.abs(unit - row / power).max(axis=1) if power else np.ones(1)
            if apart.min() <= limits.slack:
                where = int(apart.argmin())
                return (finding("equal-rows-at", row=where, names=names[0]),)
    return (finding("equal-rows"),)
