"""The metadata of a GGUF file, as llama.cpp reads them (src/llama-model.cpp; pull request 17945).

The layout follows from the architecture; the rows of queries and keys are stored for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from posenc import _arguments
from posenc.plans import _data
from posenc.plans._groups import Group, Score
from posenc.plans._notes import Odd
from posenc.plans._queries import llama4
from posenc.plans._reading import Config, Read, positions
from posenc.rotary._bands import LongRoPE, YaRN
from posenc.rotary._scalings import Linear, Scaling

_ARCHITECTURE = "general.architecture"


def claims(config: Mapping[str, Any]) -> bool:
    """Whether the config is the metadata of a GGUF file."""
    return _ARCHITECTURE in config


def read(config: Config) -> Read:
    """The plan of a file; the tensors `rope_freqs` and `rope_factors_*` may be keys with lists."""
    name = config[_ARCHITECTURE]
    if not isinstance(name, str):
        raise ValueError(f"{_ARCHITECTURE} must be a string, got {_arguments.shown(name)}")
    prefix = f"{name}."
    own = {key.removeprefix(prefix): value for key, value in config.items()}
    kind = _data.GGUF.get(name)
    if kind == "none":
        encoding = _data.GGUF_ENCODINGS.get(name, "none")
        return Read("gguf", name, (Group("all layers", encoding, layers=_layers(own)),))
    if "rope.global.freq_base" in own or "rope.local.freq_base" in own:
        rule = f"have rope.freq_base where {_ARCHITECTURE} is {name!r}"
        raise ValueError(f"config must {rule}, got the keys of Ollama's own files")
    odd: list[Odd] = []
    if kind is None:
        odd.append(Odd("model type", f"{name} is not known to posenc: the layout is not known."))
    if "rope.freq_base" not in own:
        odd.append(Odd("no base", "rope.freq_base is missing. The usual 10,000 is used."))
    group = _group(own, name, kind)
    groups = _by_window(own, name, group, odd)
    bare = sorted({*(_layers(own) or ())} - {*(group.layers or ())})
    if group.layers is not None and bare:
        groups.append(Group("layers without attention", "none", layers=tuple(bare)))
    return Read("gguf", name, tuple(groups), tuple(odd))


def _group(own: Config, name: str, kind: str | None) -> Group:
    head = _head(own)
    width = _count(own, "rope.dimension_count", head)
    several = kind in ("sections", "sections in turn")
    sections = _sections(own) if several else ()
    if several and not sections:
        raise ValueError("rope.dimension_sections must be there, got none")
    scaling = _scaling(own, name)
    layout = "interleaved" if kind == "interleaved" else "halves"
    return Group(
        "all layers",
        layers=_attending(own, name),
        head_dim=width if name in _data.GGUF_SEPARATE else head,
        rotary_dim=width,
        base=_arguments.positive("rope.freq_base", own.get("rope.freq_base", 10_000.0)),
        layout=None if kind is None else layout,  # type: ignore[arg-type]
        scaling=scaling,
        axes=("time", "y", "x") if sections else (),
        sections=sections,
        rule=kind if sections else None,
        score=_score(own, name, scaling, head),
        query=_temperature(own),
        note=_data.SENTENCES["rows"] if layout == "interleaved" else None,
    )


def _head(own: Config) -> int:
    if "attention.key_length" in own:
        return _count(own, "attention.key_length", 0)
    heads = own.get("attention.head_count")
    if isinstance(heads, list) and heads:  # a number for each layer, 0 without attention
        heads = max(_arguments.integer("attention.head_count", one, least=0) for one in heads)
    width = _count(own, "embedding_length", None)
    head = width // _arguments.integer("attention.head_count", heads, least=1)
    return _arguments.integer("embedding_length // attention.head_count", head, least=2)


def _count(own: Config, key: str, default: int | None) -> int:
    value = own.get(key, default)
    if value is None:
        raise ValueError(f"{key} must be there, got metadata without it")
    return _arguments.integer(key, value, least=2, most=_arguments.WIDEST)


def _sections(own: Config) -> tuple[int, ...]:
    given = own.get("rope.dimension_sections")
    if given is None:
        return ()
    counts = _arguments.entries("rope.dimension_sections", given)
    numbers = [_arguments.integer("rope.dimension_sections", one, least=0) for one in counts]
    return tuple(numbers[:3])


def _scaling(own: Config, name: str) -> Scaling | None:
    """The scaling that the keys name, or that tensors with a number for each pair hold."""
    length: Any = own.get("rope.scaling.original_context_length", own.get("context_length"))
    kind = own.get("rope.scaling.type", "linear")
    factor = own.get("rope.scaling.factor", own.get("rope.scale_linear", 1.0)) or 1.0
    short, long = own.get("rope_factors_short.weight"), own.get("rope_factors_long.weight")
    if short is not None and long is not None:
        warm = own.get("rope.scaling.attn_factor", 1.0)
        return LongRoPE(short, long, original_max_position_embeddings=length, attention_factor=warm)
    if own.get("rope_freqs.weight") is not None:
        divisors = own["rope_freqs.weight"]
        length = own.get("context_length", 1.0)
        return LongRoPE(
            divisors, divisors, original_max_position_embeddings=length, attention_factor=1.0
        )
    if kind == "yarn":
        return YaRN(
            factor,
            original_max_position_embeddings=length,
            beta_fast=own.get("rope.scaling.yarn_beta_fast", 32.0),
            beta_slow=own.get("rope.scaling.yarn_beta_slow", 1.0),
            attention_factor=_warmth(own, name, factor),
        )
    if kind == "longrope":
        raise ValueError("rope_factors_short and rope_factors_long must be there for longrope")
    if kind not in ("none", "linear"):
        got = _arguments.shown(kind)
        raise ValueError(f"rope.scaling.type must be none, linear, yarn or longrope, got {got}")
    return None if kind == "none" or factor == 1 else Linear(factor)


def _every(own: Config, name: str) -> float:
    """`mscale_all_dim`, of which DeepSeek's files hold a tenth."""
    key = "rope.scaling.yarn_log_multiplier"
    number = _arguments.finite(key, own.get(key, 0.0))
    return number / 0.1 if name in _data.GGUF_SEPARATE else number


def _warmth(own: Config, name: str, factor: Any) -> float:
    """What llama.cpp multiplies cosine and sine by with YaRN."""
    stretch = math.log(max(_arguments.positive("rope.scaling.factor", factor), 1.0)) / 10
    every = _every(own, name)
    scale = every if name == "deepseek2" and every != 1 and every else 1.0
    warm = _arguments.positive("attn_factor", own.get("rope.scaling.attn_factor", 1.0))
    return warm * (scale * stretch + 1) / (every * stretch + 1)


def _score(own: Config, name: str, scaling: Scaling | None, head: int) -> Score | None:
    given = own.get("attention.scale")
    if given:
        scale = _arguments.positive("attention.scale", given)
        return Score(scale * math.sqrt(head), scale, "attention.scale")
    if name in _data.GGUF_SEPARATE:
        width = _count(own, "attention.key_length_mla", head)
        factor = 1.0
        every = _every(own, name)
        if isinstance(scaling, YaRN) and every and scaling.factor != 1:
            warm = scaling.attention(None)
            factor = (warm * (0.1 * every * math.log(scaling.factor) + 1)) ** 2
        return Score(factor, factor / math.sqrt(width), f"{factor:.4g}/√{width}")
    if name in _data.GGUF_OWN_SCORES:
        return None
    return Score(1.0, 1 / math.sqrt(head), f"1/√{head}")


def _temperature(own: Config) -> str | None:
    scale = own.get("attention.temperature_scale")
    length = own.get(
        "attention.temperature_length", own.get("rope.scaling.original_context_length")
    )
    return llama4(scale, length) if scale and length else None


def _layers(own: Config) -> tuple[int, ...] | None:
    count = own.get("block_count")
    usable = isinstance(count, int) and not isinstance(count, bool) and 0 < count < 10_000
    return tuple(range(count)) if usable and count else None


def _attending(own: Config, name: str) -> tuple[int, ...] | None:
    """The layers that have heads of keys, or one in a number of layers, if the file says so."""
    layers = _layers(own)
    if layers is None:
        return None
    for key in ("attention.head_count_kv", "attention.head_count"):
        heads = own.get(key)
        if isinstance(heads, list) and len(heads) >= len(layers):
            return tuple(i for i in layers if heads[i])
    usual = _data.GGUF_ATTENTION.get(name)
    step = positions(own.get("full_attention_interval", usual and int(usual)))
    return layers if usual is None or step is None else layers[step - 1 :: step]


def _by_window(own: Config, name: str, group: Group, odd: list[Odd]) -> list[Group]:
    """One group, or those with and without a window, and those that do not turn."""
    window = positions(own.get("attention.sliding_window"))
    if name in _data.GGUF_INTERVALS:
        still = Group("one layer in 4", "none", score=group.score, query=group.query)
        return [replace(group, name="other layers", layers=None, query=None), still]
    if window is None:
        return [group]
    base = own.get("rope.freq_base_swa", _data.GGUF_WINDOW_BASES.get(name))
    if base is None and name not in _data.GGUF_WINDOWS and _PATTERN not in own:
        odd.append(Odd("window", _data.SENTENCES["window of gguf"]))
        return [group]
    flags = _flags(own, name, _layers(own))
    layers: list[tuple[int, ...] | None] = [None, None]
    if flags is not None and group.layers is not None:
        layers = [tuple(i for i in group.layers if flags[i] == near) for near in (True, False)]
    near = replace(group, name="layers with a window", layers=layers[0], window=window)
    far = replace(group, name="layers with full attention", layers=layers[1])
    if name in _data.GGUF_FULL_STAY:
        return [near, Group(far.name, "none", layers=far.layers, score=group.score)]
    head = _count(own, "attention.key_length_swa", group.head_dim)
    width = _count(own, "rope.dimension_count_swa", group.rotary_dim)
    near = replace(near, head_dim=head, rotary_dim=min(width, head))
    if base is not None:
        near = replace(near, base=_arguments.positive("rope.freq_base_swa", base))
    if name not in _data.GGUF_SCALED:
        near = replace(near, scaling=None)
    return [near, far]


_PATTERN = "attention.sliding_window_pattern"


def _flags(own: Config, name: str, layers: tuple[int, ...] | None) -> list[bool] | None:
    """For each layer whether it has a window, if the file or the architecture says so."""
    given = own.get(_PATTERN, int(_data.GGUF_WINDOWS.get(name, "0")))
    if layers is None:
        return None
    if isinstance(given, list) and len(given) >= len(layers):
        return [bool(given[i]) for i in layers]
    period = positions(given)
    return None if period is None else [i % period < period - 1 for i in layers]
