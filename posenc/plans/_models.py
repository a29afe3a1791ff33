"""What the type of a model decides, whatever the other keys say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from posenc import _arguments
from posenc.plans import _data
from posenc.plans._groups import Group
from posenc.plans._reading import Config
from posenc.rotary._config import SIGNS, Understood, refuse_both
from posenc.rotary._config_names import INNER, NAMES
from posenc.rotary._config_scalings import kind_of
from posenc.rotary._families import DEFAULTS
from posenc.rotary._layouts import INTERLEAVED
from posenc.rotary._turn import Layout

_TASK = re.compile("|model|lmheadmodel|(for|pretrained).*")
# By the position_embedding_type of TensorRT-LLM.
LAYOUT_KEYS: dict[str, Layout] = {"rope_gpt_neox": "halves", "rope_gptj": "interleaved"}
_SCALED_IN_BOTH = ("modernbert", "modernbert-decoder")  # rope_scaling goes into both of their sets


def completed(config: Mapping[str, Any]) -> Config:
    """The config with a `model_type` in each inner config whose outer type decides it."""
    whole = {**config}
    if config.get("model_type") is None and (named := named_alone(config)):
        whole["model_type"] = named
    types = _data.PART_TYPES.get(str(whole.get("model_type")), {})
    for name, part in config.items():
        own = part.get("model_type") if isinstance(part, Mapping) else "none"
        outer = {} if name in INNER else _data.PART_TYPES.get(str(own), {})  # a whole type's name
        if name in types and own in (None, "", config.get("model_type")):
            whole[name] = {**part, "model_type": types[name]}
        elif name in outer:
            whole[name] = {**part, "model_type": outer[name]}
    flat = str(whole.get("model_type"))
    if flat in _data.FLAT and not isinstance(config.get("text_config"), Mapping):
        whole["model_type"] = _data.FLAT[flat]
    return whole


def as_text(config: Config) -> Config:
    """The config with the type of its text, if the keys of texts stand outside of a text_config."""
    model = str(config.get("model_type"))
    inner = _data.PART_TYPES.get(model, {}).get("text_config")
    inside = any(isinstance(config.get(key), Mapping) for key in INNER)
    if inner is None or inside or model in _data.READS_FLAT | _data.ENCODING_OF.keys():
        return config
    if "hidden_size" not in config and not is_known(model):
        raise ValueError(f"text_config must be there where model_type is {model!r}, got none")
    return {**config, "model_type": inner}


def inside(config: Mapping[str, Any]) -> str | None:
    """The key of the text's config, where transformers reads the keys of texts only there."""
    types = _data.PART_TYPES.get(str(config.get("model_type")), {})
    keys = (key for key in INNER if key in types and isinstance(config.get(key), Mapping))
    return next(keys, None)


def has_no_inner(model: Any) -> bool:
    """Whether the code of this type of model reads no `text_config`."""
    return is_known(model) and model not in _data.OWN_CODE and model not in _data.PART_TYPES


def nulls(config: Mapping[str, Any]) -> set[str]:
    """The keys that are null in the config of the language model."""
    found = {key for key, value in config.items() if value is None and not inside(config)}
    for name in INNER:
        inner = config.get(name)
        if isinstance(inner, Mapping):
            found = (found - inner.keys()) | nulls(inner)
    return found


def encoding(own: Config) -> str | None:
    """What stands in place of turning; None if the model turns, or if its type is not known."""
    model = own.get("model_type")
    given = own.get("position_embedding_type", own.get("position_embeddings_type"))
    if model in _data.TURN_IF_ROTARY and given != "rotary":
        return _data.TURN_IF_ROTARY[model]
    if model == "zamba2" and not own.get("use_mem_rope", False):
        return "none"
    if model == "granitemoehybrid" and given != "rope":
        return "none"
    if model == "hf_olmo" and not (own.get("rope") or own.get("alibi")):
        return "learned"
    alibi = model == "baichuan" and own.get("hidden_size", 4096) != 4096  # as vLLM decides
    if own.get("alibi") or alibi:
        return "alibi"
    if model == "esm" and given == "absolute":
        return "learned"
    if given == "nope":
        return "none"
    return _data.ENCODING_OF.get(str(model))


def may_turn(own: Config) -> bool:
    """Whether a key is about rotation; a set of options may also have the width of a head alone."""
    if any(sign in own for sign in SIGNS):
        return True
    kind = str(own.get("position_embedding_type", ""))
    alone = "head_dim" in own and not {"hidden_size", "num_attention_heads"} & own.keys()
    keys = any(one.startswith(("rope", "rotary")) for one in (*own, kind))
    return not own.get("model_type") and (alone or keys)


def is_known(model: Any) -> bool:
    """Whether the layout of this type of model is known."""
    tables = (DEFAULTS, INTERLEAVED, _data.HALVES, _data.TURN_IF_ROTARY)
    return any(model in table for table in tables)


def is_read(model: Any, key: str) -> bool:
    """Whether the code of this type of model reads `key`; code of its own may read all."""
    types = _data.READS.get(key)
    return types is None or not is_known(model) or model in (_data.OWN_CODE | types)


def layout(own: Config) -> Layout | None:
    """Which features are a pair, if the model's type or a key says so."""
    model = own.get("model_type")
    known = is_known(model)
    if "rope_interleave" in own and (model in _data.READS_INTERLEAVE or not known):
        return "interleaved" if own["rope_interleave"] else "halves"
    if not known:
        return LAYOUT_KEYS.get(str(own.get("position_embedding_type")))
    return "interleaved" if model in INTERLEAVED else "halves"


def as_read(own: Config) -> Config:
    """Without the sets that the code of the model's type does not read."""
    _refuse_another_ntk(own)
    unread = {*unread_sets(own), *unread_keys(own), *untyped(own)}
    unread |= {alias for key in unread for alias in NAMES.get(key, ())}
    read = {key: value for key, value in own.items() if key not in unread}
    if own.get("model_type") in _data.READS_SETS and own.get("rope_parameters"):
        refuse_both(read)
    for key in unread_layers(own):
        read[key] = {
            name: one for name, one in own[key].items() if not isinstance(one, Mapping | None)
        }
    if own.get("model_type") in _data.TURN_IF_ROTARY:
        read.setdefault("rope_theta", 10_000.0)
    if _shares_base(read):
        sets = DEFAULTS["neomme"]["rope_parameters"]
        base = {"rope_theta": read["rope_theta"]}
        read["rope_parameters"] = {kind: {**one, **base} for kind, one in sets.items()}
    return read


def _refuse_another_ntk(own: Config) -> None:
    """GTE's code multiplies the base by the factor, and divides all by its power 2 / width."""
    given, model = own.get("rope_scaling") or own.get("rope_parameters"), own.get("model_type")
    if model not in _data.ANOTHER_NTK or not isinstance(given, Mapping):
        return
    if kind_of({**given}) == "ntk" and given.get("factor") != 1:
        rule = f"rope type must be one that slows pairs as the code of {model} does"
        raise ValueError(f"{rule}, got 'ntk', which slows pair 0 there, too")


def _shares_base(own: Config) -> bool:
    """Whether the sets of all types of layers take the outer base: NeoMME's do."""
    given = own.get("rope_scaling") or own.get("rope_parameters")
    return own.get("model_type") == "neomme" and "rope_theta" in own and not given


def unread_keys(own: Config) -> list[str]:
    """Keys that the code of the model's type does not read, and that say something."""
    model = own.get("model_type")
    usual = DEFAULTS.get(str(model), {})
    keys = _data.KEYS_NOT_READ.get(str(model), "").split()
    keys = [key for key in keys if own.get(key) != usual.get(key)]
    return [key for key in keys if own.get(key)]


def untyped(own: Config) -> list[str]:
    """`rope_scaling` if it has a `type` where the code of the model's type wants `rope_type`."""
    given = own.get("rope_scaling")
    if own.get("model_type") not in _data.WANTS_ROPE_TYPE or not isinstance(given, Mapping):
        return []
    return ["rope_scaling"] if "type" in given and "rope_type" not in given else []


def _has_sets(given: Any) -> bool:
    """Whether sets for types of layers stand in a set of rope parameters."""
    return isinstance(given, Mapping) and any(isinstance(one, Mapping) for one in given.values())


def unread_layers(own: Config) -> list[str]:
    """Keys with sets for types of layers, of which the model's code has one."""
    model = own.get("model_type")
    if not is_known(model) or model in _data.READS_SETS:
        return []
    given = {key: own.get(key) for key in ("rope_scaling", "rope_parameters")}
    return [key for key, sets in given.items() if _has_sets(sets)]


def unread_sets(own: Config) -> list[str]:
    """Keys of sets of rope parameters that the model's code does not read."""
    given = own.get("rope_parameters")
    if own.get("model_type") not in _data.IGNORES_A_FLAT_SET or not isinstance(given, Mapping):
        return []
    return [] if _has_sets(given) or not given else ["rope_parameters"]


def has_one_set(own: Config) -> bool:
    """Whether the config has one set of rope parameters, not one for each type of layers."""
    scaled = own.get("model_type") in _SCALED_IN_BOTH
    keys = ["rope_parameters", *([] if scaled else ["rope_scaling"])]
    return any(own.get(key) and not _has_sets(own.get(key)) for key in keys)


def looks_for_sets(own: Config) -> bool:
    """Whether transformers takes sets of layers for such, though the model's code has one."""
    return own.get("model_type") in _data.FAILS_WITH_SETS


def sections(read: Understood, parameters: Config, group: Group) -> dict[str, Any]:
    """The fields of a group whose pairs take several coordinates (M-RoPE)."""
    model = str(read.own.get("model_type"))
    default = _data.MROPE.get(model)
    given = parameters.get("mrope_section", parameters.get("xdrope_section"))
    if model in _data.BACKWARDS:
        return {"rule": "unknown", "note": _data.SENTENCES["backwards"]}
    if (default is None or not default[0]) and given is None:
        return {}
    if default is None and is_known(model):
        return {}  # its code has one coordinate
    usual, rule = default or ((), "sections")
    counts = _arguments.entries("mrope_section", list(usual) if given is None else given)
    numbers = tuple(_arguments.integer("mrope_section", count, least=0) for count in counts)
    if default is None and parameters.get("mrope_interleaved", False):
        rule = "sections in turn"
    pairs = (group.rotary_dim or 0) // 2
    note = _data.SENTENCES["one number"]
    if rule == "unknown":
        note = f"{note}; {_data.SENTENCES['two axes']}"
    elif sum(numbers) != pairs:
        rule = "unknown"
    if rule == "ernie" and given is not None:  # the file has y, x and time
        numbers = (*numbers[2:], *numbers[:2])
    axes: tuple[str, ...] = ("time", "y", "x")
    if len(axes) != len(numbers):
        axes = tuple(f"axis {number}" for number in range(len(numbers)))
    return {"axes": axes, "sections": numbers, "rule": rule, "note": note}


def named_alone(config: Mapping[str, Any]) -> str | None:
    """The type that the first of `architectures` names, with nothing after it but a task."""
    names = config.get("architectures")
    first = names[0] if isinstance(names, list) and names else None
    if not isinstance(first, str) or (found := named_by(first)) is None:
        return None
    return found if _TASK.fullmatch(_plain(first)[len(_plain(found)) :]) else None


@cache
def named_by(architecture: str) -> str | None:
    """The longest known type of model that the name of a class begins with."""
    plain = _plain(architecture)
    known = (name for name in _known() if plain.startswith(_plain(name)))
    return max(sorted(known), key=lambda name: len(_plain(name)), default=None)


def same_family(architecture: str, model: str) -> bool:
    """Whether a class may be of this type: their names begin in the same way."""
    named, own = _plain(architecture), _plain(model)
    for ending in ("text", "vision", "moe", "vl", "hf", "unified", "decoder", "encoder"):
        own = own.removesuffix(ending)
    return named.startswith(own)


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


@cache
def _known() -> frozenset[str]:
    return frozenset(
        {*DEFAULTS, *INTERLEAVED, *_data.HALVES, *_data.ENCODING_OF, *_data.PART_TYPES}
    )
