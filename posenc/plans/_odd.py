"""Oddities of a config that can be read: values that are missing, disagree, or are not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from posenc.plans import _data, _fails, _models, _types
from posenc.plans._notes import Odd
from posenc.plans._numerals import listed, numeral
from posenc.plans._odd_sets import of_set as of_set
from posenc.plans._reading import Config, odd_numbers, positions
from posenc.rotary._config import SIGNS, Understood, ignores_part
from posenc.rotary._config_names import INNER, NAMES, UNREAD, called
from posenc.rotary._config_scalings import kind_of

_SIGNS = ("rope_theta", "rope_parameters", "rope_scaling")
_OTHER_WAYS = ("alibi", "rotary", "rope", "relative_key", "relative_key_query")
_SIZES = ("hidden_size", "num_attention_heads")
_PART = "partial_rotary_factor"
_OF_LAYOUT = ("rope_interleave", "position_embedding_type")


def of_config(own: Config, read: Understood, nulls: set[str]) -> Iterator[Odd]:
    """What is odd about the config as a whole; `own` still has the sets that nothing reads."""
    yield from _of_model(own)
    for key in _models.unread_sets(own):
        layers = "a set for each type of layers"
        model = own.get("model_type")
        yield Odd("not read", f"{key} is not read: the code of {model} reads {layers}, not one.")
    yield from _of_keys(own, read)
    for key in _models.untyped(own):
        text = (
            f"{key} is not read: it has type, and the code of {own['model_type']} wants rope_type."
        )
        yield Odd("not read", text)
    for key in () if _models.looks_for_sets(own) else _models.unread_layers(own):
        layers = f"sets for types of layers are not read: the code of {own.get('model_type')}"
        yield Odd("not read", f"In {key}, {layers} reads one set.")
    yield from _fails.of_config(own, read, nulls)
    yield from _of_names(own, read)
    yield from _of_bases(read)
    yield from _of_exchange(read)
    yield from _of_unread_keys(own)
    if not (own.get("model_type") in _data.WINDOWS_IF_USED and not own.get("use_sliding_window")):
        yield from odd_numbers(own, "sliding_window")
    if own.get("model_type") in _data.WITHOUT_WINDOWS and positions(own.get("sliding_window")):
        yield Odd("not read", f"sliding_window is not read by the code of {own['model_type']}.")
    yield from odd_numbers(own, "attention_window_size", "attention_chunk_size")
    if "dual_chunk_attention_config" in own:
        counts = "Programs that read it count positions within chunks"
        text = (
            f"dual_chunk_attention_config is there. {counts}; the answer is for those that do not."
        )
        yield Odd("chunks", text)
    yield from _of_heads(read)


def _of_keys(own: Config, read: Understood) -> Iterator[Odd]:
    """Keys that the code of this type does not read, and those that nobody knows."""
    for key in _models.unread_keys(own):
        if key != "rope_theta" or own[key] != read.full.get(key, 10_000):
            yield _unread(own, called(own, own[key], key))
    for key, value in own.items():
        name = key.removeprefix(UNREAD)
        counted = name == "rotary_dim" and "partial_rotary_factor" in read.full
        usual = name == "position_embedding_type" and value != "nope"
        if name == "layer_types" and isinstance(value, list):
            usual = all(one == "full_attention" for one in value)
        usual |= any(name in all and own.get(one) == value for one, all in NAMES.items())
        if key != name and value and not counted and not usual:
            yield _unread(own, name)
    parts = [parameters for parameters in read.sets.values() if ignores_part(read.full, parameters)]
    part = {**read.full, **parts[0]}.get(_PART) if parts else None
    if part is not None and part != 1:
        yield _unread(own, called(own, own.get(_PART), _PART))
    known = {
        *SIGNS,
        *NAMES,
        *_data.ROPE_KEYS,
        *_data.READS,
        *(n for all in NAMES.values() for n in all),
    }
    for key, value in own.items():
        if key.startswith(("rope", "rotary")) and key not in known and value:
            yield Odd("not read", f"{key} is not read: posenc does not know this key.")


def _unread(own: Config, key: str) -> Odd:
    return Odd("not read", f"{key} is not read by the code of {own.get('model_type')}.")


def of_architectures(config: Config) -> Iterator[Odd]:
    """`architectures` that name another type than `model_type` does."""
    names, model = config.get("architectures"), config.get("model_type")
    if not isinstance(names, list) or not names or not isinstance(names[0], str) or not model:
        return
    other = _models.named_alone(config)
    named = _models.is_known(model) or model in _data.PART_TYPES or model in _data.ENCODING_OF
    free = model in _data.OWN_CODE or not named
    if other is not None and not free and not _models.same_family(names[0], str(model)):
        text = f"architectures names {names[0]}, which is {other}'s, while model_type is {model}."
        yield Odd("architectures", f"{text} model_type counts.")


def of_type(config: Config) -> Iterator[Odd]:
    """A model type that is missing, while `architectures` names one."""
    if config.get("model_type") is None and (named := _models.named_alone(config)):
        names = config["architectures"][0]
        yield Odd("model type", f"model_type is missing. architectures names {names}: {named}.")


def of_whole(config: Config) -> Iterator[Odd]:
    """What a plan leaves out, and DBRX's base, which transformers looks for in another place."""
    if text := _data.LEFT_OUT.get(str(config.get("model_type"))):
        yield Odd("left out", text)
    part = _data.PART_TYPES.get(str(config.get("model_type")), {}).get("text_config")
    flat = "hidden_size" in config and not any(
        isinstance(config.get(key), Mapping) for key in INNER
    )
    if part and flat and config["model_type"] not in _data.READS_FLAT:
        only = f"transformers {_data.VERSION} reads the keys of texts only there"
        yield Odd("no text", f"text_config is missing: {only}, and takes the defaults of {part}.")
    yield from _of_outside(config, _models.inside(config))
    inner = config.get("attn_config")
    base = inner.get("rope_theta", 10_000) if isinstance(inner, Mapping) else 10_000
    if config.get("model_type") == "dbrx" and base != 10_000 and isinstance(base, int | float):
        takes = f"transformers {_data.VERSION} does not read rope_theta in attn_config"
        yield Odd("not read", f"{takes}: it takes 10,000. Here {numeral(base)} counts.")


def _of_outside(config: Config, name: str | None) -> Iterator[Odd]:
    """Keys of the text's rotation outside of its config, where transformers does not read them."""
    inner = config[name] if name else config
    for key in SIGNS:
        value = config.get(key)
        if not value or inner.get(key) == value:
            continue
        text = f"{key} outside of {name} is not read by transformers {_data.VERSION}."
        yield Odd("not read", text)
        both = config.get("rope_scaling") and config.get("rope_parameters")
        kind = kind_of({**value}) if isinstance(value, Mapping) and not both else None
        if kind in (*_fails.WITH_LENGTH, "proportional"):
            why = f"{key} with {kind} must stand in {name}"
            yield Odd("fails", f"transformers {_data.VERSION} fails with this file: {why}.")


def of_keys_without_turning(own: Config, encoding: str) -> Iterator[Odd]:
    """Keys of a rotary encoding in the config of a model that turns nothing."""
    given, model = own.get("position_embedding_type"), own.get("model_type") or "this model"
    if given in _OTHER_WAYS:
        where = f"in transformers {_data.VERSION}"
        text = f"position_embedding_type {given} is not read by the code of {model}"
        own_code = " auto_map names code of its own, which may read it."
        yield Odd("not read", f"{text} {where}.{own_code if own.get('auto_map') else ''}")
    found = [key for key in _SIGNS if own.get(key)]
    if found:
        verb = "is" if len(found) == 1 else "are"
        what = _data.ENCODINGS[encoding]
        text = f"{listed(found)} {verb} there, but the code of {model} turns nothing"
        yield Odd("not read", f"{text}: it has {what}.")


def of_part(name: str, part: Config) -> Iterator[Odd]:
    """Keys of a rotary encoding in the config of an encoder that turns nothing."""
    encoding = _data.ENCODING_OF.get(str(part.get("model_type")))
    for one in of_keys_without_turning(part, encoding) if encoding else ():
        yield replace(one, group=name)


def _of_model(own: Config) -> Iterator[Odd]:
    model = own.get("model_type")
    if _models.is_known(model):
        return
    fault = f"{model} is not known to posenc" if model else "is missing"
    key = next((key for key in _OF_LAYOUT if key in own), "")
    sets = _models.layout(own) is not None
    key = called(own, own.get(key), key)
    layout = f"{key} sets the layout" if sets else "the layout is not known"
    text = f"model_type {fault}. No defaults are known, and {layout}."
    named = _types.types_of(own) or own.get("no_rope_layers")
    yield Odd("model type", text if named else f"{text} All layers are taken to turn.")


def _of_unread_keys(own: Config) -> Iterator[Odd]:
    """Keys that the code of this type of model does not read, and that say otherwise."""
    model, layout = own.get("model_type"), _models.layout(own)
    if own.get("rope_interleaved") and layout == "halves":
        yield Odd("not read", f"rope_interleaved is not read: the code of {model} turns halves.")
    given = own.get("rope_interleave")
    if given is not None and layout is not None and bool(given) != (layout == "interleaved"):
        yield Odd("not read", f"rope_interleave is not read: the code of {model} turns {layout}.")


def _key_of_base(model: str) -> str:
    """The key of the base, which few types call otherwise."""
    if model.startswith("gpt_neox"):
        return "rotary_emb_base"
    return "global_rope_theta" if model.startswith("modernbert") else "rope_theta"


def _of_names(whole: Config, read: Understood) -> Iterator[Odd]:
    own, full = read.own, read.full
    scaling, parameters = own.get("rope_scaling"), own.get("rope_parameters")
    counts: Mapping[str, Any] = scaling or parameters or {}
    inside = [one for one in (counts, *counts.values()) if isinstance(one, Mapping)]
    model = own.get("model_type")
    if "rope_theta" not in whole and not any("rope_theta" in one for one in inside):
        default = "rope_theta" in full or (full.get("rope_parameters") and not counts)
        usual = f"The default of {model} in transformers {_data.VERSION} is used."
        usual = usual if default else "The usual 10,000 is used."
        yield Odd("no base", f"{_key_of_base(str(model))} is missing. {usual}")
    if isinstance(scaling, Mapping) and isinstance(parameters, Mapping):
        names = [
            name for name in {**scaling, **parameters} if scaling.get(name) != parameters.get(name)
        ]
        which = "rope_scaling" if scaling else "rope_parameters"
        told = "They do not disagree."
        if names:
            told = f"They disagree on {listed(names)}: only {which} is read."
        yield Odd("two sets", f"rope_scaling and rope_parameters are both there. {told}")
    without = [name for name, value in counts.items() if value is None and name not in read.sets]
    if len(inside) > 1 and without:
        yield Odd("no positions", f"Layers of type {listed(without)} have no positions.")
    taken = {*read.sets, *_data.WITHOUT_ATTENTION, *without}
    types = [one for one in dict.fromkeys(_types.types_of(own)) if one not in taken]
    if types and not {None, "compress"} & {*read.sets}:
        text = f"No set is for layers of type {listed(types)}: they are taken to have no positions."
        yield Odd("no positions", text)


def _of_bases(read: Understood) -> Iterator[Odd]:
    """A base outside of the set that counts, and another one in it or in the type's default set."""
    outer = read.own.get("rope_theta")
    if not isinstance(outer, int | float) or isinstance(outer, bool):
        return
    given = read.own.get("rope_scaling") or read.own.get("rope_parameters")
    default = read.full.get("rope_parameters")
    if not given and isinstance(default, Mapping):
        inside = [one for one in (default, *default.values()) if isinstance(one, Mapping)]
        bases = [one["rope_theta"] for one in inside if "rope_theta" in one]
        if bases and outer not in bases:
            code = f"the code of {read.own.get('model_type')}"
            text = f"rope_theta is not read: without a set, {code} takes its default one."
            yield Odd("not read", text)
    if not isinstance(given, Mapping):
        return
    inner = given.get("rope_theta")
    if inner is not None and inner != outer and isinstance(inner, int | float):
        if "compress_rope_theta" in read.full:
            takes = "takes rope_theta and compress_rope_theta outside"
            text = f"In the set, rope_theta is not read: the code of deepseek_v4 {takes}."
            yield Odd("not read", text)
            return
        both = f"{numeral(outer)} outside and {numeral(inner)} inside the set"
        counts = f"{numeral(inner)} counts; transformers 4 takes the outer one"
        yield Odd("two bases", f"There are two bases: rope_theta is {both}. {counts}.")


def _of_exchange(read: Understood) -> Iterator[Odd]:
    """A base of the window that is larger than the global one, unlike the model type's default."""
    sets = read.sets
    if not {"full_attention", "sliding_attention"} <= set(sets):
        return
    globally = sets["full_attention"].get("rope_theta")
    locally = sets["sliding_attention"].get("rope_theta")
    if not isinstance(globally, int | float) or not isinstance(locally, int | float):
        return
    if locally > globally:
        text = "Layers with a window have the larger base"
        yield Odd(
            "exchanged",
            f"{text}, {numeral(locally)}, and layers with full attention {numeral(globally)}."
            " Perhaps the two sets are exchanged.",
        )


def _of_heads(read: Understood) -> Iterator[Odd]:
    own, full = read.own, read.full
    if "qk_rope_head_dim" in full:
        return
    missing = [] if "head_dim" in full else [name for name in _SIZES if name not in own]
    if missing:
        text = f"There is no {' and no '.join(missing)}."
        default = f"The default of {own.get('model_type')} in transformers {_data.VERSION} is used."
        yield Odd("no width", f"{text} {default}")
        return
    head, width, heads = (own.get(name) for name in ("head_dim", *_SIZES))
    if not (isinstance(head, int) and isinstance(width, int) and isinstance(heads, int)):
        return
    if heads and head * heads != width:
        ratio = numeral(width / heads)
        text = f"head_dim is {numeral(head)}, while hidden_size / num_attention_heads is {ratio}."
        yield Odd("width", f"{text} head_dim counts.")
