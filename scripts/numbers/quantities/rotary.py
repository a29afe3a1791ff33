"""Rotary encodings of published models, and the scalings compared on one head."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, cast

from posenc import Rotary
from posenc.encoding import FloatArray
from posenc.rotary import NTK, Linear, Llama3, LongRoPE, Scaling, YaRN

_FILE = Path(__file__).parents[2] / "figures" / "data" / "rotary_models.json"
_HEAD_DIM, _TRAINED, _FACTOR = 96, 4096, 32  # those of Phi-3.5-mini, whose LongRoPE is compared


def model_wavelengths(model: str, *, scaled: bool = True) -> FloatArray:
    """Wavelengths of a model's pairs in its longest texts, or without its scaling."""
    rotary = _rotary(model)
    if scaled:
        return rotary.wavelengths(_longest(model))
    return Rotary(rotary.head_dim, base=rotary.base).wavelengths()


def model_attention(model: str) -> float:
    """The factor of a model's cosines and sines in its longest texts."""
    return _rotary(model).attention_factor(_longest(model))


def model_setting(model: str, name: str) -> float:
    """What the config says under "rope_theta", "factor" or "original_max_position_embeddings"."""
    config = _models()[model]
    found = {**(config["rope_scaling"] or {}), **config}
    return float(found[name])


def stretched(scaling: str) -> FloatArray:
    """Wavelengths of a head of 96 features, trained on 4,096 positions, for texts 32 times as long.

    `scaling` is "none", "linear", "ntk", "yarn", "llama3" or "longrope", which has the list of
    Phi-3.5-mini.
    """
    return _head(scaling).wavelengths(_TRAINED * _FACTOR)


def stretched_similarity(offset: Any, scaling: str) -> Any:
    """The similarity of positions `offset` apart, as a share of that at 0, in the same head."""
    return _head(scaling).similarity(offset, _TRAINED * _FACTOR) / (_HEAD_DIM / 2)


def stretched_attention(scaling: str) -> float:
    """The attention factor of the same head."""
    return _head(scaling).attention_factor()


@cache
def _head(scaling: str) -> Rotary:
    phi = cast(LongRoPE, _rotary("Phi-3.5-mini").scaling)
    made: dict[str, Scaling | None] = {
        "none": None,
        "linear": Linear(_FACTOR),
        "ntk": NTK(_FACTOR),
        "yarn": YaRN(_FACTOR, original_max_position_embeddings=_TRAINED),
        "llama3": Llama3(_FACTOR, original_max_position_embeddings=_TRAINED),
        "longrope": phi,
    }
    return Rotary(_HEAD_DIM, scaling=made[scaling])


def _rotary(model: str) -> Rotary:
    return cast(Rotary, Rotary.from_config(_models()[model]))


def _longest(model: str) -> float:
    """The longest text that the model is made for."""
    return model_setting(model, "max_position_embeddings")


@cache
def _models() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(_FILE.read_text("utf-8"))["models"]
    return content
