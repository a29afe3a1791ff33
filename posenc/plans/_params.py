"""The params.json of Mistral and of Meta: the same keys for sizes, other ones for scalings.

Both turn neighbours. What the keys mean is as vLLM's vllm/transformers_utils/configs/mistral.py
and meta-llama/llama-models' models/llama3/model.py and models/llama4/model.py read them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from posenc import _arguments
from posenc.plans import _data
from posenc.plans._groups import Group, Score
from posenc.plans._notes import Difference, Odd
from posenc.plans._programs import SOURCES
from posenc.plans._queries import llama4, temperature
from posenc.plans._reading import Config, Read, odd_numbers, positions
from posenc.rotary._bands import Llama3, YaRN
from posenc.rotary._scalings import Scaling

_META, _LLAMA4, _OTHERS, _YARN = (
    _data.TABLES[name].split()
    for name in ("params of meta", "params of llama 4", "params of others", "yarn of params")
)
_MOST = 9_999  # layers


def claims(config: Mapping[str, Any]) -> bool:
    """Whether the config is a params.json: it has `dim` and `n_heads`, and no `model_type`."""
    return "dim" in config and "n_heads" in config and "model_type" not in config


def read(config: Config) -> Read:
    """The plan of a params.json."""
    others = [key for key in _OTHERS if key in config]
    if others:
        rule = "have the keys of Mistral's or Meta's params.json"
        raise ValueError(f"config must {rule}, got {', '.join(others)} of another program")
    meta = any(key in config for key in _META)
    head = _head(config)
    scaling, odd = _metas(config) if meta else _mistrals(config)
    programs: tuple[Difference, ...] = ()
    fourth = any(key in config for key in _LLAMA4)
    usual = 500_000.0 if fourth else 10_000.0
    if "rope_theta" not in config and not fourth:
        odd.append(Odd("no base", _data.SENTENCES["no base"]))
        if meta:
            other = ("llama-models", 500_000.0, SOURCES["llama-models"])
            programs = (Difference("base", 10_000.0, (other,)),)
    separate = "qk_rope_head_dim" in config
    score = None if separate else Score(1.0, 1 / math.sqrt(head), f"1/√{head}")
    if separate:
        odd.append(Odd("scores", _data.SENTENCES["scores of params"]))
    if isinstance(config.get("vision_encoder"), Mapping) or "multimodal" in config:
        odd.append(Odd("not read", _data.SENTENCES["encoder"]))
    if not isinstance(config.get("sliding_window"), list | tuple):
        odd += odd_numbers(config, "sliding_window", "attention_chunk_size")
    shared = Group(
        "all layers",
        head_dim=head,
        rotary_dim=head,
        base=_arguments.positive("rope_theta", config.get("rope_theta", usual)),
        layout="interleaved",
        scaling=scaling,
        score=score,
        query=_temperature(config),
    )
    groups = _llama4(shared, config) if fourth else _by_window(shared, config)
    return Read("meta" if meta else "mistral", None, groups, tuple(odd), programs)


def _head(config: Config) -> int:
    for key in ("qk_rope_head_dim", "head_dim"):
        if config.get(key) is not None:
            return _arguments.integer(key, config[key], least=2, most=_arguments.WIDEST)
    heads = _arguments.integer("n_heads", config["n_heads"], least=1)
    return _arguments.integer("dim", config["dim"], least=2 * heads) // heads


def _metas(config: Config) -> tuple[Scaling | None, list[Odd]]:
    if not _arguments.flag("use_scaled_rope", config.get("use_scaled_rope", False)):
        return None, []
    if any(key in config for key in _LLAMA4):
        factor, high = config.get("rope_scaling_factor"), config.get("rope_high_freq_factor")
        return Llama3(factor or 16.0, high_freq_factor=high or 1.0), []
    if "rope_scaling_factor" in config:
        return Llama3(_arguments.positive("factor", config["rope_scaling_factor"])), []
    return Llama3(), [Odd("fixed factor", _data.SENTENCES["fixed factor"])]


def _mistrals(config: Config) -> tuple[Scaling | None, list[Odd]]:
    for key in ("rope_scaling", "rope_parameters"):
        if config.get(key):
            rule = "be absent from a params.json, which has yarn"
            raise ValueError(f"{key} must {rule}, got {_arguments.shown(config[key])}")
    yarn = config.get("yarn")
    if not yarn:
        return None, []
    if not isinstance(yarn, Mapping):
        raise ValueError(f"yarn must be a dict, got {_arguments.shown(yarn)}")
    for key in ("factor", "original_max_position_embeddings"):
        if key not in yarn:
            raise ValueError(f"yarn must have {key}, got {_arguments.shown(dict(yarn))}")
    unread = [str(key) for key in yarn if key not in _YARN]
    odd = [Odd("not read", f"Not read in yarn: {', '.join(unread)}.")] if unread else []
    scaled = _arguments.flag("apply_scale", yarn.get("apply_scale", True))
    scaling = YaRN(
        yarn["factor"],
        original_max_position_embeddings=yarn["original_max_position_embeddings"],
        beta_fast=yarn.get("beta", 32.0),
        beta_slow=yarn.get("alpha", 1.0),
        attention_factor=None if scaled else 1.0,
    )
    return scaling, odd


def _temperature(config: Config) -> str | None:
    given = config.get("llama_4_scaling")
    if not given:
        return None
    if not isinstance(given, Mapping):
        raise ValueError(f"llama_4_scaling must be a dict, got {_arguments.shown(given)}")
    return llama4(given.get("beta"), given.get("original_max_position_embeddings"))


def _llama4(shared: Group, config: Config) -> tuple[Group, ...]:
    """The layers of Llama 4 that turn, within chunks, and those that do not."""
    layers = range(_arguments.integer("n_layers", config.get("n_layers"), least=1, most=_MOST))
    step = config.get("nope_layer_interval")
    step = None if step is None else _arguments.integer("nope_layer_interval", step, least=1)
    stays = tuple(i for i in layers if step and (i + 1) % step == 0)
    kept = tuple(i for i in layers if i not in stays)
    chunk = config.get("attention_chunk_size")
    turning = replace(shared, layers=kept, chunk=positions(chunk))
    query = temperature({"attn_temperature_tuning": False, **config, "model_type": "llama4"})
    still = Group("all layers, some", "none", layers=stays, score=shared.score, query=query)
    return (turning, still) if stays else (turning,)


def _by_window(shared: Group, config: Config) -> tuple[Group, ...]:
    """One group, or one for each window where `sliding_window` is a list that repeats."""
    count = config.get("n_layers")
    layers = None if count is None else _arguments.integer("n_layers", count, least=1, most=_MOST)
    every = None if layers is None else tuple(range(layers))
    windows = config.get("sliding_window")
    if not isinstance(windows, list | tuple):
        return (replace(shared, layers=every, window=positions(windows)),)
    for one in windows:
        if one is not None:
            _arguments.integer("sliding_window", one, least=1)
    cycle = list(windows) or [None]
    groups = []
    for window in dict.fromkeys(cycle):
        own = None if every is None else tuple(i for i in every if cycle[i % len(cycle)] == window)
        name = "full_attention" if window is None else "sliding_attention"
        groups.append(replace(shared, name=name, layers=own, window=window))
    return tuple(groups)
