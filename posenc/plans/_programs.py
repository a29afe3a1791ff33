"""Where programs compute something else from the same config.json, with the place that says so.

Each rule was read in the program's source at the commit that its `SOURCES` names. Other commits
may differ: vLLM 0.33.0 reads `mscale`, `mscale_all_dim` and `attention_factor` for YaRN.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from posenc.plans._data import MLX_BASES
from posenc.plans._groups import Group
from posenc.plans._notes import Difference
from posenc.plans._numerals import numeral
from posenc.plans._reading import Config
from posenc.rotary._bands import LongRoPE, YaRN
from posenc.rotary._config import Understood
from posenc.rotary._config_scalings import kind_of
from posenc.rotary._scalings import NTK, Proportional

_VLLM = "vllm-project/vllm, vllm/model_executor/layers/rotary_embedding"
_MLX = "ml-explore/mlx-lm, mlx_lm/models/rope_utils.py, d78bf58e"
SOURCES = {
    "vLLM, yarn": f"{_VLLM}/__init__.py, 926c71f6",
    "vLLM, ntk": f"{_VLLM}/ntk_scaling_rope.py, 03587f55",
    "vLLM, deepseek": f"{_VLLM}/deepseek_scaling_rope.py, 00d678e1",
    "vLLM, longrope": f"{_VLLM}/phi3_long_rope_scaled_rope.py, 17d618b0",
    "vLLM, proportional": f"{_VLLM}/gemma4_rope.py, v0.33.0",
    "SGLang, proportional": (
        "sgl-project/sglang, python/sglang/srt/layers/rotary_embedding/factory.py, v0.5.23"
    ),
    "SGLang, longrope": (
        "sgl-project/sglang, python/sglang/srt/layers/rotary_embedding/rope_variant.py, v0.5.23"
    ),
    "vLLM, types": "vllm-project/vllm, vllm/transformers_utils/config.py, v0.33.0",
    "mlx-lm": _MLX,
    "mlx-lm, keys": "ml-explore/mlx-lm, mlx_lm/models/base.py, v0.32.2",
    "llama.cpp": "ggml-org/llama.cpp, src/llama-model.cpp, pull request 17945",
    "llama-models": "meta-llama/llama-models, models/llama3/args.py, d42f3959",
    "transformers": "huggingface/transformers, src/transformers/modeling_rope_utils.py, v5.24.0",
    "ggml": "ggml-org/llama.cpp, ggml/src/ggml.c, 00bdaa10",
}
# llama.cpp's converter (conversion/base.py, 00bd27a6) writes factor, lengths and ends of the ramp.
# For these types it writes `mscale_all_dim` too.
_WITH_MSCALE = ("ministral3", "mistral4")
_PAIR_0 = "frequency of pair 0"
_BEFORE = "vLLM at 926c71f6, before it read mscale and attention_factor"
Other = tuple[str, float | str | None, str]


def differences(
    read: Understood, parameters: Config, kind: str | None, group: Group
) -> Iterator[Difference]:
    """The numbers of one group that programs do not agree on."""
    found = _differences(read, parameters, kind, group)
    ignored = list(_of_keys(read, parameters, kind, group))
    if not ignored:
        yield from found
        return
    yield from ignored
    for one in found:  # mlx-lm reads no scaling in such a file
        others = tuple(other for other in one.others if other[0] != "mlx-lm")
        yield from [replace(one, others=others)] if others else []


def _of_keys(
    read: Understood, parameters: Config, kind: str | None, group: Group
) -> Iterator[Difference]:
    """What mlx-lm takes if its class for this model does not read `rope_parameters`."""
    base = MLX_BASES.get(read.own.get("model_type", ""))
    elsewhere = kind is not None or "rope_theta" in read.own or read.own.get("rope_scaling")
    if base is None or elsewhere or not isinstance(read.own.get("rope_parameters"), Mapping):
        return
    number, source = None if base == "none" else float(base), SOURCES["mlx-lm, keys"]
    if group.base is not None and number != group.base:
        yield Difference("base", group.base, (("mlx-lm 0.32.2", number, source),))
    if group.scaling is not None and number is not None:
        named = kind_of(parameters) or "default"
        yield Difference("scaling", named, (("mlx-lm 0.32.2", "none", source),))


def _differences(
    read: Understood, parameters: Config, kind: str | None, group: Group
) -> Iterator[Difference]:
    named, other = parameters.get("rope_type"), parameters.get("type")
    if isinstance(named, str) and isinstance(other, str) and named != other:
        both: tuple[Other, ...] = (("mlx-lm", other, _MLX),)
        if (named, other) not in (("longrope", "su"), ("default", "mrope")):
            both += (("vLLM 0.33.0", None, SOURCES["vLLM, types"]),)
        yield Difference("rope type", named, both, kind)
    if isinstance(group.scaling, YaRN) and "short_factor" not in parameters:
        yield from _of_yarn(read, parameters, kind, group, group.scaling)
    if isinstance(group.scaling, NTK) and kind_of(parameters) == "ntk" and group.rotary_dim:
        power = parameters.get("mixed_b")
        power = power if isinstance(power, int | float) else 1.0
        first = group.scaling.factor ** -((2 / group.rotary_dim) ** power)  # it slows every pair
        if first != 1:
            ours = ("vLLM at 03587f55", first, SOURCES["vLLM, ntk"])
            yield Difference(_PAIR_0, 1.0, (ours,), kind)
    if isinstance(group.scaling, Proportional) and group.scaling.factor != 1:
        undivided: tuple[Other, ...] = (
            ("vLLM 0.33.0", 1.0, SOURCES["vLLM, proportional"]),
            ("SGLang 0.5.23", 1.0, SOURCES["SGLang, proportional"]),
        )
        yield Difference(_PAIR_0, 1 / group.scaling.factor, undivided, kind)
    if isinstance(group.scaling, LongRoPE):
        # mlx-lm and SGLang have no such type, but for Phi-3.
        old = kind_of(parameters) == "su" and read.own.get("model_type") != "phi3"
        yield from _of_longrope(read, kind, group, group.scaling, refused=old)


def _of_yarn(
    read: Understood, parameters: Config, kind: str | None, group: Group, scaling: YaRN
) -> Iterator[Difference]:
    keys = ("mscale", "mscale_all_dim", "attn_factor")
    numbers = {key: parameters.get(key) for key in keys}
    if not all(value is None or isinstance(value, int | float) for value in numbers.values()):
        return
    single = _warmth(scaling.factor, numbers["mscale"], numbers["mscale_all_dim"])
    factor = 1.0 if numbers["attn_factor"] is None else float(numbers["attn_factor"])
    others: list[Other] = []
    if read.own.get("model_type") == "deepseek_v4":
        return  # vLLM has code of its own for it, with the factor 1
    if "qk_rope_head_dim" in read.full:  # DeepSeek's code in vLLM, for all of these models
        others.append(("vLLM at 00d678e1", single * factor, SOURCES["vLLM, deepseek"]))
    elif kind_of(parameters) == "yarn":
        plain = _warmth(scaling.factor, None, None) if _scales(parameters) else 1.0
        others.append((_BEFORE, plain * factor, SOURCES["vLLM, yarn"]))
        others.append(("mlx-lm", single, _MLX))
        if "factor" in parameters and read.own.get("model_type") not in _WITH_MSCALE:
            always = _warmth(scaling.factor, None, None)
            others.append(("llama.cpp since #17945", always, SOURCES["llama.cpp"]))
    here = scaling.attention(None)
    unlike = tuple(one for one in others if _unlike(float(one[1] or 0), here))
    if unlike:
        yield Difference("attention factor", here, unlike, kind)
    if not scaling.truncate and "qk_rope_head_dim" not in read.full:
        text = group._of_text()
        own = text.frequencies()
        rounded = replace(text, scaling=replace(scaling, truncate=True)).frequencies()
        pair = int(np.argmax(np.abs(np.log(own / rounded))))
        if own[pair] != rounded[pair]:
            number = float(rounded[pair])
            both: tuple[Other, ...] = (("mlx-lm", number, _MLX),)
            both += (("llama.cpp at 00bdaa10", number, SOURCES["ggml"]),)
            yield Difference(f"frequency of pair {pair}", float(own[pair]), both, kind)


def _unlike(other: float, here: float) -> bool:
    return math.isfinite(other) and abs(other - here) > 1e-9


def _scales(parameters: Config) -> bool:
    return bool(parameters.get("apply_yarn_scaling", True))


def _warmth(factor: float, scale: float | None, every: float | None) -> float:
    """`g(mscale) / g(mscale_all_dim)` with 1 and 0 for those that are missing."""
    if factor <= 1:
        return 1.0
    above = 1.0 if scale is None else scale
    return (0.1 * above * math.log(factor) + 1) / (0.1 * (every or 0.0) * math.log(factor) + 1)


def _of_longrope(
    read: Understood, kind: str | None, group: Group, scaling: LongRoPE, *, refused: bool
) -> Iterator[Difference]:
    original = scaling.original_max_position_embeddings
    short, long = (group._of_text().frequencies(n) for n in (None, 2 * original))
    pair = int(np.argmax(np.abs(np.log(short / long))))
    if short[pair] != long[pair]:
        served = "vLLM at 17d618b0, if it serves longer texts"
        others = (
            (served, float(long[pair]), SOURCES["vLLM, longrope"]),
            ("mlx-lm", None if refused else float(long[pair]), _MLX),
        )
        what = f"frequency of pair {pair} in a text of at most {numeral(original)} positions"
        yield Difference(what, float(short[pair]), others, kind)
    most = read.full.get("max_position_embeddings")
    if not isinstance(most, int | float) or isinstance(most, bool) or most <= 0 or original <= 1:
        return
    ratio = most / original
    made = 1.0 if ratio <= 1 else math.sqrt(1 + math.log(ratio) / math.log(original))
    here = scaling.attention(None)
    is_moe = read.full.get("model_type") == "phimoe"  # mlx-lm reads long_mscale only there
    mlx = (scaling.long_mscale if is_moe else None) or made
    unlike = [] if refused else [("mlx-lm", mlx, _MLX)]
    if scaling.short_mscale is None:
        if not refused:
            unlike.insert(0, ("SGLang 0.5.23", made, SOURCES["SGLang, longrope"]))
        unlike.insert(0, ("vLLM at 17d618b0", made, SOURCES["vLLM, longrope"]))
    elif not is_moe and scaling.attention_factor is None:
        unlike.insert(0, ("transformers 5.24", made, SOURCES["transformers"]))
    unlike = [one for one in unlike if _unlike(one[1], here)]
    if unlike:
        yield Difference("attention factor", here, tuple(unlike), kind)
