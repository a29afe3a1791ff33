"""Files with which transformers fails, though their keys say how a model would turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from posenc import _arguments
from posenc.plans import _data, _models, _types
from posenc.plans._notes import Odd
from posenc.plans._numerals import listed
from posenc.plans._reading import Config
from posenc.rotary._config import Understood
from posenc.rotary._config_names import UNREAD, called
from posenc.rotary._config_scalings import kind_of, read_as

_ORIGINAL = "original_max_position_embeddings"
WITH_LENGTH = ("llama3", "longrope", "yarn")
_NO_WINDOWS = _data.WITHOUT_WINDOWS
_SIZES = ("max_position_embeddings", "hidden_size", "num_attention_heads", "num_hidden_layers")


def of_config(own: Config, read: Understood, nulls: set[str]) -> Iterator[Odd]:
    """Why transformers makes no model of the config; `own` has the sets that nothing reads, too.

    `nulls` are the keys whose value is null.
    """
    model = str(own.get("model_type"))
    if not _models.is_known(model) or model in _data.OWN_CODE:
        return
    found = (*_of_types(read, model), *_of_sets(own, model), *_of_values(own))
    for why in (*found, *_of_nulls(read.full, nulls, model)):
        yield Odd("fails", f"transformers {_data.VERSION} fails with this file: {why}.")


def _of_types(read: Understood, model: str) -> Iterator[str]:
    """Rope types that the code does not have, and what it wants for those that it has."""
    known = _data.ROPE_TYPES.get(model, "default " + " ".join(_data.SCALED)).split()
    for kind in dict.fromkeys(kind_of(parameters) for parameters in read.sets.values()):
        if kind is not None and kind not in known:
            yield f"the code of {model} has no rope type {kind}"
    for given in _sets(read.own):
        kind = kind_of({**given})
        if read_as({**given}, model) == "yarn" and "yarn" in known and "factor" not in given:
            yield "yarn must have a factor"
        if kind == "su" and "su" in known and _ORIGINAL not in given:
            yield f"su must have {_ORIGINAL} in its set"
        scaled = (_ORIGINAL, "partial_rotary_factor") if kind in _data.SCALED else ()
        keys = () if "compress" in read.sets else ("rope_theta", *scaled)
        untyped = () if "rope_type" in given else ("type",)
        for key in ("rope_type", *untyped, *keys):
            outer = key == _ORIGINAL and key in read.own  # it replaces the one inside
            if key in given and given[key] is None and not outer:
                yield f"{key} must not be null"
        if _has_few_sections(given, model):
            yield "mrope_section must have three numbers"
        for key in _data.WANTS.get(model, "").split():
            if given.get(key) is None and not (key == _ORIGINAL and kind in WITH_LENGTH):
                yield f"the code of {model} wants {key} in a set"


def _has_few_sections(given: Mapping[str, Any], model: str) -> bool:
    """Whether a set has no section for each axis, where the code takes pairs in turn."""
    if "mrope_section" not in given or _data.MROPE.get(model, ((), ""))[1] != "sections in turn":
        return False
    sections = given["mrope_section"]
    return not isinstance(sections, list | tuple) or len(sections) < 3


def _counting(own: Config) -> list[Mapping[str, Any]]:
    """The value of the key that counts, if it is a dict, as a list of one."""
    given = own.get("rope_scaling") or own.get("rope_parameters")
    return [given] if isinstance(given, Mapping) else []


def _sets(own: Config) -> list[Mapping[str, Any]]:
    """The sets of rope parameters that count, with their nulls."""
    sets = [one for given in _counting(own) for one in given.values() if isinstance(one, Mapping)]
    return sets or _counting(own)


def _of_sets(own: Config, model: str) -> Iterator[str]:
    """One set where the code wants one for each type of layers, or the other way round."""
    if _models.has_one_set(own) and model in _data.FAILS_WITH_ONE_SET:
        yield f"the code of {model} wants a set for each type of layers, not one"
    layers = _types.types_of(own) or ["full_attention"]
    for given in _counting(own) if model in _data.FAILS_WITH_ONE_SET else ():
        inside = any(isinstance(one, Mapping) for one in given.values())
        lacking = [one for one in dict.fromkeys(layers) if inside and one not in given]
        for one in lacking if _types.types_of(own) else ():
            yield f"the code of {model} wants a set for {one}"
    for given in _counting(own) if _models.looks_for_sets(own) else ():
        if "rope_type" not in given and any(isinstance(given.get(one), Mapping) for one in layers):
            yield f"the code of {model} wants one set, not one for each type of layers"


def _of_values(own: Config) -> Iterator[str]:
    """Sizes that are no integers, and types of layers that are unknown or too few."""
    for key in (*_SIZES, "head_dim"):
        if isinstance(own.get(key), str | float):
            name = called(own, own[key], key)
            yield f"{name} must be an integer, got {_arguments.shown(own[key])}"
    others = {*_data.FAILS_WITH_ONE_SET, "step3p5"}  # read no outer base, or a list of bases
    if isinstance(own.get("rope_theta"), list) and own.get("model_type") not in others:
        yield "rope_theta must be a number, got a list"
    window = own.get("sliding_window")
    if isinstance(window, str | float | bool) and own.get("model_type") not in _NO_WINDOWS:
        yield f"sliding_window must be an integer, got {_arguments.shown(window)}"
    used = own.get("use_sliding_window")
    if isinstance(used, str) and own.get("model_type") in _data.WINDOWS_IF_USED:
        yield f"use_sliding_window must be true or false, got {_arguments.shown(used)}"
    if _types.has_no_window(own):
        yield "layers with a window must have a sliding_window"
    types = own.get("layer_types", own.get(UNREAD + "layer_types"))
    count = own.get("num_hidden_layers")
    if isinstance(types, str):
        yield "layer_types must be a list"
    if not isinstance(types, list):
        return
    if not all(isinstance(one, str) for one in types):
        yield f"layer_types must be a list of strings, got {_arguments.shown(types)}"
        return
    strange = [one for one in dict.fromkeys(types) if one not in _data.LAYER_NAMES]
    if strange:
        yield f"layer_types must not name {listed(strange)}"
    elif isinstance(count, int) and count != len(types):
        yield f"layer_types must name {count} layers, got {len(types)}"


def _of_nulls(full: Config, nulls: set[str], model: str) -> Iterator[str]:
    """Keys that must not be null, and the base where no set has one."""
    if model in _data.PART_TYPES:
        return  # its code has the keys of texts in text_config
    named = any("rope_theta" in one for one in _sets(full)) or model in _data.TAKES_NULL_AS_BASE
    lengths = (_ORIGINAL,) if any(kind_of({**one}) in WITH_LENGTH for one in _sets(full)) else ()
    base = () if named else ("rope_theta",)
    for key in (*_SIZES, *_data.FAILS_WITH_NULL, *base, *lengths):
        if key in nulls and model in _data.FAILS_WITH_NULL.get(key, (model,)):
            yield f"{key} must not be null"
