"""The type of each layer and its window, where the file or the type of the model says so."""

from __future__ import annotations

from typing import Any

from posenc.plans import _data
from posenc.plans._reading import Config, positions
from posenc.rotary._config import layer_types

_COUNTS = ("num_layers_per_stack", "num_hidden_layers", "n_layer", "n_layers", "num_layers")
_COMPRESSED = {
    0: "sliding_attention",
    4: "compressed_sparse_attention",
    128: "heavily_compressed_attention",
}


def count(own: Config) -> int | None:
    """How many layers there are, if the config says so."""
    given = next((own[key] for key in _COUNTS if own.get(key) is not None), None)
    usable = isinstance(given, int) and not isinstance(given, bool) and 0 < given < 10_000
    return given if usable else None


def types_of(own: Config) -> list[str]:
    """The type of each layer; empty if neither the file nor the type of the model says."""
    blocks = own.get("layers_block_type")  # Zamba 2
    named = isinstance(blocks, list) and all(isinstance(one, str) for one in blocks)
    given = layer_types(own) or (blocks if named and blocks else [])
    if given and own.get("model_type") in _data.LAST_IS_FULL:  # whatever the file says
        return [*given[:-1], _BOTH[0]]
    number = count(own)
    if given or number is None:
        return given
    parts = own.get("block_configs")  # Nemotron NAS
    if isinstance(parts, list) and len(parts) == number:
        return ["no_attention" if _is_without(one) else _BOTH[0] for one in parts]
    marks = own.get("hybrid_layer_pattern", own.get("compress_ratios"))  # MiMo-V2, DeepSeek-V4
    if isinstance(marks, list) and len(marks) >= number:
        names = _COMPRESSED if "compress_ratios" in own else dict(enumerate(_BOTH))
        if all(isinstance(one, int) and one in names for one in marks):
            return [names[one] for one in marks[:number]]
    marks = own.get("attn_type_list")  # MiniMax-Text-01
    if isinstance(marks, list) and len(marks) >= number and not all(marks):
        return [_BOTH[0] if one else "linear_attention" for one in marks[:number]]
    attending = own.get("full_attn_idxs")  # LFM2
    if isinstance(attending, list):
        return ["full_attention" if i in attending else "conv" for i in range(number)]
    if own.get("model_type") == "deepseek_v4":
        return [_COMPRESSED[4 if i > 1 and i % 2 else 128] for i in range(number)]
    return _by_rule(own, number)


def _is_without(block: Any) -> bool:
    """Whether a block of Nemotron NAS has no attention, or a linear map in its place."""
    own = block.get("attention") if isinstance(block, dict) else None
    return isinstance(own, dict) and any(own.get(key) for key in ("no_op", "replace_with_linear"))


_BOTH = ("full_attention", "sliding_attention")


def kinds_of(own: Config) -> list[str]:
    """The types of layers, without their numbers if the config does not count the layers."""
    return list(dict.fromkeys(types_of(own) or _by_rule(own, 60)))


def _by_rule(own: Config, number: int) -> list[str]:
    """A type that returns after a period, and another one between; or one from a layer on."""
    model = str(own.get("model_type"))
    rule = _data.LAYER_RULES.get(model)
    if rule is None:
        return []
    usual, other, period, place, *key = rule.split()
    step: Any = own.get(key[0], int(period)) if key else int(period)
    if not isinstance(step, int) or isinstance(step, bool) or step < 1:
        return []
    if "sliding" in usual + other and window(own) is None and model not in _data.BOTH_SIDES:
        return []
    if place == "after":
        return [usual if i < step else other for i in range(number)]
    first = 0 if place == "first" else step - 1
    types = [other if i % step == first else usual for i in range(number)]
    return [*types[:-1], other] if place == "both" else types


def window(own: Config) -> int | None:
    """How many positions a query sees in layers with a window; None if the model has none."""
    model = own.get("model_type")
    if model in _data.WITHOUT_WINDOWS:
        return None
    if model in _data.WINDOWS_IF_USED and not own.get("use_sliding_window", False):
        return None
    before: Any = own.get("sliding_window_size")
    if model == "mimo_v2_flash" and isinstance(before, int):
        return before + 1  # its code counts the keys before the query
    found: Any = own.get("sliding_window", own.get("attention_window_size"))
    if "sliding_window" not in own and found is None:
        found = _data.WINDOWS.get(str(model))
    return positions(found)


def has_no_window(own: Config) -> bool:
    """Whether the config has no window for its layers with one, or for those of its type."""
    model = own.get("model_type")
    unused = model in _data.WINDOWS_IF_USED and not own.get("use_sliding_window")
    free = model in _data.WITHOUT_WINDOWS | _data.WINDOWS_MAY_BE_NULL
    usual = "" if unused else _data.LAYER_RULES.get(str(model), "")
    if usual.endswith("max_window_layers") and not own.get("layer_types"):
        usual = "" if _all_before(own, int(usual.split()[2])) else usual
    near = _BOTH[1] in (own.get("layer_types") or usual)
    return near and not free and (unused or own.get("sliding_window", 0) is None)


def _all_before(own: Config, usual: int) -> bool:
    """Whether all layers come before those with a window."""
    first, layers = own.get("max_window_layers", usual), count(own)
    return layers is not None and isinstance(first, int) and layers <= first


def window_of(own: Config, kind: str) -> int | None:
    """The window of layers of one type, where it leads back from the query."""
    model = own.get("model_type")
    near = "sliding" in kind or model in _data.WINDOWS_EVERYWHERE
    return window(own) if near and model not in _data.BOTH_SIDES else None


def note_of(own: Config, kind: str) -> str | None:
    """What a reader has to know about a window: it has two sides, or is not all that is seen."""
    if "compressed" in kind:  # DeepSeek-V4
        return "a query also sees the text before its window, compressed"
    model = own.get("model_type")
    near = "sliding" in kind or model in _data.WINDOWS_EVERYWHERE
    if not near or model not in _data.BOTH_SIDES:
        return None
    width = own.get("local_attention", 128)  # ModernBERT
    known = isinstance(width, int) and str(model).startswith("modernbert")
    return f"a query sees {width // 2:,} positions on each side" if known else _SIDES


_SIDES = "the window reaches to both sides of a query"


def chunk_of(own: Config, kind: str) -> int | None:
    """The chunk of layers that attend within chunks: those of Llama 4 that turn."""
    usual = 8192 if own.get("model_type") == "llama4_text" else None
    chunk = own.get("attention_chunk_size", usual)
    within = "chunked" in kind or (not kind and usual)
    return positions(chunk) if within else None
