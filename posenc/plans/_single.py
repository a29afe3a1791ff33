"""The options of `Rotary` for a config that one `Rotary` for each type of layers can say."""

from __future__ import annotations

from typing import Any, get_args

from posenc import _arguments
from posenc.plans import _data, _diffusers, _formats, _gguf, _models, _params
from posenc.plans._reading import Config
from posenc.rotary._config import rotary_options
from posenc.rotary._config_names import flat
from posenc.rotary._turn import Layout


def options(config: Any, layout: str | None) -> dict[str | None, Config]:
    """Arguments of `Rotary` for each layer type; ValueError where a `Plan` can say more."""
    if layout is not None:
        _arguments.choice("layout", layout, get_args(Layout))
    config = _formats.as_dict(config)
    for name, module in (("GGUF", _gguf), ("diffusers", _diffusers), ("params.json", _params)):
        if module.claims(config):
            rule = "a config.json of transformers (posenc.rotary.Plan reads others)"
            raise ValueError(f"config must be {rule}, got one of {name}")
    whole = _models.as_text(_models.completed(config))
    own = flat(whole)
    if not isinstance(own.get("model_type", ""), str):
        return rotary_options(whole)  # which refuses it
    found = rotary_options(_models.as_read(own))
    encoding = _models.encoding(own)
    if encoding is not None:
        got = f"{own.get('model_type')!r}, which has {_data.ENCODINGS[encoding]}"
        raise ValueError(f"config must be of a model with a rotary encoding, got {got}")
    if own.get("model_type") in _data.BACKWARDS:
        rule = "a model that turns queries and keys by p"
        raise ValueError(f"config must be of {rule}, got {own['model_type']!r}, which turns by -p")
    known = _models.layout(own) or layout
    if known is None:
        rule = "config must have a model_type whose layout is known, or layout must be given"
        raise ValueError(f"{rule}, got model_type {_arguments.shown(own.get('model_type'))}")
    return {kind: {**given, "layout": known} for kind, given in found.items()}
