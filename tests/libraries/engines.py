"""Tables and turned queries of programs that serve and train, for tests/data/engines.

`python -m tests.libraries.engines --vllm FOLDER --ggml FOLDER` writes them. It needs transformers,
torch and megatron-core; the first FOLDER has vLLM's wheel unpacked, the second libggml-base.so and
libggml-cpu.so.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.metadata
import json
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import torch

DATA = Path(__file__).parents[1] / "data" / "engines"
POSITIONS = [0, 1, 2, 3, 7, 100, 1000, 4095, 8191, 32767, 100_000, 131_071]
# no factor is a power of two, which would hide the order of operations
CASES: dict[str, dict[str, Any]] = {
    "plain": {"head_dim": 128, "rope_theta": 1e4},
    "partial": {"head_dim": 64, "rope_theta": 1e4, "partial_rotary_factor": 0.25},
    "linear": {"head_dim": 64, "rope_theta": 1e6, "rope_type": "linear", "factor": 6.0},
    "llama3": {
        **{"head_dim": 128, "rope_theta": 5e5, "rope_type": "llama3", "factor": 6.0},
        **{"low_freq_factor": 1.0, "high_freq_factor": 4.0},
        "original_max_position_embeddings": 8192,
    },
    "yarn": {
        **{"head_dim": 128, "rope_theta": 1e6, "rope_type": "yarn", "factor": 3.0},
        "original_max_position_embeddings": 65536,
    },
}
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
PARTS = ("cosine", "sine", "turned", "frequencies")  # the last one of transformers
Answer = tuple[torch.Tensor, ...]


def of_transformers(case: dict[str, Any], x: torch.Tensor) -> Answer:
    """Llama's module and function; those of GPT-NeoX turn part of a head."""
    from transformers.models.gpt_neox import modeling_gpt_neox as neox
    from transformers.models.llama import modeling_llama as llama

    partial = case.get("partial_rotary_factor")
    code, name = (neox, "GPTNeoX") if partial else (llama, "Llama")
    numbers = {"rope_type": "default", **case}
    head_dim = numbers.pop("head_dim")
    config = getattr(code, f"{name}Config")(
        **{"hidden_size": head_dim, "num_attention_heads": 1, "rope_parameters": numbers},
        **{} if partial else {"head_dim": head_dim},
        max_position_embeddings=131_072,
    )
    module = getattr(code, f"{name}RotaryEmbedding")(config)
    cosine, sine = module(x, torch.tensor(POSITIONS)[None])
    width = cosine.shape[-1]
    turned = code.apply_rotary_pos_emb(x[None, None], x[None, None], cosine, sine)[0][0, 0]
    half = width // 2
    return cosine[0, :, :half], sine[0, :, :half], turned, module.inv_freq


def of_megatron(case: dict[str, Any], x: torch.Tensor) -> Answer:
    from megatron.core.models.common.embeddings import rope_utils, rotary_pos_embedding

    kind = case.get("rope_type")
    if kind == "yarn":
        raise NotImplementedError("its class needs a GPU")
    module = rotary_pos_embedding.RotaryEmbedding(
        case["head_dim"],
        case.get("partial_rotary_factor", 1.0),
        rotary_base=case["rope_theta"],
        seq_len_interpolation_factor=case["factor"] if kind == "linear" else None,
        rope_scaling=kind == "llama3",
        rope_scaling_factor=case.get("factor", 1.0),
        use_cpu_initialization=True,
        cp_group=SimpleNamespace(size=lambda: 1),
    )
    freqs = module.get_freqs_non_repeated(max(POSITIONS) + 1)[POSITIONS]
    angles = torch.cat([freqs, freqs], -1)[:, None, None]
    turned = rope_utils._apply_rotary_pos_emb_bshd(x[:, None, None], angles)[:, 0, 0]
    return freqs.cos().to(x.dtype), freqs.sin().to(x.dtype), turned


def of_vllm(case: dict[str, Any], x: torch.Tensor) -> Answer:
    from vllm.model_executor.layers.rotary_embedding import base as plain
    from vllm.model_executor.layers.rotary_embedding import linear_scaling_rope as linear
    from vllm.model_executor.layers.rotary_embedding import llama3_rope as llama3
    from vllm.model_executor.layers.rotary_embedding import yarn_scaling_rope as yarn

    kind, head = case.get("rope_type"), case["head_dim"]
    length = case.get("original_max_position_embeddings", 32_768 if kind else 131_072)
    width = int(head * case.get("partial_rotary_factor", 1.0))
    first = (head, width, 131_072 if kind == "llama3" else length, case["rope_theta"], True)
    if kind == "linear":
        module = linear.LinearScalingRotaryEmbedding(*first, case["factor"], x.dtype)
    elif kind == "llama3":
        low, high = case["low_freq_factor"], case["high_freq_factor"]
        module = llama3.Llama3RotaryEmbedding(
            *first, x.dtype, case["factor"], low, high, case["original_max_position_embeddings"]
        )
    elif kind == "yarn":
        module = yarn.YaRNScalingRotaryEmbedding(*first, case["factor"], x.dtype)
    else:
        module = plain.RotaryEmbedding(*first, x.dtype)
    cosine, sine = module.cos_sin_cache[POSITIONS].chunk(2, -1)
    return cosine, sine, module.forward_native(torch.tensor(POSITIONS), x.clone())[0]


def stand_ins(folder: str, package: str, *inner: str) -> None:
    """Make `inner` packages importable from `folder`, without the rest of a program's package.

    The rest chooses kernels for devices. Any other module of it seems to be there.
    """
    sys.path.insert(0, folder)

    class Operation(torch.nn.Module):
        register = staticmethod(lambda _name: lambda kind: kind)
        enabled = staticmethod(lambda: False)

        def __init__(self, **_options: object) -> None:
            super().__init__()

    class Finder:
        """Modules each name of which is a function that returns False."""

        def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
            mine = name.startswith(f"{package}.") and not name.startswith(f"{inner[-1]}.rotary")
            return ModuleSpec(name, self) if mine else None

        def create_module(self, spec: ModuleSpec) -> ModuleType:
            made = ModuleType(spec.name)
            vars(made).update(__path__=[], __getattr__=_anything)
            return made

        def exec_module(self, _module: ModuleType) -> None:
            """It has no code."""

    def module(name: str, **values: object) -> None:
        made = sys.modules[name] = ModuleType(name)
        vars(made).update(__getattr__=_anything, **values)

    for name in (package, *inner):
        module(name, __path__=[str(Path(folder, *name.split(".")))])
    settings = SimpleNamespace(model_config=SimpleNamespace(max_model_len=131_072))
    module(f"{package}.config", get_current_vllm_config=lambda: settings)
    module(f"{package}.logger", init_logger=lambda _name: _Nothing())
    module(f"{package}.model_executor.custom_op", CustomOp=Operation)
    module(f"{package}.kernels", __path__=[])
    module(f"{package}.kernels.fused_op", BaseFusedOp=Operation)
    module(f"{package}.srt.runtime_context", publish_role=lambda: None)
    module(f"{package}.srt.utils", __path__=[], get_device=lambda: "cpu")
    sys.meta_path.insert(0, Finder())


VLLM = ("vllm", "vllm.model_executor", "vllm.model_executor.layers")
SGLANG = ("sglang", "sglang.srt", "sglang.srt.layers")


def _anything(name: str) -> _Nothing:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Nothing()


class _Nothing:
    """What has any name, can be called, and decorates a function by leaving it as it is."""

    def __getattr__(self, name: str) -> _Nothing:
        return _anything(name)

    def __call__(self, *given: object, **_: object) -> object:
        return given[0] if given and callable(given[0]) else False


class _Memory(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("at", ctypes.c_void_p), ("none", ctypes.c_bool)]


def of_llama_cpp(case: dict[str, Any], x: torch.Tensor, folder: str) -> Answer:
    """ggml_rope_ext on a CPU, which takes float32 and float16; its table is what units become."""
    if x.dtype == torch.bfloat16 or case.get("rope_type") not in (None, "linear"):
        raise NotImplementedError("queries in bfloat16; a scaling whose numbers a file holds")
    base, cpu = (
        ctypes.CDLL(f"{folder}/libggml-{n}.so", ctypes.RTLD_GLOBAL) for n in ("base", "cpu")
    )
    pointer, real = ctypes.c_void_p, ctypes.c_float
    for name in ("init", "new_tensor_1d", "new_tensor_3d", "rope_ext", "new_graph", "get_data"):
        getattr(base, f"ggml_{name}").restype = pointer
    width = int(case["head_dim"] * case.get("partial_rotary_factor", 1.0))

    def turned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        size = ctypes.c_int64
        memory = pointer(base.ggml_init(_Memory(1 << 26, None, False)))
        kind = 0 if array.dtype == np.float32 else 1
        rows = base.ggml_new_tensor_3d(
            memory, kind, size(array.shape[1]), size(1), size(len(array))
        )
        places = base.ggml_new_tensor_1d(memory, 26, size(len(array)))
        numbers = np.array(POSITIONS, np.int32)
        ctypes.memmove(base.ggml_get_data(pointer(rows)), array.ctypes.data, array.nbytes)
        ctypes.memmove(base.ggml_get_data(pointer(places)), numbers.ctypes.data, numbers.nbytes)
        numbers_of_scaling = (real(case["rope_theta"]), real(1 / case.get("factor", 1.0)))
        rest = (real(0), real(1), real(32), real(1))
        made = pointer(
            base.ggml_rope_ext(
                *(memory, pointer(rows), pointer(places), None, width, 2, 0),
                *numbers_of_scaling,
                *rest,
            )
        )
        graph = pointer(base.ggml_new_graph(memory))
        base.ggml_build_forward_expand(graph, made)
        cpu.ggml_graph_compute_with_ctx(memory, graph, 1)
        out = np.empty_like(array)
        ctypes.memmove(out.ctypes.data, base.ggml_get_data(made), out.nbytes)
        base.ggml_free(memory)
        return out

    units = np.zeros((len(POSITIONS), case["head_dim"]), np.float32)
    units[:, : width // 2] = 1
    table = torch.tensor(turned(units)[:, :width])
    return *table.chunk(2, -1), torch.tensor(turned(np.ascontiguousarray(x.numpy())))


def queries(case: dict[str, Any]) -> np.ndarray[Any, Any]:
    shape = (len(POSITIONS), case["head_dim"])
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--vllm", required=True)
    parser.add_argument("--ggml", required=True)
    options = parser.parse_args()
    stand_ins(options.vllm, *VLLM)
    programs = {
        "transformers": of_transformers,
        "megatron_core": of_megatron,
        "vllm_native": of_vllm,
        "llama_cpp": lambda case, x: of_llama_cpp(case, x, options.ggml),
    }
    arrays = {}
    for program, run in programs.items():
        for name, case in CASES.items():
            for precision, dtype in DTYPES.items():
                x = torch.tensor(queries(case)).to(dtype)
                try:
                    answer = run(case, x)
                except NotImplementedError:
                    continue
                for part, tensor in zip(PARTS, answer, strict=False):
                    arrays[f"{program}/{name}/{precision}/{part}"] = tensor.float().numpy()
    np.savez_compressed(DATA / "reference.npz", **arrays)
    versions = {name: importlib.metadata.version(name) for name in ("torch", "transformers")}
    versions["megatron-core"] = importlib.metadata.version("megatron-core")
    versions |= {"vLLM": "0.33.0", "llama.cpp": "0c1e57098bba in llama-cpp-python 0.3.36"}
    text = json.dumps({"versions": versions, "positions": POSITIONS, "cases": CASES}, indent=1)
    (DATA / "reference.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
