"""Rotary.from_config with configs of published models, written down here from their files.

Each has the keys that concern positions. Values follow from the models' own code: transformers
where it has the model, otherwise the code beside the weights.
"""

from __future__ import annotations

import pytest

from posenc import Rotary
from posenc.rotary import DynamicNTK, Linear, Llama3, YaRN


def sized(model_type, hidden_size, num_attention_heads, **others):
    """A config with the two numbers that most models give."""
    sizes = {"hidden_size": hidden_size, "num_attention_heads": num_attention_heads}
    return {"model_type": model_type, **sizes, **others}


LLAMA3 = {
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
    "rope_type": "llama3",
}
YARN = {
    "beta_fast": 32,
    "beta_slow": 1,
    "factor": 40,
    "mscale": 0.707,
    "mscale_all_dim": 0.707,
    "original_max_position_embeddings": 4096,
    "type": "yarn",
}
DYNAMIC = {"factor": 6.0, "rope_type": "dynamic"}
LINEAR = {"factor": 8.0, "rope_type": "linear"}
NOMIC = {
    "model_type": "nomic_bert",
    "n_embd": 768,
    "n_head": 12,
    "n_positions": 8192,
    "max_trained_positions": 2048,
    "rotary_emb_base": 1000,
    "rotary_emb_fraction": 1.0,
    "rotary_emb_interleaved": False,
}
ERNIE = {"rope_theta": 500_000, "max_position_embeddings": 131_072}
TIME_LAST = {"type": "ernie_3d", "mrope_section": [22, 22, 20]}
ROTARY = {
    "Mistral 7B v0.1": (sized("mistral", 4096, 32, rope_theta=10_000.0), Rotary(128)),
    "Mistral Small 3.1": (
        {
            "model_type": "mistral3",
            "text_config": sized("mistral", 5120, 32, head_dim=128, rope_theta=1e9),
            "vision_config": sized("pixtral", 1024, 16, rope_theta=10_000.0),
        },
        Rotary(128, base=1e9),
    ),
    "Mixtral 8x7B": (sized("mixtral", 4096, 32, rope_theta=1e6), Rotary(128, base=1e6)),
    "Llama 3.3 70B": (
        sized("llama", 8192, 64, rope_theta=500_000.0, rope_scaling=LLAMA3),
        Rotary(128, base=500_000, scaling=Llama3(8)),
    ),
    "SmolLM2 135M": (sized("llama", 576, 9, rope_theta=100_000), Rotary(64, base=100_000)),
    "Yi 6B": (sized("llama", 4096, 32, rope_theta=5e6), Rotary(128, base=5e6)),
    "Falcon 3 7B": (
        sized("llama", 3072, 12, head_dim=256, rope_theta=1_000_042),
        Rotary(256, base=1_000_042),
    ),
    "Qwen2.5 0.5B": (sized("qwen2", 896, 14, rope_theta=1e6), Rotary(64, base=1e6)),
    "Qwen3 30B-A3B": (
        sized("qwen3_moe", 2048, 32, head_dim=128, rope_theta=1e6, rope_scaling=None),
        Rotary(128, base=1e6),
    ),
    "DeepSeek-V2 Lite": (
        sized("deepseek_v2", 2048, 16, qk_rope_head_dim=64, rope_theta=10_000, rope_scaling=YARN),
        Rotary(
            64,
            layout="interleaved",
            scaling=YaRN(
                40, original_max_position_embeddings=4096, mscale=0.707, mscale_all_dim=0.707
            ),
        ),
    ),
    "Phi-4": (
        sized("phi3", 5120, 40, rope_theta=250_000, original_max_position_embeddings=16_384),
        Rotary(128, base=250_000),
    ),
    "Phi-3 small": (
        sized("phi3small", 4096, 32, rope_embedding_base=1e6, rope_position_scale=1.0),
        Rotary(128, base=1e6),
    ),
    "Gemma 3 27B": (
        {
            "model_type": "gemma3",
            "text_config": sized("gemma3_text", 5376, 32, head_dim=128, rope_scaling=LINEAR),
        },
        {
            "full_attention": Rotary(128, base=1e6, scaling=Linear(8)),
            "sliding_attention": Rotary(128),
        },
    ),
    "Command R": (
        sized("cohere", 8192, 64, rope_theta=8e6),
        Rotary(128, base=8e6, layout="interleaved"),
    ),
    "GPT-NeoX 20B": (
        sized("gpt_neox", 6144, 64, rotary_emb_base=10_000, rotary_pct=0.25),
        Rotary(96, rotary_dim=24),
    ),
    "InternLM3 8B": (
        sized("internlm3", 4096, 32, head_dim=128, rope_theta=5e7, rope_scaling=DYNAMIC)
        | {"max_position_embeddings": 32_768},
        Rotary(128, base=5e7, scaling=DynamicNTK(6, 32_768)),
    ),
    "ChatGLM2 6B": (
        sized("chatglm", 4096, 32, kv_channels=128, original_rope=True),
        Rotary(128, rotary_dim=64, layout="interleaved"),
    ),
    "Baichuan2 7B": (
        sized("baichuan", 4096, 32, max_position_embeddings=4096, model_max_length=4096),
        Rotary(128),
    ),
    "ModernBERT large": (
        sized("modernbert", 1024, 16, global_rope_theta=160_000.0, local_rope_theta=10_000.0),
        {"full_attention": Rotary(64, base=160_000), "sliding_attention": Rotary(64)},
    ),
    "Nomic Embed v1.5": ({**NOMIC, "rotary_scaling_factor": None}, Rotary(64, base=1000)),
    "Nomic Embed v1.5 for long texts": (
        {**NOMIC, "rotary_scaling_factor": 2},
        Rotary(64, base=1000, scaling=DynamicNTK(2, 2048)),
    ),
    "ERNIE 4.5 VL, beside the weights": (
        sized("ernie4_5_moe_vl", 2560, 20, freq_allocation=20, **ERNIE),
        Rotary(128, base=500_000, layout="interleaved"),
    ),
    "ERNIE 4.5 VL": (
        {
            "model_type": "ernie4_5_vl_moe",
            "text_config": sized(
                "ernie4_5_vl_moe_text", 2560, 20, rope_parameters=TIME_LAST | {"rope_theta": 5e5}
            ),
        },
        Rotary(128, base=500_000, layout="interleaved"),
    ),
}


@pytest.mark.parametrize("model", ROTARY)
def test_a_published_config_gives_the_rotary_encoding_of_its_model(model):
    config, expected = ROTARY[model]
    assert Rotary.from_config(config) == expected


NO_KEY = "config must have rope_theta, rope_scaling or rope_parameters, or a model_type known to"
NOT_ROTARY = "config must be of a model with a rotary encoding"
ODD = "head_dim \\* partial_rotary_factor must be even"
REFUSED = {
    "BERT": (sized("bert", 768, 12, position_embedding_type="absolute"), NOT_ROTARY),
    "RoBERTa": (sized("roberta", 768, 12, max_position_embeddings=514), f"{NO_KEY}.*'roberta'"),
    "Whisper": ({"model_type": "whisper", "d_model": 512}, f"{NO_KEY}.*'whisper'"),
    "T5": ({"model_type": "t5", "d_model": 512, "num_heads": 8}, f"{NO_KEY}.*'t5'"),
    "Jamba, which has no positions": (sized("jamba", 4096, 32), f"{NO_KEY}.*'jamba'"),
    "Falcon RW": (sized("falcon", 2048, 32, alibi=True), f"{NOT_ROTARY}, got alibi"),
    "Baichuan 13B": (sized("baichuan", 5120, 40), f"{NOT_ROTARY}, got alibi"),
    "ChatGLM 6B": (
        sized("chatglm", 4096, 32, position_encoding_2d=True),
        "config must be of a model with one coordinate \\(posenc.rotary.axes",
    ),
    "an odd head": (sized("llama", 4064, 32, rope_theta=1e4), f"{ODD}, got 127 \\* 1.0 = 127"),
    "an odd part": (
        {"head_dim": 64, "partial_rotary_factor": 0.3, "rope_theta": 1e4},
        f"{ODD}, got 64 \\* 0.3 = 19",
    ),
}


@pytest.mark.parametrize("model", REFUSED)
def test_a_model_without_such_an_encoding_is_refused_with_the_reason(model):
    config, message = REFUSED[model]
    with pytest.raises(ValueError, match=f"^{message}"):
        Rotary.from_config(config)
