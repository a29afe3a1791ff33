"""From the rope type that a config.json names to a scaling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from posenc import _arguments
from posenc.rotary._bands import Llama3, LongRoPE, YaRN
from posenc.rotary._config_names import called
from posenc.rotary._families import DEFAULTS
from posenc.rotary._scalings import NTK, DynamicNTK, Linear, Proportional, Scaling, SteppedNTK

Config = dict[str, Any]

_ORIGINAL = "original_max_position_embeddings"


def scaling_of(parameters: Config, config: Config, *, nested: bool) -> Scaling | None:
    """The scaling of one set of rope parameters; `nested` sets belong to a layer type."""
    if "rope_type" not in parameters and "type" not in parameters:
        return _unnamed(config)
    kind = kind_of(parameters)
    if not isinstance(kind, str) or kind not in KINDS:
        known = ", ".join(repr(name) for name in KINDS)
        raise ValueError(f"rope type must be one of {known}, got {_arguments.shown(kind)}")
    kind = read_as(parameters, config.get("model_type"))
    if nested:  # transformers 5.23 reads truncate beside such sets, not in them
        parameters = {**parameters, "truncate": True}
    elif _ORIGINAL in config:
        parameters = {**parameters, _ORIGINAL: config[_ORIGINAL]}
    return KINDS[kind](parameters, config)


def kind_of(parameters: Config) -> Any:
    """The rope type; older files call it `type`."""
    return parameters.get("rope_type", parameters.get("type"))


def read_as(parameters: Config, model: Any) -> Any:
    """The rope type to use: early configs of Phi-3 call LongRoPE "yarn"."""
    kind = kind_of(parameters)
    unknown = model not in DEFAULTS and "short_factor" in parameters
    renamed = kind == "yarn" and (model in ("phi3", "phi4_multimodal") or unknown)
    return "longrope" if renamed else kind


def _unnamed(config: Config) -> Scaling | None:
    """The scalings that a config.json sets under other names than a rope type."""
    if config.get("use_dynamic_ntk"):  # Qwen 1
        trained = (
            {"max_position_embeddings": config["seq_length"]} if "seq_length" in config else {}
        )
        return SteppedNTK(_longest({**config, **trained}))
    scale = config.get("rope_position_scale", 1.0)  # Phi-3 small multiplies positions by it
    if scale != 1:
        return Linear(1 / _arguments.positive("rope_position_scale", scale))
    return None


def _none(parameters: Config, config: Config) -> None:  # noqa: ARG001
    return None


def _linear(parameters: Config, config: Config) -> Scaling:  # noqa: ARG001
    return Linear(_required(parameters, "factor"))


def _ntk(parameters: Config, config: Config) -> Scaling:  # noqa: ARG001
    return NTK(_required(parameters, "factor"))


def _dynamic(parameters: Config, config: Config) -> Scaling:
    if parameters.get("alpha") and reads_alpha(config.get("model_type")):
        return NTK(_arguments.positive("alpha", parameters["alpha"]))
    return DynamicNTK(_required(parameters, "factor"), _longest(config))


def reads_alpha(model: Any) -> bool:
    """Whether `alpha` stretches the base once, at every length: for Hunyuan and unknown types."""
    return model not in DEFAULTS or model.startswith("hunyuan")


def _llama3(parameters: Config, config: Config) -> Scaling:
    return Llama3(
        _required(parameters, "factor"),
        low_freq_factor=_required(parameters, "low_freq_factor"),
        high_freq_factor=_required(parameters, "high_freq_factor"),
        original_max_position_embeddings=_original(parameters, config),
    )


def _yarn(parameters: Config, config: Config) -> Scaling:
    names = ("mscale", "mscale_all_dim")
    both = all(parameters.get(name) for name in names)  # else transformers uses neither
    return YaRN(
        _factor(parameters, config),
        original_max_position_embeddings=_original(parameters, config),
        beta_fast=parameters.get("beta_fast") or 32.0,
        beta_slow=parameters.get("beta_slow") or 1.0,
        truncate=parameters.get("truncate", True),
        attention_factor=parameters.get("attention_factor"),
        **({name: parameters[name] for name in names} if both else {}),
    )


def _longrope(parameters: Config, config: Config) -> Scaling:
    given = ("attention_factor", "short_mscale", "long_mscale")
    return LongRoPE(
        _required(parameters, "short_factor"),
        _required(parameters, "long_factor"),
        original_max_position_embeddings=_original(parameters, config),
        factor=_factor(parameters, config),
        **{name: parameters[name] for name in given if name in parameters},
    )


def _proportional(parameters: Config, config: Config) -> Scaling:
    part: Any = config.get("partial_rotary_factor", 1.0)
    part = parameters.get("partial_rotary_factor", part)
    return Proportional(part, parameters.get("factor", 1.0))


def _required(parameters: Config, name: str) -> Any:
    if name not in parameters:
        kind = kind_of(parameters)
        raise ValueError(f"config must have {name} where the rope type is {kind!r}")
    return parameters[name]


def _longest(config: Config) -> float:
    if "max_position_embeddings" not in config:
        raise ValueError("config must have max_position_embeddings for its rope type")
    value = config["max_position_embeddings"]
    return _arguments.positive(called(config, value, "max_position_embeddings"), value)


def _original(parameters: Config, config: Config) -> Any:
    return parameters[_ORIGINAL] if _ORIGINAL in parameters else _longest(config)


def _factor(parameters: Config, config: Config) -> Any:
    """`factor`; if it is missing, the longest length divided by the original one."""
    if "factor" in parameters:
        return parameters["factor"]
    return _longest(config) / _arguments.positive(_ORIGINAL, _original(parameters, config))


KINDS: dict[str, Callable[[Config, Config], Scaling | None]] = {
    "default": _none,
    "mrope": _none,  # Qwen2-VL: in a text, the three coordinates are equal
    "ernie_3d": _none,  # Ernie 4.5 VL: equal in a text too
    "linear": _linear,
    "ntk": _ntk,
    "dynamic": _dynamic,
    "xdrope": _dynamic,  # Hunyuan-VL
    "yarn": _yarn,
    "deepseek_yarn": _yarn,
    "llama3": _llama3,
    "longrope": _longrope,
    "su": _longrope,  # Phi-3 before transformers 4.43
    "proportional": _proportional,
}
