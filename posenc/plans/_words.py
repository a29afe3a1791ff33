"""A plan as lines of text, a screenful."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from posenc.plans._data import ENCODINGS
from posenc.plans._groups import Group
from posenc.plans._notes import Difference
from posenc.plans._numerals import numeral
from posenc.rotary._rotary import Rotary
from posenc.rotary._scalings import Proportional, Scaling

if TYPE_CHECKING:
    from posenc.plans._plan import Plan

_FORMATS = {
    "transformers": "config.json of transformers",
    "mistral": "Mistral's params.json",
    "meta": "Meta's params.json",
    "diffusers": "config.json of diffusers",
    "gguf": "metadata of GGUF",
}
_MOST_LAYERS = 6  # numbers of layers in a line


def lines(plan: Plan, length: float | None = None) -> Iterator[str]:
    """The lines of `python -m posenc config`."""
    yield f"{plan.model or 'model type not named'} ({_FORMATS[plan.format]})"
    numbered = [group for group in plan.groups if group.layers is not None]
    for group in plan.groups:
        named = f"{group.name}{_which(group)}"
        count = len(group.layers or ())
        if (
            group.name == "all layers"
            and numbered == [group]
            and group.layers == tuple(range(count))
        ):
            named = f"all {count} layers"
        yield from _group(group, named, length)
    yield from _section("odd", [_prefixed(odd.group, odd.text) for odd in plan.odd], "nothing")
    told = [difference(one) for one in plan.programs]
    yield from _section("programs differ", told, "none that posenc knows of")


def _section(title: str, sentences: list[str], none: str) -> Iterator[str]:
    yield f"{title}: {len(sentences) or none}"
    for sentence in sentences:
        yield f"  {sentence}"


def _prefixed(group: str | None, text: str) -> str:
    return text if group is None else f"{group}: {text}"


def _group(group: Group, name: str, length: float | None) -> Iterator[str]:
    yield f"{name}: {_what(group, length)}"
    if group.axes:
        yield f"  axes    {_axes(group)}"
    if group.window is not None:
        yield f"  window  {group.window:,} positions"
    if group.chunk is not None:
        yield f"  chunk   {group.chunk:,} positions"
    if group.score is not None:
        scale = "" if group.score.scale is None else f" = {group.score.scale:.5g}"
        usual = abs(group.score.factor - 1) < 1e-9
        factor = "" if usual else f", {group.score.factor:.4g} times the usual"
        yield f"  scores  q·k times {group.score.why}{scale}{factor}"
    if group.query is not None:
        yield f"  query   {group.query}"
    if group.note is not None:
        yield f"  note    {group.note}"
    if group.turns:
        yield from _waves(group, length)
        yield f"  Python  {_code(group)}"


def _waves(group: Group, length: float | None) -> Iterator[str]:
    """The wavelengths of the pairs that turn, from the shortest to the longest."""
    try:
        rotary = group.rotary
    except ValueError:
        return
    if isinstance(rotary, Rotary):
        waves = rotary.wavelengths(length)
        turning = waves[np.isfinite(waves)]
        still = len(waves) - len(turning)
        told = f", {still} of {len(waves)} pairs stay" if still else ""
        text = "" if length is None else f" in a text of {length:,g} positions"
        if len(turning):
            ends = f"{numeral(turning.min(), 5)} to {numeral(turning.max(), 5)}"
            yield f"  waves   {ends} positions{text}{told}"


def _code(group: Group) -> str:
    """The encoding as Python code, without options that have their default."""
    if group.rule == "unknown":
        return f"none: {group.note}"
    try:
        rotary = group.rotary
    except ValueError as error:
        return f"none: {error}"
    if isinstance(rotary, Rotary):
        return _made(rotary)
    dims = [2 * count for count in group.sections]
    if group.rule == "blocks":
        return f"axes.blocks({dims}, base={_short(group.base)}, layout={group.layout!r})"
    if group.rule in ("sections", "sections in turn", "ernie"):
        text = _made(group._of_text())
        if group.rule == "ernie":
            time, height, _ = group.sections
            turns = f"axes=[1, 2] * {height} + [0] * {time}, layout={rotary.layout!r}"
            speeds = f"frequencies={text}.frequencies()"
            return f"axes.AxialRotary({rotary.head_dim}, {turns}, {speeds})"
        turn = ", interleaved=True" if group.rule == "sections in turn" else ""
        return f"axes.sections({text}, {list(group.sections)}{turn})"
    layout = f", layout={group.layout!r}" if group.rule == "alternate" else ""
    return f"axes.{group.rule}({group.head_dim}, base={_short(group.base)}{layout})"


def _made(value: Any) -> str:
    """A dataclass as a call, without the fields that have their default."""
    given = []
    for field in fields(value):
        own = getattr(value, field.name)
        whole = field.name == "rotary_dim" and own == value.head_dim
        if field.name != "_" and own != field.default and not whole:
            name = f"{field.name}=" if field.kw_only else ""
            given.append(f"{name}{_short(own)}")
    return f"{type(value).__name__}({', '.join(given)})"


def _short(value: Any) -> str:
    if isinstance(value, Scaling):
        return _made(value)
    if isinstance(value, tuple):
        return f"[{len(value)} numbers]"
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e16
    return repr(int(value) if whole else value)


def _which(group: Group) -> str:
    if group.layers is None:
        return ""
    first = ", ".join(map(str, group.layers[:_MOST_LAYERS]))
    more = ", ..." if len(group.layers) > _MOST_LAYERS else ""
    return f" ({len(group.layers)}: {first}{more})"


def _what(group: Group, length: float | None) -> str:
    if not group.turns:
        return ENCODINGS[group.encoding]
    layout = group.layout or "layout not known"
    base = "not named" if group.base is None else f"{group.base:,.10g}"
    count = group.rotary_dim
    if isinstance(group.scaling, Proportional) and count is not None:  # the other pairs stay
        count = 2 * int(group.scaling.partial_rotary_factor * count / 2)
    turned = f"{count} of {group.head_dim} features turn, {layout}, base {base}"
    return f"{turned}, {_scaling(group, length)}"


def _scaling(group: Group, length: float | None) -> str:
    if group.scaling is None:
        return "no scaling"
    factor = group.attention_factor(length)
    warm = "" if factor == 1 else f", cosine and sine times {factor:.5g}"
    return f"scaling {type(group.scaling).__name__}{warm}"


def _axes(group: Group) -> str:
    names = ", ".join(group.axes)
    counts = ", ".join(map(str, group.sections))
    if group.rule in ("sections", "sections in turn"):
        how = "interleaved: pair by pair in turn" if group.rule != "sections" else "in blocks"
        return f"{names}: {counts} pairs, {how}"
    features = ", ".join(str(2 * count) for count in group.sections)
    return f"{names}: {features} features, by the rule {group.rule!r}"


def difference(one: Difference) -> str:
    """The numbers of one difference in a sentence, which the page repeats."""
    others = "; ".join(f"{name} {_value(value)} ({source})" for name, value, source in one.others)
    return _prefixed(one.group, f"{one.what}: {_value(one.here)} here; {others}")


def _value(value: float | str | None) -> str:
    if value is None:
        return "refuses the file"
    return value if isinstance(value, str) else numeral(value, 5)
