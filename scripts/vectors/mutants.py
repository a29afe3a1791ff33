"""Outputs of slips, which a test of right code has to refuse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.checking.recipes import Recipe, TableRecipe
from posenc.checking.slips import ROTARY_SLIPS, TABLE_SLIPS, Slip
from posenc.relative import alibi_slopes, t5_buckets
from posenc.rotary import Rotary
from scripts.vectors import encodings
from scripts.vectors.cases import Case
from scripts.vectors.exact import Array, Outputs
from scripts.vectors.tolerances import Tolerance

_MARGIN = 2.0  # times the tolerance: far enough for the rounding of the mutant itself
_MOST = 4  # of the slips in posenc.checking, for each case; half for wide heads
_NARROW = 64


@dataclass(frozen=True)
class Mutant:
    """What a slip makes of one output; `loosest` is the coarsest dtype in which it shows."""

    slip: str
    words: str
    output: str
    values: npt.NDArray[Any]
    loosest: str = ""


def mutants(
    case: Case, number: int, found: Outputs, allowed: dict[str, Tolerance], queries: Array
) -> list[Mutant]:
    """Slips that show in float32. The `number` of the case chooses which slips come first."""
    if case.kind in ("rotary", "axial"):
        most = _MOST if queries.shape[1] <= _NARROW else _MOST // 2
        both = islice(_seen(_rotations(case, number, queries), found, allowed), most)
        made: Iterator[Mutant] = chain(both, _seen(_scores(found), found, allowed))
    elif case.kind == "sinusoidal":
        made = islice(_seen(_tables(case, number), found, allowed), _MOST)
    else:
        own = {"grid": _grids, "alibi": _biases, "t5": _buckets}[case.kind]
        made = _seen(own(case, found), found, allowed)
    return list(made)


def _seen(
    wrongs: Iterator[Mutant], found: Outputs, allowed: dict[str, Tolerance]
) -> Iterator[Mutant]:
    """The mutants that are far enough from the right output."""
    for wrong in wrongs:
        right = found[wrong.output]
        values = np.asarray(wrong.values, np.float32)
        if values.shape != right.shape or not np.isfinite(values).all():
            continue
        off = np.abs(values - right).max(axis=1)
        dtypes = [
            dtype for dtype, one in allowed.items()
            if (off > _MARGIN * np.array(one[wrong.output])).any()
        ]  # fmt: skip
        if "float32" in dtypes:
            yield replace(wrong, values=values, loosest=dtypes[-1])


def _turn(slips: tuple[Slip, ...], number: int) -> tuple[Slip, ...]:
    """The slips, from another one on for each case."""
    first = number * _MOST % len(slips)
    return slips[first:] + slips[:first]


def _rotations(case: Case, number: int, queries: Array) -> Iterator[Mutant]:
    encoding = encodings.rotary(case.options)
    if isinstance(encoding, Rotary):
        right = Recipe.of(encoding, length=case.options["length"])
        points = np.array(case.positions)[:, 0]
    else:
        right = Recipe.of(encoding, base=case.options.get("base"))
        points = np.array(case.positions)
    for slip in _turn(ROTARY_SLIPS, number):
        for words, recipe in islice(slip.changes(right), number % 2, number % 2 + 1):
            with np.errstate(invalid="ignore", over="ignore"):  # float16 ends at 65,504
                yield Mutant(slip.kind, words, "q", recipe.rotate(queries, points))


def _scores(found: Outputs) -> Iterator[Mutant]:
    if "scores" in found:
        scores, scale = found["scores"], found["score_scale"][0, 0]
        yield Mutant(
            "score scale", "scores are not multiplied by their scale", "scores", scores / scale
        )
        factor = found["score_factor"][0, 0]
        words = f"the factor {factor:.5g} of the scores is missing"
        yield Mutant("score factor", words, "scores", scores / factor)


def _tables(case: Case, number: int) -> Iterator[Mutant]:
    kind = encodings.convention(case.options)
    for slip in _turn(TABLE_SLIPS, number):
        for words, recipe in islice(slip.changes(TableRecipe.of(kind)), number % 2, number % 2 + 1):
            points = np.array(case.positions)
            if recipe.steps.plain:
                places = recipe.steps.moved(points)[:, 0]
                table = recipe.convention.encode(places, case.options["width"])
                yield Mutant(slip.kind, words, "table", recipe.steps.tabled(table))


def _grids(case: Case, _: Any) -> Iterator[Mutant]:
    own = case.options
    others = {
        "axes": {"xy": "yx", "yx": "xy"},
        "listed": {"rows": "columns", "columns": "rows"},
        "order": {"sin_first": "cos_first", "cos_first": "sin_first"},
    }
    changes: dict[str, Any] = {name: other[own[name]] for name, other in others.items()}
    changes |= {"normalized": not own["normalized"], "start": 1 - own["start"]}
    for name, value in {**changes, "base": 2 * own["base"]}.items():
        wrong = encodings.grid(own | {name: value})
        table = wrong.table((own["height"], own["grid_width"]), 2 * own["width"])
        words = f"{name} is {value} instead of {own[name]}"
        yield Mutant(f"grid {name}", words, "table", table)


def _biases(case: Case, found: Outputs) -> Iterator[Mutant]:
    heads, slopes = case.options["heads"], found["slopes"]
    more = alibi_slopes(2 ** (heads - 1).bit_length())[:heads]
    yield Mutant("slopes order", "the flattest slope comes first", "slopes", slopes[:, ::-1])
    yield Mutant("slopes count", "the slopes are those of more heads", "slopes", more[None])
    yield Mutant("slopes exponent", "the exponents begin at 0", "slopes", slopes * 2 ** (8 / heads))
    yield Mutant("bias sign", "near keys get the penalty", "bias", -found["bias"])


def _buckets(case: Case, _: Any) -> Iterator[Mutant]:
    offsets = np.array(case.positions)[:, 0].astype(int)
    options = case.options
    side = {"bidirectional": not options["bidirectional"]}
    far = {"max_distance": 2 * options["max_distance"]}
    wrongs = {
        "bucket direction": ("query minus key is given", t5_buckets(-offsets, **options)),
        "bucket side": ("the other half of the model", t5_buckets(offsets, **options | side)),
        "bucket reach": ("max_distance is twice as far", t5_buckets(offsets, **options | far)),
    }
    for name, (words, values) in wrongs.items():
        yield Mutant(name, words, "buckets", values[None])
