"""Options that a model's config.json leaves out.

A config.json need not hold a value that is the default of its model type, and the nested
configs of multimodal models leave most of them out: a Gemma 3 config does not say that its
heads have a width of 256. The values are those of transformers 5.24. For models that were
never a part of transformers, they come from the code that was published with the weights.
"""

from __future__ import annotations

from typing import Any

_PERSIMMON = {"hidden_size": 4096, "num_attention_heads": 64, "partial_rotary_factor": 0.5}
_GEMMA3 = {"head_dim": 256, "rope_theta": 1_000_000, "local_rope_theta": 10_000}
_GEMMA4 = {
    "head_dim": 256,
    "global_head_dim": 512,
    "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": 10_000},
        "full_attention": {
            "rope_type": "proportional",
            "rope_theta": 1_000_000,
            "partial_rotary_factor": 0.25,
        },
    },
}
_GPT_OSS = {
    "head_dim": 64,
    "rope_theta": 150_000,
    "rope_parameters": {
        "rope_type": "yarn",
        "factor": 32,
        "original_max_position_embeddings": 4096,
        "truncate": False,
    },
}
_APERTUS = {
    "rope_theta": 12_000_000,
    "rope_parameters": {
        "rope_type": "llama3",
        "rope_theta": 12_000_000,
        "factor": 8,
        "original_max_position_embeddings": 8192,
        "low_freq_factor": 1,
        "high_freq_factor": 4,
    },
}
_MINISTRAL3 = {
    "head_dim": 128,
    "rope_parameters": {
        "rope_type": "yarn",
        "mscale": 1,
        "mscale_all_dim": 1,
        "llama_4_scaling_beta": 0.1,
        "rope_theta": 1_000_000,
        "factor": 16,
        "original_max_position_embeddings": 16_384,
    },
}
_MISTRAL4 = {
    "qk_rope_head_dim": 64,
    "rope_parameters": {
        "rope_type": "yarn",
        "mscale": 1,
        "mscale_all_dim": 1,
        "llama_4_scaling_beta": 0.1,
        "rope_theta": 10_000,
        "factor": 128,
        "original_max_position_embeddings": 8192,
    },
}
_MISTRAL_LARGE4 = {
    "qk_rope_head_dim": 64,
    "rope_parameters": {
        "rope_type": "yarn",
        "rope_theta": 10_000,
        "factor": 2048,
        "original_max_position_embeddings": 512,
        "attention_factor": 1,
    },
}
_CWM = {
    "head_dim": 128,
    "rope_theta": 1_000_000,
    "rope_parameters": {
        "rope_type": "llama3",
        "rope_theta": 1_000_000,
        "factor": 16,
        "original_max_position_embeddings": 8192,
        "low_freq_factor": 1,
        "high_freq_factor": 4,
    },
}
_LAGUNA = {
    "head_dim": 128,
    "rope_parameters": {
        "full_attention": {"rope_theta": 500_000, "partial_rotary_factor": 0.5},
        "sliding_attention": {"rope_theta": 10_000},
    },
}
_MELLUM = {
    "head_dim": 128,
    "rope_parameters": {
        "full_attention": {"rope_theta": 500_000},
        "sliding_attention": {"rope_theta": 10_000},
    },
}
_ULTRABERT = {
    "rope_parameters": {
        "full_attention": {"rope_theta": 2_560_000},
        "sliding_attention": {"rope_theta": 10_000},
    },
}
_EMBEDDING_GEMMA2 = {
    "head_dim": 256,
    "global_head_dim": 512,
    "rope_parameters": {
        "full_attention": {"rope_theta": 1_000_000},
        "sliding_attention": {"rope_theta": 10_000},
    },
}
_NEOMME = {
    "head_dim": 64,
    "rope_parameters": {
        "full_attention": {"rope_theta": 1_000_000, "partial_rotary_factor": 0.25},
        "sliding_attention": {"rope_theta": 10_000},
    },
}
_ZAYA = {
    "head_dim": 128,
    "rope_parameters": {
        "hybrid": {"rope_theta": 5_000_000, "partial_rotary_factor": 0.5},
        "hybrid_sliding": {"rope_theta": 10_000, "partial_rotary_factor": 0.5},
    },
}
_HIGGS_AUDIO = {
    "head_dim": 128,
    "rope_parameters": {
        "rope_type": "llama3",
        "rope_theta": 500_000,
        "factor": 32,
        "original_max_position_embeddings": 1024,
        "low_freq_factor": 0.125,
        "high_freq_factor": 0.5,
    },
}
_LFM3 = {
    "head_dim": 128,
    "rope_theta": 1_000_000,
    "rope_parameters": {
        "full_attention": {
            "rope_type": "proportional",
            "rope_theta": 1_000_000,
            "partial_rotary_factor": 0.5,
        },
        "sliding_attention": {"rope_theta": 10_000},
    },
}
_MODERNBERT = {
    "hidden_size": 768,
    "num_attention_heads": 12,
    "rope_theta": 160_000,
    "local_rope_theta": 10_000,
}
_GPTJ = {"hidden_size": 4096, "num_attention_heads": 16, "rotary_dim": 64}
_LLAMA = {"hidden_size": 4096, "num_attention_heads": 32}
_PHI3 = {
    "hidden_size": 3072,
    "num_attention_heads": 32,
    "original_max_position_embeddings": 4096,
}
_QWEN2_VL = {"hidden_size": 8192, "num_attention_heads": 64, "rope_theta": 1_000_000}
_ERNIE_VL = {"hidden_size": 2560, "num_attention_heads": 20, "rope_theta": 500_000}
_MLA = {"qk_rope_head_dim": 64}
_HEAD_128 = {"head_dim": 128}
# transformers reads no rotary_dim here: without partial_rotary_factor the whole head turns.
_MINIMAX_M3 = {"head_dim": 128, "rope_theta": 5_000_000, "partial_rotary_factor": 1.0}

DEFAULTS: dict[str, dict[str, Any]] = {
    "afmoe": {"head_dim": 128},
    "apertus": _APERTUS,
    "apertus1p5_text": _APERTUS,
    "aquila": _LLAMA,
    "arcee": {},
    "aria_text": {},
    "RefinedWeb": {},
    "RefinedWebModel": {},
    "axk1": _MLA,
    "axk2": {"qk_rope_head_dim": 32},
    "baichuan": _LLAMA,
    "bailing_hybrid": {**_MLA, "rope_theta": 6_000_000},
    "bamba": {"partial_rotary_factor": 0.5},
    "bitnet": {"rope_theta": 500_000},
    "blt_global_transformer": {"rope_theta": 500_000},
    "blt_local_decoder": {"rope_theta": 500_000},
    "blt_local_encoder": {"rope_theta": 500_000},
    "blt_patcher": {},
    "chameleon": {},
    "chatglm": {"partial_rotary_factor": 0.5},
    "codegen": _GPTJ,
    "cohere": {"hidden_size": 8192, "num_attention_heads": 64, "rope_theta": 500_000},
    "cohere2": {"hidden_size": 8192, "num_attention_heads": 64},
    "cohere2_moe": _HEAD_128,
    "cosmos3_edge_text": {"head_dim": 128, "rope_theta": 100_000_000},
    "csm": {"rope_theta": 500_000},
    "csm_depth_decoder_model": {"rope_theta": 500_000},
    "cwm": _CWM,
    "dbrx": {},
    "deepseek": _LLAMA,
    "deepseek_ocr2_encoder": {},
    "deepseek_ocr2_text": {},
    "deepseek_v2": _MLA,
    "deepseek_v3": _MLA,
    "deepseek_v32": _MLA,
    "deepseek_v4": {**_MLA, "compress_rope_theta": 160_000},
    "dia_decoder": _HEAD_128,
    "dia_encoder": _HEAD_128,
    "diffllama": {},
    "diffusion_gemma_text": _GEMMA4,
    "doge": {},
    "dory": {
        "head_dim": 256,
        "rope_parameters": {
            "sliding_attention": {"rope_theta": 10_000},
            "full_attention": {"rope_theta": 10_000_000},
        },
    },
    "dots1": {},
    "dots3_note_audio_encoder": {"partial_rotary_factor": 0.5},
    "embedding_gemma2_text": _EMBEDDING_GEMMA2,
    "emu3_text_model": {"rope_theta": 1_000_000},
    "ernie4_5": {"head_dim": 128, "rope_theta": 500_000},
    "ernie4_5_moe": {"rope_theta": 500_000},
    "ernie4_5_moe_vl": _ERNIE_VL,
    "ernie4_5_vl_moe": _ERNIE_VL,
    "ernie4_5_vl_moe_text": _ERNIE_VL,
    "esm": {},
    "esmc": {},
    "eurobert": {},
    "evolla": {"rope_theta": 500_000},
    "exaone": {"rope_theta": 500_000},
    "exaone4": _LLAMA,
    "exaone4_5_text": _LLAMA,
    "exaone_moe": _LLAMA,
    "falcon": {"hidden_size": 4544, "num_attention_heads": 71},
    "falcon_h1": {},
    "flex_olmo": {"rope_theta": 500_000},
    "flint": _HEAD_128,
    "fuyu": _PERSIMMON,
    "gemma": {"head_dim": 256},
    "gemma2": {"head_dim": 256},
    "gemma3": _GEMMA3,
    "gemma3_text": _GEMMA3,
    "gemma3n": _GEMMA3,
    "gemma3n_text": _GEMMA3,
    "gemma4": _GEMMA4,
    "gemma4_text": _GEMMA4,
    "gemma4_unified": _GEMMA4,
    "gemma4_unified_text": _GEMMA4,
    "glm": {"head_dim": 128, "partial_rotary_factor": 0.5},
    "glm4": {"head_dim": 128, "partial_rotary_factor": 0.5},
    "glm4_moe": {"partial_rotary_factor": 0.5},
    "glm4_moe_lite": _MLA,
    "glm4v_moe_text": {"partial_rotary_factor": 0.5},
    "glm4v_text": {},
    "glm_moe_dsa": _MLA,
    "glm_ocr_text": {},
    "glmasr_encoder": {"partial_rotary_factor": 0.5},
    "gpt_neox": {"hidden_size": 6144, "num_attention_heads": 64, "partial_rotary_factor": 0.25},
    "gpt_neox_japanese": {"hidden_size": 2560, "num_attention_heads": 32},
    "gpt_oss": _GPT_OSS,
    "gptj": _GPTJ,
    "gradium_phonon_tts": {},
    "granite": {},
    "granite4_vision_text": {},
    "granite_docling_text": {},
    "granite_swa": {},
    "granitemoe": {},
    "granitemoe_swa": {},
    "granitemoehybrid": {},
    "granitemoeshared": {},
    "gte": {"rope_theta": 160_000},
    "helium": {"head_dim": 128, "rope_theta": 100_000},
    "higgs_audio_v2": _HIGGS_AUDIO,
    "hrm_text": _HEAD_128,
    "hunyuan_v1_dense": _LLAMA,
    "hunyuan_v1_moe": {},
    "hunyuan_vl_text": {},
    "hy_v3": {"head_dim": 128, "rope_theta": 11_158_840},
    "hy_v4": _MLA,
    "hy_v4_vl_text": _MLA,
    "hyperclovax": {},
    "idefics": {},
    "internlm": _LLAMA,
    "internlm2": _LLAMA,
    "internlm3": _HEAD_128,
    "iquestcoder": _HEAD_128,
    "jais2": {},
    "jetmoe": {"head_dim": 128},
    "jina_embeddings_v3": {"rope_theta": 20_000},
    "kimi_k2": _MLA,
    "kolibri1": _HEAD_128,
    "kyutai_speech_to_text": {},
    "laguna": _LAGUNA,
    "lara_mini": _HEAD_128,
    "lasr_encoder": {},
    "lfm2": {"rope_theta": 1_000_000},
    "lfm2_moe": {"rope_theta": 1_000_000},
    "lfm3": _LFM3,
    "llama": _LLAMA,
    "llama4_text": {"head_dim": 128, "rope_theta": 500_000},
    "longcat_flash": {**_MLA, "rope_theta": 10_000_000},
    "mellum": _MELLUM,
    "mimi": {},
    "mimi_decoder": {},
    "mimi_encoder": {},
    "mimo_v2_flash": {
        "head_dim": 192,
        "rope_theta": 5_000_000,
        "local_rope_theta": 10_000,
        "partial_rotary_factor": 0.334,
    },
    "minicpm": {},
    "minicpm3": {"qk_rope_head_dim": 32},
    "minimax": {"rope_theta": 1_000_000},
    "minimax_m2": {"head_dim": 128, "rope_theta": 5_000_000},
    "minimax_m3_vl": _MINIMAX_M3,
    "minimax_m3_vl_text": _MINIMAX_M3,
    "ministral": {},
    "ministral3": _MINISTRAL3,
    "mistral": _LLAMA,
    "mistral4": _MISTRAL4,
    "mistral_large4_text": _MISTRAL_LARGE4,
    "mixtral": {**_LLAMA, "rope_theta": 1_000_000},
    "mllama_text_model": {**_LLAMA, "rope_theta": 500_000},
    "modernbert": _MODERNBERT,
    "modernbert-decoder": _MODERNBERT,
    "molmo2_text": _HEAD_128,
    "moonshine": {"hidden_size": 288, "num_attention_heads": 8, "partial_rotary_factor": 0.9},
    "moonshine_streaming": {"partial_rotary_factor": 0.8},
    "moshi": {},
    "muse_glimmer_assistant": {"head_dim": 128, "rope_theta": 500_000},
    "muse_glimmer_text": _HEAD_128,
    "muse_spark_text": {"head_dim": 64, "rope_parameters": {"rope_theta": 500_000}},
    "nanochat": {},
    "nemotron": {"hidden_size": 6144, "num_attention_heads": 48, "partial_rotary_factor": 0.5},
    "nemotron3_5_transcribe_asr_audio": {"partial_rotary_factor": 0.5},
    "nemotron3_5_transcribe_word_timestamp": {"partial_rotary_factor": 0.5},
    "nemotron3_diarization_audio": {},
    "neobert": {"hidden_size": 768, "num_attention_heads": 12},
    "neomme": _NEOMME,
    "neucodec": {"head_dim": 64},
    "nomic_bert": {"hidden_size": 768, "num_attention_heads": 12, "rope_theta": 1000},
    "olmo": _LLAMA,
    "olmo2": _LLAMA,
    "olmo3": {**_LLAMA, "rope_theta": 500_000, "local_rope_theta": 500_000},
    "olmo_hybrid": {},
    "olmoe": {},
    "openai_privacy_filter": _GPT_OSS,
    "paddleocr_vl_text": {"head_dim": 128, "rope_theta": 500_000},
    "pe_audio_encoder": {"head_dim": 128, "rope_theta": 20_000},
    "pe_audio_video_encoder": {"head_dim": 128, "rope_theta": 20_000},
    "pe_video_encoder": {"head_dim": 128, "rope_theta": 20_000},
    "persimmon": _PERSIMMON,
    "phi": {"hidden_size": 2048, "num_attention_heads": 32, "partial_rotary_factor": 0.5},
    "phi3": _PHI3,
    "phi3small": {**_LLAMA, "rope_theta": 1_000_000},
    "phi4_multimodal": _PHI3,
    "phimoe": {**_LLAMA, "rope_theta": 1_000_000},
    "pocket_tts": {},
    "pocket_tts_audio_tokenizer": {},
    "pocket_tts_audio_tokenizer_decoder": {},
    "pocket_tts_audio_tokenizer_encoder": {},
    "qwen": {"head_dim": 128},
    "qwen2": _LLAMA,
    "qwen2_5_omni_dit": {"head_dim": 64},
    "qwen2_5_omni_talker": {"head_dim": 128, "rope_theta": 1_000_000},
    "qwen2_5_omni_text": {"hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1_000_000},
    "qwen2_5_vl": _QWEN2_VL,
    "qwen2_5_vl_text": _QWEN2_VL,
    "qwen2_moe": {"hidden_size": 2048, "num_attention_heads": 16},
    "qwen2_vl": _QWEN2_VL,
    "qwen2_vl_text": _QWEN2_VL,
    "qwen3": {"head_dim": 128},
    "qwen3_5_moe_text": {"head_dim": 256, "partial_rotary_factor": 0.25},
    "qwen3_5_text": {"head_dim": 256, "partial_rotary_factor": 0.25},
    "qwen3_moe": {"hidden_size": 2048, "num_attention_heads": 32},
    "qwen3_next": {"head_dim": 256, "partial_rotary_factor": 0.25},
    "qwen3_omni_moe_talker_code_predictor": _HEAD_128,
    "qwen3_omni_moe_talker_text": {},
    "qwen3_omni_moe_text": {"rope_theta": 1_000_000},
    "qwen3_vl_moe_text": {
        "hidden_size": 2048,
        "num_attention_heads": 16,
        "rope_theta": 500_000,
    },
    "qwen3_vl_text": {"head_dim": 128, "rope_theta": 500_000},
    "qwen4_exp_text": {"head_dim": 256},
    "recurrent_gemma": {
        "hidden_size": 2560,
        "num_attention_heads": 10,
        "partial_rotary_factor": 0.5,
    },
    "roformer": {"hidden_size": 768, "num_attention_heads": 12},
    "sarvam_mla": _MLA,
    "sarvam_moe": {"head_dim": 64, "rope_theta": 8_000_000},
    "seed_oss": {"head_dim": 128},
    "smollm3": {"hidden_size": 2048, "num_attention_heads": 16, "rope_theta": 2_000_000},
    "solar_open": {"head_dim": 128, "rope_theta": 1_000_000},
    "stablelm": {"hidden_size": 2560, "num_attention_heads": 32, "partial_rotary_factor": 0.25},
    "starcoder2": {"hidden_size": 3072, "num_attention_heads": 24},
    "t5_gemma_module": {"head_dim": 256},
    "t5gemma2_decoder": _GEMMA3,
    "t5gemma2_text": _GEMMA3,
    "timesfm2_5": {"head_dim": 80},
    "ultrabert": _ULTRABERT,
    "unlimited_ocr_text": {},
    "vaultgemma": {"head_dim": 256},
    "voxtral_realtime_encoder": {"head_dim": 64},
    "voxtral_realtime_text": {},
    "xcodec2": {"head_dim": 64},
    "xverse": _LLAMA,
    "youtu": _MLA,
    "zaya": _ZAYA,
}

# Of the model types above without a default part of the head, those whose code can turn a part.
PARTS = frozenset(
    {
        *("baichuan", "deepseek", "deepseek_v4", "diffusion_gemma_text", "ernie4_5_moe_vl"),
        *("exaone4_5_text", "glm4v_text", "glm_ocr_text", "gpt_neox_japanese", "internlm"),
        *("internlm2", "laguna", "minicpm"),
        *("minimax_m2", "neomme", "phi3", "phi3small", "phi4_multimodal", "qwen"),
        *("qwen4_exp_text", "solar_open", "zaya"),
    }
)

_LEARNED = "a learned table of positions"
_NOTHING = "no encoding of positions"
_DISTANCES = "learned biases of distances"

# How models without a rotary encoding encode positions.
OTHERS: dict[str, str] = {
    **dict.fromkeys(("albert", "bart", "bert", "big_bird", "blip", "clip", "distilbert"), _LEARNED),
    **dict.fromkeys(("electra", "gpt2", "gpt_bigcode", "gpt_neo", "openai-gpt", "opt"), _LEARNED),
    **dict.fromkeys(("roberta", "siglip", "vit", "xlm-roberta"), _LEARNED),
    **dict.fromkeys(
        ("longt5", "mt5", "swin", "switch_transformers", "t5", "udop", "umt5"), _DISTANCES
    ),
    **dict.fromkeys(("deberta", "deberta-v2"), "products with embeddings of distances"),
    **dict.fromkeys(("bloom", "mpt"), "ALiBi"),
    **dict.fromkeys(("jamba", "kimi_linear", "mamba", "mamba2", "falcon_mamba", "rwkv"), _NOTHING),
    **dict.fromkeys(("fsmt", "m2m_100", "marian", "pegasus", "xglm"), "the sinusoidal encoding"),
    "whisper": "the sinusoidal encoding for sounds and a learned table for texts",
}
