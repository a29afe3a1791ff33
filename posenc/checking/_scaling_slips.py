"""Slips of the scalings for long texts: ignored, another rule, another number, upside down."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, localcontext
from typing import Any

from posenc.checking._frequency_slips import number, with_frequencies, with_source
from posenc.checking.recipes import Recipe
from posenc.rotary._bands import Llama3, LongRoPE, YaRN
from posenc.rotary._exact import EXACT, progression
from posenc.rotary._given import Given
from posenc.rotary._rotary import Rotary
from posenc.rotary._scalings import NTK, Linear, Proportional, Scaling

Change = Iterator[tuple[str, Recipe]]
_FACTORS = (2, 4, 8, 16, 32, 40, 64)
_LENGTHS = (2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144)


def _scaling(right: Recipe) -> Scaling | None:
    """The scaling of an encoding in one coordinate, unless its frequencies are given."""
    own = right.source.scaling if isinstance(right.source, Rotary) else None
    return None if isinstance(own, Given) else own


def _changed(right: Recipe, **options: Any) -> Recipe | None:
    """`right` with other options of its scaling."""
    own: Any = _scaling(right)
    try:
        return with_source(right, scaling=replace(own, **options))
    except ValueError:
        return None


def ignored(right: Recipe) -> Change:
    own = _scaling(right)
    wrong = None if own is None else with_source(right, scaling=None)
    if wrong is None:
        return
    name = type(own).__name__
    yield f"the scaling {name} is ignored", wrong
    attention = right.rotary.attention
    if attention != 1:
        words = f"the frequencies are not scaled by {name}, the attention factor counts"
        yield words, replace(wrong, rotary=replace(wrong.rotary, attention=attention))


def another(right: Recipe) -> Change:
    own: Any = _scaling(right)
    factor = getattr(own, "factor", None)
    if isinstance(right.source, Rotary) and right.source.scaling is None:
        for usual in (8, 32):
            wrong = with_source(right, scaling=Llama3(usual))
            if wrong is not None:
                yield f"frequencies are scaled by Llama3({usual}) instead of not at all", wrong
    if factor is None or factor == 1:
        return
    trained = getattr(own, "original_max_position_embeddings", 4096)
    yarn = YaRN(factor, original_max_position_embeddings=trained)
    others: list[Scaling] = [Linear(factor), NTK(factor), Llama3(factor), yarn]
    for other in others:
        wrong = None if type(other) is type(own) else with_source(right, scaling=other)
        if wrong is not None:
            names = type(other).__name__, type(own).__name__
            words = f"the scaling is {names[0]} by {number(factor)} instead of {names[1]}"
            yield words, wrong
            attention = right.rotary.attention
            if attention != wrong.rotary.attention:
                kept = replace(wrong, rotary=replace(wrong.rotary, attention=attention))
                yield f"{words}, with its attention factor", kept


def factor(right: Recipe) -> Change:
    own: Any = _scaling(right)
    held = getattr(own, "factor", None)
    if held is None or isinstance(own, LongRoPE):
        return
    for one in (1 / held, *_FACTORS):
        wrong = _changed(right, factor=one)
        if wrong is None or one == held:
            continue
        if one == 1 / held:
            yield f"the scaling multiplies by the factor {number(held)} instead of dividing", wrong
        else:
            yield f"the scaling's factor is {number(one)} instead of {number(held)}", wrong


def trained(right: Recipe) -> Change:
    own: Any = _scaling(right)
    for name in ("original_max_position_embeddings", "max_position_embeddings"):
        held = getattr(own, name, None)
        if held is None or isinstance(own, LongRoPE):
            continue
        others = {held * getattr(own, "factor", 1), *_LENGTHS} - {held}
        plain = with_source(right, scaling=None)
        for one in sorted(others):
            wrong = _changed(right, **{name: one})
            if wrong and plain and wrong.rotary != plain.rotary:
                yield f"{name} is {number(one)} instead of {number(held)}", wrong


def band(right: Recipe) -> Change:
    """Options of the ramp between fast and slow pairs."""
    own = _scaling(right)
    changes: dict[str, dict[str, Any]] = {}
    if isinstance(own, YaRN):
        rule = "is rounded to whole pairs" if not own.truncate else "is not rounded to whole pairs"
        changes[f"the ramp of YaRN {rule}"] = {"truncate": not own.truncate}
        swapped = {"beta_fast": own.beta_slow, "beta_slow": own.beta_fast}
        changes["beta_fast and beta_slow are exchanged"] = swapped
        if (own.beta_fast, own.beta_slow) != (32, 1):
            given = f"{number(own.beta_fast)} and {number(own.beta_slow)}"
            changes[f"beta_fast and beta_slow are 32 and 1 instead of {given}"] = {
                "beta_fast": 32,
                "beta_slow": 1,
            }
    if isinstance(own, Llama3):
        ends = {"low_freq_factor": own.low_freq_factor, "high_freq_factor": own.high_freq_factor}
        low, high = ends.values()
        changes["pairs between the bands are kept whole"] = {"high_freq_factor": low * (1 + 1e-9)}
        changes["pairs between the bands are divided"] = {"low_freq_factor": high * (1 - 1e-9)}
        if (low, high) != (1, 4):
            given = f"{number(low)} and {number(high)}"
            changes[f"low_freq_factor and high_freq_factor are 1 and 4 instead of {given}"] = {
                "low_freq_factor": 1,
                "high_freq_factor": 4,
            }
    for words, options in changes.items():
        wrong = _changed(right, **options)
        if wrong is not None:
            yield words, wrong


def upside_down(right: Recipe) -> Change:
    own, source = _scaling(right), right.source
    if isinstance(own, YaRN | Llama3) and isinstance(source, Rotary):
        with localcontext(EXACT):
            plain = progression(source.base, 2 * len(right.rotary.axes))
            whole = 1 + 1 / Decimal(own.factor)
            pairs = zip(plain, right.rotary._exact, strict=True)
            exact = [one * whole - Decimal(scaled) for one, scaled in pairs]
        words = "the ramp is upside down: fast pairs are divided and slow ones kept"
        yield words, with_frequencies(right, exact)


def text(right: Recipe) -> Change:
    """The length of the text counts wrongly."""
    own, source = _scaling(right), right.source
    if not isinstance(source, Rotary):
        return
    if isinstance(own, LongRoPE):
        other: Any = replace(own, short_factor=own.long_factor, long_factor=own.short_factor)
        long = own._is_long(right.length)
        words = ("short_factor", "long_factor") if long else ("long_factor", "short_factor")
        wrong = with_source(right, scaling=other)
        if wrong is not None and own.short_factor != own.long_factor:
            yield f"{words[0]} is used instead of {words[1]}", wrong
    elif own is not None and right.length is not None and math.isfinite(own.longest()):
        early = with_source(replace(right, length=None), scaling=own)
        wrong = early and replace(early, length=right.length)
        if wrong and right.length > own.longest():
            words_ = f"the length {number(right.length)} is ignored: frequencies are those of a"
            yield f"{words_} text of {number(own.longest())} positions", wrong


def attention_rule(right: Recipe) -> Change:
    own: Any = _scaling(right)
    factor, held = getattr(own, "factor", None), right.rotary.attention
    if factor is None or factor <= 1:
        return
    scales = {1.0}
    if isinstance(own, YaRN):
        scales |= {own.mscale, own.mscale_all_dim} - {0}
    for scale in sorted(scales):
        value = 0.1 * scale * math.log(factor) + 1
        if abs(value - held) > 1e-9:
            rule = f"0.1 m ln {number(factor)} + 1 with m = {number(scale)}"
            words = f"the attention factor is {value:.5g} ({rule}) instead of {held:.5g}"
            yield words, replace(right, rotary=replace(right.rotary, attention=value))


def proportional(right: Recipe) -> Change:
    own, source = _scaling(right), right.source
    if not isinstance(own, Proportional) or not isinstance(source, Rotary):
        return
    turning = sum(one > 0 for one in right.rotary._exact)
    if not 0 < turning < len(right.rotary._exact):
        return
    first = replace(
        right.rotary, _exact=right.rotary._exact[:turning], axes=right.rotary.axes[:turning]
    )
    head = len(right.rotary._exact)
    if right.rotary.layout == "halves":
        words = f"feature i is paired with i + {turning} instead of i + {head}"
        yield words, replace(right, rotary=first)
    plain = replace(source, scaling=Linear(own.factor), rotary_dim=2 * turning)
    exact = plain._decimals(None)
    words = f"the exponent divides by the {2 * turning} features that turn instead of by {2 * head}"
    yield words, with_frequencies(right, [*exact, *right.rotary._exact[turning:]])
    yield (
        f"it is a partial rotation of the first {2 * turning} features instead of Proportional",
        replace(right, rotary=replace(first, _exact=exact)),
    )
