"""The options of a rotary encoding as a Hugging Face config.json names them.

Three generations of names are read: `rope_parameters` of transformers 5, `rope_theta` and
`rope_scaling` of version 4, and the names of single models. Where generations disagree the
rules are those of transformers 5.24.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posenc import _arguments
from posenc.rotary._config_names import called, flat
from posenc.rotary._config_scalings import kind_of, scaling_of
from posenc.rotary._families import DEFAULTS, OTHERS, PARTS
from posenc.rotary._layouts import AXIAL, INTERLEAVED

Config = dict[str, Any]

SIGNS = (
    "rope_theta",
    "rope_parameters",
    "rope_scaling",
    "partial_rotary_factor",
    "rotary_dim",
    "qk_rope_head_dim",
)


@dataclass(frozen=True)
class Understood:
    """A config without and with defaults, and the set of rope parameters of each layer type."""

    own: Config
    full: Config
    sets: dict[str | None, Config]


def rotary_options(config: Mapping[str, Any]) -> dict[str | None, Config]:
    """Arguments of `Rotary` for each layer type that rotates; None stands for all layers."""
    read = understood(config)
    return {kind: options_of(read, kind) for kind in read.sets}


def options_of(read: Understood, kind: str | None) -> Config:
    """Arguments of `Rotary` for one layer type of a config."""
    return _options(read.full, read.sets[kind], kind)


def understood(config: Mapping[str, Any]) -> Understood:
    """What a config says about rotation; ValueError if its model does not rotate."""
    if not isinstance(config, Mapping):
        raise ValueError(f"config must be a dict, got {_arguments.shown(config)}")
    own = flat(config)
    if not isinstance(own.get("model_type", ""), str):
        got = _arguments.shown(own["model_type"])
        raise ValueError(f"model_type must be a string, got {got}")
    _refuse_other_encodings(_without_nulls(own))
    full = _without_nulls({**DEFAULTS.get(own.get("model_type", ""), {}), **own})
    if own.get("rope_scaling"):  # it replaces the other set of parameters
        full.pop("rope_parameters", None)
        beside = own.get("rope_parameters") or {}
        sets = isinstance(beside, Mapping) and any(isinstance(o, Mapping) for o in beside.values())
        if sets or (beside and "local_rope_theta" in DEFAULTS.get(own.get("model_type", ""), {})):
            refuse_both(own)
    return Understood(own, full, _parameters(full))


def refuse_both(config: Config) -> None:
    """Refuse `rope_scaling` where `rope_parameters` has, or has to have, a set for each type."""
    if config.get("rope_scaling"):
        rule = "rope_scaling must not be there beside rope_parameters"
        raise ValueError(f"{rule} where types of layers have sets, got both")


def _refuse_other_encodings(config: Config) -> None:
    model, kind = config.get("model_type", ""), config.get("position_embedding_type", "rope")
    # Kimi Linear has the signs of multi-head latent attention, and rotates nothing.
    rotates = model != "kimi_linear" and any(name in config for name in SIGNS)
    # ModernBERT rotates, although its config says "absolute". Granite 4 with "nope" does not.
    other = not str(kind).startswith(("rope", "rotary")) and (kind == "nope" or not rotates)
    # Of Baichuan's models only those with 7 billion weights rotate, as vLLM decides too.
    alibi = model == "baichuan" and config.get("hidden_size", 4096) != 4096
    if model in OTHERS and not rotates:
        got = f"{model!r}, which has {OTHERS[model]}"
        raise ValueError(f"config must be of a model with a rotary encoding, got {got}")
    if config.get("alibi") or alibi or other:
        got = _arguments.shown(kind) if other else "alibi"
        raise ValueError(f"config must be of a model with a rotary encoding, got {got}")
    if model in AXIAL or config.get("position_encoding_2d"):  # the first ChatGLM
        rule = "of a model with one coordinate (posenc.rotary.axes has encodings of several)"
        got = repr(model) if model in AXIAL else "position_encoding_2d"
        raise ValueError(f"config must be {rule}, got {got}")
    if model and model not in DEFAULTS and not rotates:
        rule = "have rope_theta, rope_scaling or rope_parameters, or a model_type known to rotate"
        raise ValueError(f"config must {rule}, got model_type {_arguments.shown(model)}")


def _parameters(config: Config) -> dict[str | None, Config]:
    """The rope parameters of each layer type that has its own, or of all layers under None."""
    given = {**_mapping(config, "rope_parameters"), **_mapping(config, "rope_scaling")}
    base = config.get("rope_theta", 10_000.0)
    nested = {kind: own for kind, own in given.items() if isinstance(own, Mapping)}
    if isinstance(base, list) and not nested:
        return _by_layer(config, given, base)
    if "compress_rope_theta" in config and not {"main", "compress"} & nested.keys():  # DeepSeek-V4
        flat = {key: own for key, own in given.items() if key not in (*nested, "rope_theta")}
        one = {"attention_factor": 1.0} if kind_of(flat) == "yarn" else {}
        compress = _with_base({**one, **flat}, config["compress_rope_theta"])
        return {"main": _with_base({}, base), "compress": compress}
    if "local_rope_theta" in config:
        # ModernBERT scales both types of layers; other models scale full attention only.
        scaled = given if str(config.get("model_type")).startswith("modernbert") else {}
        nested = nested or {"full_attention": given, "sliding_attention": scaled}
        nested = {"full_attention": {}, "sliding_attention": {}, **nested}
    local = config.get("local_rope_theta", base)
    bases = {kind: local if kind == "sliding_attention" else base for kind in nested}
    sets: dict[str | None, Config] = {}
    sets |= {kind: _with_base(own, bases[kind]) for kind, own in nested.items()}
    named = config.get("rope_parameters", {})
    if not (sets or given) and any(str(kind).endswith("_attention") for kind in named):
        got = _arguments.shown(named)
        raise ValueError(f"rope_parameters must have a set for one type of layers, got {got}")
    return sets or {None: _with_base(given, base)}


def _mapping(config: Config, name: str) -> Config:
    value = config.get(name, {})
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be a dict, got {_arguments.shown(value)}")
    return _without_nulls(value)


def _without_nulls(config: Mapping[str, Any]) -> Config:
    return {name: value for name, value in config.items() if value is not None}


def _with_base(parameters: Mapping[str, Any], base: Any) -> Config:
    return {"rope_theta": base, **_without_nulls(parameters)}


def _by_layer(config: Config, given: Config, bases: list[Any]) -> dict[str | None, Config]:
    """Step-3.5 has a base and a part for each layer and scales full attention only."""
    types = layer_types(config)
    if not types:
        raise ValueError("config must have layer_types where rope_theta is a list")
    parts = config.get("partial_rotary_factors", [1.0] * len(types))
    if not isinstance(parts, list):
        raise ValueError(f"partial_rotary_factors must be a list, got {_arguments.shown(parts)}")
    name = called(config, bases, "rope_theta")
    sets: dict[str | None, Config] = {}
    for key, values in ((name, bases), ("partial_rotary_factors", parts)):
        if len(values) < len(types):
            rule = f"have a number for each of the {len(types)} layer_types"
            raise ValueError(f"{key} must {rule}, got {_arguments.shown(values)}")
        numbers = [_arguments.positive(key, value) for value in values]
        if len(set(zip(types, numbers, strict=False))) > len(set(types)):
            rule = "have one number for all layers of a type"
            raise ValueError(f"{key} must {rule}, got {_arguments.shown(values)}")
    for kind, base, part in zip(types, bases, parts, strict=False):  # lists may hold more layers
        scaled = given if kind == "full_attention" else {}
        sets[kind] = {"rope_theta": base, "partial_rotary_factor": part, **scaled}
    return sets


def _options(config: Config, parameters: Config, kind: str | None) -> Config:
    head_dim, width = _widths(config, parameters, kind)
    if kind_of(parameters) == "proportional":  # the scaling holds the part that turns
        width = head_dim
    return {
        "head_dim": head_dim,
        "base": _base(config, parameters["rope_theta"]),
        "rotary_dim": width,
        "layout": _layout(config),
        "scaling": scaling_of(parameters, config, nested=kind is not None),
    }


def _base(config: Config, given: Any) -> float:
    """The base, which all layers share except those without positions: they have 0 (Granite)."""
    key = called(config, given, "rope_theta", "local_rope_theta", "compress_rope_theta")
    base = _arguments.positive(key, given)
    bases = config.get("layer_rope_theta", [])
    if not isinstance(bases, list):
        raise ValueError(f"layer_rope_theta must be a list, got {_arguments.shown(bases)}")
    for own in bases:
        if isinstance(own, bool) or own not in (0, base):
            got = _arguments.shown(own)
            raise ValueError(f"layer_rope_theta must hold 0 or the base {base!r}, got {got}")
    return base


def _layout(config: Config) -> str:
    by_model = config.get("model_type") in INTERLEAVED
    given = config.get("rope_interleave", by_model)
    interleaved = _arguments.flag(called(config, given, "rope_interleave"), given)
    return "interleaved" if interleaved else "halves"


def _widths(config: Config, parameters: Config, kind: str | None) -> tuple[int, int]:
    """Width of a head and of its part that rotates."""
    if "qk_rope_head_dim" in config:  # these features form a separate tensor
        name = "qk_rope_head_dim"
        apart = _arguments.integer(name, config[name], least=2, most=_arguments.WIDEST)
        if apart % 2:
            raise ValueError(f"{name} must be even, got {apart}")
        return apart, apart
    head_dim = _head_dim(config, kind)
    key = called(config, head_dim, "head_dim")
    head_dim = _arguments.integer(key, head_dim, least=2, most=_arguments.WIDEST)
    part = parameters.get("partial_rotary_factor", config.get("partial_rotary_factor"))
    if part is None and "rotary_dim" in config:
        return head_dim, config["rotary_dim"]
    if part is None or ignores_part(config, parameters):
        if head_dim % 2:
            raise ValueError(f"{key} must be even, got {head_dim}")
        return head_dim, head_dim
    key = called(config, part, "partial_rotary_factor")
    if _arguments.positive(key, part) > 1:
        raise ValueError(f"{key} must be at most 1, got {_arguments.shown(part)}")
    if part < 1 and kind_of(parameters) != "proportional" and _turns_whole_heads(config):
        model, got = _arguments.shown(config["model_type"]), _arguments.shown(part)
        rule = f"must be 1 for model_type {model}, whose code turns whole heads"
        raise ValueError(f"{key} {rule}, got {got}")
    width = int(head_dim * part)
    if width % 2 and kind_of(parameters) != "proportional":
        raise ValueError(f"head_dim * {key} must be even, got {head_dim} * {part} = {width}")
    return head_dim, width


def _turns_whole_heads(config: Config) -> bool:
    """Whether the code of this model type in transformers turns each head as a whole."""
    model = config.get("model_type", "")
    known = model in DEFAULTS and model not in PARTS
    return known and "partial_rotary_factor" not in DEFAULTS[model]


def ignores_part(config: Config, parameters: Config) -> bool:
    """Whether the code turns whole heads, and no scaling computes fewer frequencies."""
    scaled = kind_of(parameters) not in (None, "default", "mrope", "ernie_3d")
    return not scaled and _turns_whole_heads(config)


def _head_dim(config: Config, kind: str | None) -> int:
    special = {"full_attention": "global_head_dim", "sliding_attention": "swa_head_dim"}
    if special.get(kind or "") in config:  # Gemma 4, MiMo-V2
        return _width(config, special[kind or ""])
    layers = [i for i, layer in enumerate(layer_types(config)) if layer == kind]
    for number, own in _mapping(config, "per_layer_config").items():
        mine = str(number).isdecimal() and int(number) in layers  # transformers writes "05"
        if mine and isinstance(own, Mapping) and "head_dim" in own:
            return _width({**own}, "head_dim")
    if "head_dim" in config:
        return _width(config, "head_dim")
    if "hidden_size" not in config or "num_attention_heads" not in config:
        raise ValueError("config must have head_dim, or hidden_size and num_attention_heads")
    heads = _width(config, "num_attention_heads")
    times = 2 if config.get("model_type") == "zamba2" else 1  # its heads see two vectors in one
    width = times * _width(config, "hidden_size") // heads
    return _arguments.integer("hidden_size // num_attention_heads", width, least=2)


def layer_types(config: Config) -> list[str]:
    types = config.get("layer_types", [])
    if not isinstance(types, list) or not all(isinstance(kind, str) for kind in types):
        raise ValueError(f"layer_types must be a list of strings, got {_arguments.shown(types)}")
    return types


def _width(config: Config, name: str) -> int:
    return _arguments.integer(called(config, config[name], name), config[name], least=1)
