"""Which two features are a pair, and how many coordinates turn them, by the type of the model."""

from __future__ import annotations

# Model types whose code turns features 2i and 2i + 1; all others turn i and i + rotary_dim / 2.
INTERLEAVED = frozenset(
    {
        "axk1",
        "axk2",
        "bailing_hybrid",
        "blt",
        "blt_global_transformer",
        "blt_local_decoder",
        "blt_local_encoder",
        "blt_patcher",
        "chatglm",
        "codegen",
        "cohere",
        "cohere2",
        "cohere2_moe",
        "deepseek_v2",
        "deepseek_v3",
        "deepseek_v32",
        "deepseek_v4",
        "dots3_note_text",
        "ernie4_5",
        "ernie4_5_moe",
        "ernie4_5_moe_vl",
        "ernie4_5_vl_moe",
        "ernie4_5_vl_moe_text",
        "glm",
        "glm4",
        "glm4_moe_lite",
        "glm4v_text",
        "glm_moe_dsa",
        "glm_ocr_text",
        "gptj",
        "helium",
        "hy_v4_vl_text",
        "kimi_k2",
        "llama4",
        "llama4_text",
        "longcat_flash",
        "mistral4",
        "mistral_large4_text",
        "moonshine",
        "moonshine_streaming",
        "neobert",
        "openai_privacy_filter",
        "pe_audio_encoder",
        "pe_audio_video_encoder",
        "pe_video_encoder",
        "roformer",
        "sarvam_mla",
        "youtu",
    }
)

# Models whose pairs take several coordinates, which no text has.
AXIAL = frozenset(
    {"dinov3_vit", "efficientloftr", "eomt_dinov3", "llama4_vision_model", "sapiens2"}
)
