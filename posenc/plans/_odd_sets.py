"""Oddities of one set of rope parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from posenc.plans import _data, _models
from posenc.plans._groups import Group
from posenc.plans._notes import Odd
from posenc.plans._numerals import listed, numeral
from posenc.plans._reading import Config
from posenc.rotary._bands import LongRoPE, YaRN
from posenc.rotary._config import Understood
from posenc.rotary._config_scalings import KINDS, kind_of, read_as, reads_alpha

_ORIGINAL = "original_max_position_embeddings"
_MOST = "max_position_embeddings"


def of_set(read: Understood, parameters: Config, kind: str | None, group: Group) -> Iterator[Odd]:
    """What is odd about the set of one type of layers, or of all."""
    found = [
        *_of_types(parameters, kind, read.own.get("model_type")),
        *_of_lengths(read, parameters, kind, group),
        *_of_attention(parameters, group),
        *_of_sections(group, parameters, read.own.get("model_type")),
    ]
    for code, text in found:
        yield Odd(code, text, kind)


def _of_types(parameters: Config, layers: str | None, model: Any) -> Iterator[tuple[str, str]]:
    kind, other = kind_of(parameters) or "default", parameters.get("type")
    read = read_as(parameters, model) or "default"
    if "rope_type" in parameters and isinstance(other, str) and other != kind:
        yield "two types", f"rope_type is {kind} and type is {other}. rope_type counts."
    if read != kind:
        yield (
            "read as",
            f"The rope type is {kind}. It is read as {read}, as in early files of Phi-3.",
        )
    family = KINDS[read].__name__.removeprefix("_")
    known = {*_data.READ_IN_EVERY_SET, *_data.READ_BY_TYPE[family]}
    if model in _data.MROPE or not _models.is_known(model):
        known |= {"mrope_section", "xdrope_section", "mrope_interleaved"}
    known -= {"truncate"} if layers else set()
    known -= set() if reads_alpha(model) else {"alpha"}
    unread = [name for name in parameters if name not in known]
    if not unread:
        return
    if "rope_type" in parameters or other is not None:
        yield "not read", f"Not read for rope type {kind}: {listed(unread)}."
    else:
        yield "no type", f"There is no rope type, so nothing is scaled. Not read: {listed(unread)}."


def _of_lengths(
    read: Understood, parameters: Config, kind: str | None, group: Group
) -> Iterator[tuple[str, str]]:
    scaling = group.scaling
    original = getattr(scaling, _ORIGINAL, None)
    factor = getattr(scaling, "factor", None)
    if scaling is None:
        yield from _of_longer(read, parameters)
    if scaling is None or original is None or factor is None:
        return
    outer, inner, most = read.full.get(_ORIGINAL), parameters.get(_ORIGINAL), read.full.get(_MOST)
    if inner is None and (outer is None or kind is not None):
        text = f"{_ORIGINAL} is missing. {_MOST} is used in its place: {numeral(original)}."
        yield "no original length", text
    if isinstance(inner, int | float) and isinstance(outer, int | float) and inner != outer:
        told = f"{numeral(outer)} outside and {numeral(inner)} inside the rope parameters"
        yield "two lengths", f"{_ORIGINAL} is there twice, {told}. {numeral(original)} counts."
    if "factor" not in parameters:
        text = f"factor is missing. {_MOST} / {_ORIGINAL} is used: {numeral(factor)}."
        yield "no factor", text
    long = factor * original
    if isinstance(most, int | float) and most and abs(long / most - 1) > 1e-6:
        counts = f"The frequencies follow factor and original length, not {_MOST}."
        if isinstance(scaling, LongRoPE):
            counts = "Here the factor only sets the attention factor."
        product = f"{numeral(factor)} × {numeral(original)} = {numeral(long)}"
        text = f"factor × {_ORIGINAL} is {product}, while {_MOST} is {numeral(most)}. {counts}"
        yield "length", text


def _of_longer(read: Understood, parameters: Config) -> Iterator[tuple[str, str]]:
    """An original length below the longest one, though nothing is scaled."""
    trained = parameters.get(_ORIGINAL, read.full.get(_ORIGINAL))
    most = read.full.get(_MOST)
    if not isinstance(trained, int | float) or not isinstance(most, int | float):
        return
    if trained < most:
        lengths = f"{_ORIGINAL} is {numeral(trained)} and {_MOST} {numeral(most)}"
        yield "not scaled", f"{lengths}, but nothing is scaled."


def _of_attention(parameters: Config, group: Group) -> Iterator[tuple[str, str]]:
    scaling = group.scaling
    if not isinstance(scaling, YaRN):
        return
    named = [name for name in ("mscale", "mscale_all_dim") if parameters.get(name)]
    if len(named) == 1:
        rule = "transformers uses mscale and mscale_all_dim only together, and so does posenc."
        yield "one mscale", f"Only {named[0]} is set. {rule}"
    fast, slow = scaling.beta_fast, scaling.beta_slow
    if fast < slow:
        ramp = "No pair is on the ramp."
        if group._of_text().frequencies()[0] < 1:
            ramp = "The ramp is reversed: it divides fast pairs and keeps slow ones."
        text = f"beta_fast is {numeral(fast)}, below beta_slow, {numeral(slow)}. {ramp}"
        yield "ramp", text


def _of_sections(group: Group, parameters: Config, model: Any) -> Iterator[tuple[str, str]]:
    given = parameters.get("mrope_interleaved")
    in_turn = group.rule == "sections in turn"
    if model in _data.MROPE and given is not None and bool(given) != in_turn:
        how = "takes the pairs in turn" if in_turn else "takes blocks of pairs"
        yield "not read", f"mrope_interleaved is not read: the code of {model} {how}."
    pairs, total = (group.rotary_dim or 0) // 2, sum(group.sections)
    if group.sections and total != pairs:
        text = f"The sections add up to {numeral(total)}, while there are {numeral(pairs)} pairs."
        yield "sections", text
