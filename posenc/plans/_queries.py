"""Factors of queries that depend on the position, in words."""

from __future__ import annotations

from typing import Any

from posenc import _arguments
from posenc.plans import _data
from posenc.plans._numerals import numeral
from posenc.plans._reading import Config
from posenc.rotary._config import Understood


def query(read: Understood, parameters: Config) -> str | None:
    """What else multiplies a query at position p, from 0; None if nothing does."""
    model = read.own.get("model_type")
    if model in ("ministral3", "mistral4"):
        original = parameters.get("original_max_position_embeddings")
        return llama4(parameters.get("llama_4_scaling_beta"), original)
    if model in _data.QUERIES:
        return _data.QUERIES[model]
    if model == "falcon_h1" and read.own.get("key_multiplier", 1) != 1:
        number = _arguments.finite("key_multiplier", read.own["key_multiplier"])
        return f"key times {number:.5g} (key_multiplier)"
    if read.own.get("use_logn_attn") and model == "qwen":
        trained = read.own.get("seq_length", 8192)
        length = _arguments.positive("seq_length", trained)
        return f"query at position p times ln(p + 1) / ln {length:,g} if p + 1 > {length:,g}"
    return None


def temperature(own: Config) -> str | None:
    """The temperature of Llama 4 and others, in their layers without positions."""
    if own.get("model_type") in _data.QUERIES_THAT_STAY:
        return _data.QUERIES_THAT_STAY[own["model_type"]]
    if own.get("model_type") not in ("llama4", "llama4_text"):
        return None
    if not own.get("attn_temperature_tuning", True):
        return None
    scale = _arguments.finite("attn_scale", own.get("attn_scale", 0.1))
    floor = _arguments.positive("floor_scale", own.get("floor_scale", 8192))
    step = f"floor((p + 1) / {numeral(floor, 6)})"
    return f"query at position p times 1 + {_plain(scale)} ln(1 + {step})"


def llama4(beta: Any, original: Any) -> str | None:
    """The factor of Ministral 3 and Mistral 4, whose config names it `llama_4_scaling_beta`."""
    if not beta:
        return None
    number = _arguments.finite("beta", beta)
    length = _arguments.positive("original_max_position_embeddings", original)
    step = f"floor(p / {numeral(length, 6)})"
    return f"query at position p times 1 + {_plain(number)} ln(1 + {step})"


def _plain(value: float) -> str:
    return numeral(value, 6).replace(",", "")
