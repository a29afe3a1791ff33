"""A config.json with the keys of transformers 4 or of transformers 5.

Version 5 has everything about rotation in `rope_parameters`. The names and defaults of version 4
are those of transformers 4.57.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Literal

from posenc import _arguments
from posenc.plans import Group, Plan
from posenc.plans._data import FAILS_WITH_ONE_SET, IGNORES_A_FLAT_SET
from posenc.plans._formats import as_dict
from posenc.rotary._config_names import INNER, flat

Config = dict[str, Any]

_BASE, _PART, _LOCAL = "rope_theta", "partial_rotary_factor", "rope_local_base_freq"
_SETS = "full_attention", "sliding_attention"
_MODERN = {_BASE: "global_rope_theta", _LOCAL: "local_rope_theta"}
_NEOX = {_BASE: "rotary_emb_base", _PART: "rotary_pct"}
# What version 4 calls the base, the part that turns and the base of layers with a window.
_NAMES = {
    **dict.fromkeys(("modernbert", "modernbert-decoder"), _MODERN),
    **dict.fromkeys(("gpt_neox", "gpt_neox_japanese"), _NEOX),
}
_GEMMA3 = {"gemma3", "gemma3_text", "gemma3n", "gemma3n_text"}
_TWO_BASES = {*_GEMMA3, "modernbert", "modernbert-decoder"}
_RENAMED = {"su": "longrope", "mrope": "default"}
_TYPES = ("default", "linear", "dynamic", "yarn", "longrope", "llama3")  # of version 4
_PHI3 = {"phi3", "phi4_multimodal"}  # version 4 refuses more than these keys, and `rope_type`
_PHI3_KEYS = {"type", "short_factor", "long_factor"}
_TWO_KEYS = {"olmo", "olmo2", "chameleon"}  # version 4 wants `type` and `factor`, and no more
_SAME = {"dinov3_vit", "eomt_dinov3", "sapiens2"}  # have the keys of version 4 in version 5, too
# The base that version 4 takes, where version 5 takes another.
_BASES = {
    **dict.fromkeys(("cohere", "olmo3"), 10_000),
    **dict.fromkeys(("falcon_h1", "kyutai_speech_to_text"), 100_000),
    **dict.fromkeys(("fuyu", "persimmon"), 25_000),
    **dict.fromkeys(("qwen3_vl", "qwen3_vl_moe"), 5_000_000),
    **dict.fromkeys(("qwen3_vl_text", "qwen3_vl_moe_text"), 5_000_000),
}


def convert_config(config: Any, *, version: Literal[4, 5]) -> Config:
    """A config.json with the keys that transformers 4 or 5 has for rotation, as a new dict.

    Only these keys change: `rope_theta`, `rope_scaling`, `partial_rotary_factor`, what a few types
    of model call them in version 4, and `rope_parameters`; in inner configs too. Both versions then
    compute what the `Plan` of the config says. A config that has the keys of `version` already is
    returned as it is.

    Raises TypeError if `version` is no integer. Raises ValueError if it is neither 4 nor 5, if
    `config` has keys of both that disagree, if it leaves out a base for which the versions have
    different defaults, and if version 4 cannot say it: a set for each type of layers, except the
    two bases of Gemma 3 and ModernBERT, or a rope type that it does not have; as `Plan.from_dict`
    does for `config`.

    >>> old = {"model_type": "llama", "head_dim": 128, "rope_theta": 5e5, "rope_scaling": None}
    >>> new = convert_config(old, version=5)
    >>> new["rope_parameters"]
    {'rope_type': 'default', 'rope_theta': 500000.0}
    >>> convert_config(new, version=4) == old
    True
    """
    number = _arguments.integer("version", version, least=4, most=5)
    given = as_dict(config)
    before = Plan.from_dict(given)
    if before.format != "transformers":
        raise ValueError(f"config must be a config.json of transformers, got {before.format}'s")
    if not any(group.turns for group in before):
        return deepcopy(given)  # nothing reads these keys
    _refuse_other_defaults(flat(given), before)
    new = _converted(given, number, "")
    after = Plan.from_dict(new)
    if after.groups != before.groups:
        rule = f"config must mean the same with the keys of version {number}"
        raise ValueError(f"{rule}, got {_difference(before.groups, after.groups)}")
    return new


def _converted(config: Mapping[str, Any], number: int, outer: str) -> Config:
    """The config and its inner configs; `outer` is the type of the model around them."""
    kind = str(config.get("model_type") or outer)
    own = deepcopy({**config})
    if kind not in _SAME:
        (_to_5 if number == 5 else _to_4)(own, kind, _NAMES.get(kind, {}))
    for name, inner in own.items():
        if isinstance(inner, Mapping) and (name in INNER or str(name).endswith("_config")):
            own[name] = _converted(inner, number, kind)
    return own


def _to_5(own: Config, kind: str, names: Mapping[str, str]) -> None:
    base, part, local = (own.pop(names.get(key, key), None) for key in (_BASE, _PART, _LOCAL))
    scaling = own.pop("rope_scaling", None)
    if base is part is local is scaling is None:
        return  # it has none of these keys
    new = own.get("rope_parameters")
    if isinstance(new, Mapping):
        if base in (None, new.get(_BASE)) and part in (None, new.get(_PART)) and not scaling:
            return  # they agree, and version 5 does not need them
        got = "rope_parameters beside keys of version 4 that disagree"
        raise ValueError(f"config must have the keys of one version, got {got}")
    scaling = {} if scaling is None else scaling
    if not isinstance(scaling, dict):
        raise ValueError(f"rope_scaling must be a dict, got {_arguments.shown(scaling)}")
    old = scaling.pop("type", "default")
    read = scaling.pop("rope_type", old)
    whole = {"rope_type": _RENAMED.get(read, read), **scaling}
    whole |= {key: value for key, value in ((_BASE, base), (_PART, part)) if value is not None}
    if kind in FAILS_WITH_ONE_SET - _TWO_BASES:
        raise _unsaid("one set of rope parameters", kind, version=5)
    if local is not None or kind in IGNORES_A_FLAT_SET or kind in _TWO_BASES:
        same = kind not in _TWO_BASES and local is None
        window = {"rope_type": "default", _BASE: base if same else local or 10_000.0}
        own["rope_parameters"] = dict(zip(_SETS, (whole, window), strict=True))
    else:
        own["rope_parameters"] = whole


def _to_4(own: Config, kind: str, names: Mapping[str, str]) -> None:
    whole = own.pop("rope_parameters", None)
    if whole is None:
        return
    if not isinstance(whole, dict):
        raise ValueError(f"rope_parameters must be a dict, got {_arguments.shown(whole)}")
    nested = {key: value for key, value in whole.items() if isinstance(value, Mapping)}
    found: Config = {}
    if nested:
        if (
            set(nested) != set(_SETS)
            or nested != whole
            or kind not in IGNORES_A_FLAT_SET | _TWO_BASES
        ):
            raise _unsaid("a set of rope parameters for each type of layers", kind)
        whole, window = ({**nested[name]} for name in _SETS)
        found[_LOCAL] = window.pop(_BASE, None)
        if kind not in _TWO_BASES and found[_LOCAL] == whole.get(_BASE):
            del found[_LOCAL]
        if window != {"rope_type": "default"}:
            raise _unsaid("layers with a window that are scaled", kind)
    found |= {key: whole.pop(key) for key in (_BASE, _PART) if key in whole}
    read = whole.setdefault("rope_type", whole.pop("type", "default"))
    if read == "axial" and len(whole) == 1:
        read = whole["rope_type"] = "default"
    if read not in _TYPES:
        raise _unsaid(f"rope type {_arguments.shown(read)}", kind)
    own |= {names.get(key, key): value for key, value in found.items()}
    if kind in _PHI3 and read != "default":
        original = whole.pop("original_max_position_embeddings", 4096)
        own.setdefault("original_max_position_embeddings", original)
        whole = {"type": whole.pop("rope_type"), **whole}
        if set(whole) != _PHI3_KEYS or read != "longrope":
            raise _unsaid(f"the scaling {_arguments.shown(whole)}", kind)
    if kind in _TWO_KEYS and read != "default":
        whole = {"type": whole.pop("rope_type"), **whole}
        if set(whole) != {"type", "factor"} or read not in ("linear", "dynamic"):
            raise _unsaid(f"the scaling {_arguments.shown(whole)}", kind)
    own["rope_scaling"] = None if whole == {"rope_type": "default"} else whole


def _refuse_other_defaults(own: Config, plan: Plan) -> None:
    """Refuse the config of a language model that the two versions read in different ways."""
    kind = own.get("model_type")
    sets: list[Any] = [own]
    for one in (own.get("rope_scaling"), own.get("rope_parameters")):
        sets += [one, *one.values()] if isinstance(one, Mapping) else []
    every = [one for one in sets if isinstance(one, Mapping)]
    if kind in _BASES and not any(_BASE in one for one in every):
        rule = f"config must name the base of a {kind}"
        raise ValueError(f"{rule}, got none: version 4 takes {_BASES[kind]:,}, version 5 another")
    local = any({"local_rope_theta", "sliding_attention"} & {*one} for one in every)
    if kind == "modernbert-decoder" and not local:
        rule = f"config must name the base of a {kind} for layers with a window"
        raise ValueError(f"{rule}, got none: version 4 takes 160,000, version 5 10,000")
    if kind == "nemotron" and any(group.scaling for group in plan):
        raise _unsaid("a scaling", kind)
    if kind == "bamba" and {own.get(_PART), *(one.get(_PART) for one in every)} - {None, 0.5}:
        rule = f"{_PART} must be 0.5 for a bamba, where version 5 does not read it"
        raise ValueError(f"{rule}, got {_arguments.shown(own.get(_PART))}")


def _unsaid(what: str, kind: str, version: int = 4) -> ValueError:
    return ValueError(f"config must be one that version {version} can say, got {what} of a {kind}")


def _difference(one: tuple[Group, ...], other: tuple[Group, ...]) -> str:
    """The first field in which two plans differ."""
    for a, b in zip(one, other, strict=False):
        for name, value in vars(a).items():
            if value != getattr(b, name):
                shown = f"{_arguments.shown(value)} and {_arguments.shown(getattr(b, name))}"
                return f"{name} {shown} in {a.name}"
    return f"{len(one)} and {len(other)} groups of layers"
