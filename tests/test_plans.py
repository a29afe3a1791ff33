"""Plans: what the report of a plan says about files, and why it refuses some.

test_corpus.py compares plans with what libraries do with published files, and
test_config_answers.py each plan of the corpus and of these files with the page's, word by word.
The files here reach what the corpus leaves open.
"""

from __future__ import annotations

import json

import pytest

from posenc.plans import Plan
from posenc.plans._data import OTHER_FILES
from posenc.rotary import Rotary
from tests.test_rotary_config import of

LLAMA = of("llama", hidden_size=4096, num_attention_heads=32)
HEAD = of("llama", head_dim=64, rope_theta=1e4)
GEMMA = of("gemma3_text", hidden_size=2560, num_attention_heads=8)
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
MISTRALS = {"factor": 16.0, "original_max_position_embeddings": 16384, "beta": 32, "alpha": 1}
WARM = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 16384}
LINEAR = {"rope_type": "linear", "factor": 8.0}
NTK = {"type": "ntk", "factor": 4.0}
LISTS = {"type": "longrope", "short_factor": [1.0] * 32, "long_factor": [1.0] * 31 + [8.0]}
LENGTHS = {"original_max_position_embeddings": 4096, "max_position_embeddings": 131072}
SECTIONS = {"type": "mrope", "mrope_section": [8, 12, 12]}
TWO = {"rope_type": "default", "mrope_section": [32, 32]}
FOUR = {"rope_type": "default", "mrope_section": [16, 16, 16, 16]}
HALF = {"rope_type": "proportional", "factor": 2.0, "partial_rotary_factor": 0.5}
QWEN = {**LLAMA, "model_type": "qwen2_5_vl"}
VISION = {"depth": 27, "hidden_size": 1152, "num_heads": 16}
COSMOS = {"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128}
BRIA = {"_class_name": "BriaTransformer2DModel"}
META = {"dim": 5120, "n_heads": 40, "n_layers": 8, "use_scaled_rope": True}
META |= {"nope_layer_interval": 4, "attention_chunk_size": 8192, "attn_temperature_tuning": True}
PARAMS = {"dim": 4096, "n_heads": 32, "n_layers": 4}
V4 = of("deepseek_v4", head_dim=64, num_hidden_layers=1)
MINIMAX = of("minimax_text_01", head_dim=128, rope_theta=1e7, rotary_dim=64, num_hidden_layers=4)
GTE = of("new", hidden_size=768, num_attention_heads=12, rope_theta=5e5)


def plan(*dicts, **more):
    """The plan of the keys of all dicts."""
    return Plan.from_dict({key: value for one in (*dicts, more) for key, value in one.items()})


def long(model="llama", **changed):
    """A config of a head of 64 features and 4,096 positions."""
    return {**HEAD, "model_type": model, "max_position_embeddings": 4096, **changed}


def outside(**keys):
    """A config of Qwen3-VL with keys of its text outside of text_config."""
    return of("qwen3_vl", text_config=long("qwen3_vl_text", head_dim=128), **keys)


def yarn(**changed):
    """A config that YaRN stretches from 1,024 positions to 4,096."""
    return long(rope_scaling={**YARN, **changed})


def mrope(**changed):
    """A config of pairs for three coordinates."""
    return long("qwen2_vl", rope_scaling={**SECTIONS, **changed})


def scaled(*given, **more):
    """A config of a head of 64 features with this scaling, and other keys."""
    return {**HEAD, "rope_scaling": {key: one[key] for one in given for key in one}, **more}


def mellum(**sets):
    """A config with sets for types of layers, `near` and `full`."""
    return long("mellum", rope_parameters={f"{n}_attention": one for n, one in sets.items()})


def gguf(architecture, **keys):
    """Metadata for a head of 128 features; two underscores in a name stand for a dot."""
    own = {"attention__key_length": 128, "block_count": 8, "rope__freq_base": 1e4, **keys}
    named = {f"{architecture}.{key.replace('__', '.')}": value for key, value in own.items()}
    return {"general.architecture": architecture, **named}


STRETCHED = {"rope__scaling__type": "yarn", "rope__scaling__factor": 40.0}
STRETCHED |= {"rope__scaling__original_context_length": 4096, "rope__dimension_count": 64}
DIVISORS = [1.0] * 32 + [8.0] * 32
ENDS = {"rope__scaling__yarn_beta_fast": 16.0, "rope__scaling__yarn_beta_slow": 2.0}
WINDOW = {"attention__sliding_window": 4096}
KEPT = {**WARM, "mscale": 0.7, "rope_theta": 500_000.0}
NAMED = [  # words of the report, in their order, and the file
    ("all layers: a learned table", of("gpt2")),
    ("all layers: ALiBi", {**HEAD, "model_type": "bloom"}),
    ("all layers: T5's learned", of("t5")),
    ("all layers: no attention: recurrence", of("mamba")),
    ("all layers: the sinusoidal encoding for sounds", of("whisper", rope_theta=1e4)),
    ("all layers: no encoding", {**LLAMA, "model_type": "nemotron_h"}),
    ("all layers: a learned table", of("esm", position_embedding_type="absolute")),
    ("all layers: a learned table", of("hf_olmo", rope=False, d_model=64, n_heads=2)),
    ("Python  Rotary(32)", of("hf_olmo", rope=True, d_model=64, n_heads=2, rope_theta=1e4)),
    ("no encoding", long("mine", position_embedding_type="nope")),
    ("all layers: ALiBi", of("falcon", alibi=True)),
    ("all layers: ALiBi", of("baichuan", hidden_size=5120)),
    ("all layers: products with emb", of("wav2vec2-conformer")),
    ("64 features turn", of("wav2vec2-conformer", position_embeddings_type="rotary", head_dim=64)),
    ("16 of 64 … base 20,000 … sliding_attention: 64 of", of("neomme", rope_theta=2e4)),
    ("turn, interleaved", long("mine", rope_interleave=True)),
    ("pair by pair in turn", long("mine", rope_scaling={**SECTIONS, "mrope_interleaved": True})),
    ("Rotary(16, base=160000", {**V4, "partial_rotary_factor": 0.25}),
    ("Rotary(8, base=160000", {**V4, "partial_rotary_factor": None}),
    ("(2: 1, 3): 64 of 128 … (2: 0, 2): no", {**MINIMAX, "attn_type_list": [0, 1, 0, 1]}),
    ("halves, base 500,000", {**GTE, "rope_scaling": {**NTK, "factor": 1.0}}),
    (
        "all 8 layers: … cosine and sine times 1.2773",
        {**PARAMS, "n_layers": 8, "yarn": {**MISTRALS, "apply_scale": True}},
    ),
    (
        "(6: 0, 1, 2, 4, 5, 6): … chunk   8,192 … interleaved', scaling=Llama3(16, high_freq_factor"
        "=1)) … (2: 3, 7): no … times 1 + 0.1 ln(1 + floor((p + 1) / 8,192))",
        META,
    ),
    (
        "scaling=Llama3()) … fixed factor of 8. … base: 10,000 here; llama-models 500,000 (",
        {**PARAMS, "use_scaled_rope": True},
    ),
    ("Llama3(4))", {**PARAMS, "use_scaled_rope": True, "rope_scaling_factor": 4.0}),
    ("(2: 0, 2): … (2: 1, 3): … window  64", {**PARAMS, "sliding_window": [None, 64]}),
    ("full_attention (4: 0, 1, 2, 3)", {**PARAMS, "sliding_window": []}),
    ("none: each axis has its own base: 20,671, 10,000, 10,000", COSMOS),
    ("'blocks' … axes.blocks([44, 42, 42]", {**COSMOS, "rope_scale": [1.0, 1.0, 1.0]}),
    ("'ltx'", {"_class_name": "LTX2VideoTransformer3DModel", "rope_type": "interleaved"}),
    ("y, x: 48, 48 features", {**BRIA, "axes_dims_rope": [0, 48, 48]}),
    ("axis 0, axis 1: 48, 48 features", {**BRIA, "axes_dims_rope": [48, 48]}),
    ("([16, 24, 24], base=10000", {"_class_name": "Kandinsky5Transformer3DModel"}),
    # GGUF, as llama.cpp turns
    ("all 8 layers: … interleaved", {**gguf("llama"), "rope_freqs.weight": DIVISORS}),
    ("y, x: 16, 24, 24 pairs", gguf("qwen2vl", rope__dimension_sections=[16, 24, 24, 0])),
    ("times 1.3689 … beta_fast=16, beta_slow=2, at", gguf("qwen2", **STRETCHED, **ENDS)),
    ("factor=1))", gguf("mistral3", **STRETCHED, rope__scaling__yarn_log_multiplier=1.0)),
    (
        "64 of 64 … 1.59/√192 … attention_factor=1))",
        gguf("deepseek2", **STRETCHED, rope__scaling__yarn_log_multiplier=0.0707)
        | {"deepseek2.attention.key_length": 192},
    ),
    (
        "window (7: 0, 1, 2, 3, 4, 6, ...): … base 10,000 … attention (1: 5): … base 1,000,000",
        gguf("gemma3", **{**WINDOW, "rope__freq_base": 1e6}),
    ),
    ("window (6: 0, 1, 2, 4, 5, 6): … (2: 3, 7): no", gguf("cohere2", **WINDOW)),
    ("other layers: 128 of 128 … one layer in 4: no enc", gguf("smollm3")),
    ("(6: 0, 1, 2, 4, 5, 6): … no scaling … (2: 3", gguf("olmo2", **STRETCHED, **WINDOW)),
    ("(4: 0, 2, 4, 6): … YaRN … (4: 1", gguf("gpt-oss", **STRETCHED, **WINDOW)),
    ("all 8 layers … attention.sliding_window is not read", gguf("phi3", **WINDOW)),
    ("(4: 1, 3, 5, 7): … (4: 0, 2, 4", gguf("lfm2", attention__head_count_kv=[0, 8] * 4)),
    # Programs that differ
    (
        "attention factor: 1 here; vLLM at 926c71f6, … 1.2773 (… llama.cpp since #17945 1.2773 (",
        scaled(WARM, {"mscale": 1.0, "mscale_all_dim": 1.0}),
    ),
    ("1.2773 here; mlx-lm 1.196 (ml-explore/mlx-lm, ", scaled(WARM, {"mscale": 0.707})),
    ("1.5 here; … mlx-lm 1.2773 (", scaled(WARM, {"attention_factor": 1.5})),
    ("differ: none", scaled(WARM)),
    (
        "pair 17: 1.2932 × 10⁻⁴ here; mlx-lm 2.2795 × 10⁻⁴ (… llama.cpp at 00bdaa10 2.2795 ×",
        of("gpt_oss", head_dim=64, rope_theta=150_000)
        | {"rope_scaling": {**WARM, "factor": 32, **LENGTHS, "truncate": False}},
    ),
    ("pair 0: 1 here; vLLM at 03587f55 0.9576 (", scaled(NTK)),
    ("pair 0: 1 here; vLLM at 03587f55 0.85308 (", scaled(NTK, {"mixed_b": 0.625})),
    ("pair 0: 0.5 here; vLLM 0.33.0 1 (… SGL", long("qwen2", rope_parameters=HALF)),
    (
        "base: 500,000 here; mlx-lm 0.32.2 10,000 (… scaling: yarn here; mlx-lm 0.32.2 none",
        of("llama", head_dim=64, rope_parameters=KEPT),
    ),
    ("mlx-lm 0.32.2 1,000,000 (", of("qwen2", head_dim=64, rope_parameters=KEPT)),
    ("mlx-lm 0.32.2 refuses", of("granite", head_dim=64, rope_parameters=KEPT)),
    ("differ: 1\n  attention fac", of("qwen3", head_dim=64, rope_parameters=KEPT)),
    ("linear here; mlx-lm dynamic … vLLM 0.33.0 refuses", scaled(LINEAR, {"type": "dynamic"})),
    ("longrope here; mlx-lm su", scaled(LISTS, {"rope_type": "longrope", "type": "su"}, **LENGTHS)),
    ("mlx-lm 1.6669 ×", scaled(LISTS, {"type": "su"}, **LENGTHS, model_type="phi3")),
    ("mlx-lm refuses", scaled(LISTS, {"type": "su"}, **LENGTHS)),
    (
        "pair 31 in a text of at most 4,096 positions: 1.3335 × 10⁻⁴ here; vLLM at 17d618b0, if it "
        "serves longer texts 1.6669 × 10⁻⁵ (… factor: 1.118 here; … 1.1902 (… SGLang 0.5.23 1.1902",
        scaled(LISTS, {"factor": 8.0}, **LENGTHS),
    ),
    (
        "1.3 here; transformers 5.24 1.1902 (… mlx-lm 1.1902",
        scaled(LISTS, {"short_mscale": 1.3, "long_mscale": 1.4}, **LENGTHS, model_type="phi3"),
    ),
    (
        "1.3 here; mlx-lm 1.4 (",
        scaled(LISTS, {"short_mscale": 1.3, "long_mscale": 1.4}, **LENGTHS, model_type="phimoe"),
    ),
]
REFUSED = [  # why a file has no plan, or a group no Rotary, and the file
    ("layout must be known", long("mine")),
    ("layers must turn, got no encoding of positions", {**LLAMA, "model_type": "jamba"}),
    ("-p", long("nanochat")),
    ("two features of a pair take", long("hunyuan_vl_text", head_dim=128, rope_scaling=FOUR)),
    ("rule must be one that posenc knows", COSMOS),
    ("rule must be", {"_class_name": "LTX2VideoTransformer3DModel", "rope_type": "split"}),
    ("each axis turns the halves", of("gemma4", vision_config=of("gemma4_vision", **VISION))),
    ("dim must be at least 8, got 7", {"dim": 7, "n_heads": 4}),
    ("sliding_window must be at least 1", {**PARAMS, "sliding_window": [64, 0]}),
    ("rope_scaling must be absent from", {**PARAMS, "rope_scaling": {"factor": 2.0}}),
    ("model_type must be a string, got 5", {"model_type": 5}),
    ("the file of MLC, with conv_t", of("llama", conv_template="3", model_config={"a": 5e5})),
    ("text_config must be there where model_type is 'qwen3_5'", of("qwen3_5", image_token_id=5)),
    ("partial_rotary_factor must be at most 1, got 2", {**V4, "partial_rotary_factor": 2}),
    ("the code of new does, got 'ntk', which slows", {**GTE, "rope_scaling": NTK}),
]
SETS = {"full": {**LINEAR, "rope_theta": 1e4}, "sliding": {"rope_theta": 2e4}}
BASES = {"compress_rope_theta": 4e4, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}
NEAR = {"layer_types": ["sliding_attention", "full_attention"]}
ONE_LISTS = {"short_factor": [1.0] * 32, "long_factor": [1.0] * 32}
OUTSIDE = {"original_max_position_embeddings": 2048}
INNER = {"kv_n_heads": 8, "model_type": "", "rope_theta": 500_000}
ONE = {"full_attention": {"rope_theta": 1e6}}
ODD = [  # the code of what is odd, words of its sentence, and the config
    ("chunks", "count positions within chunks", long(dual_chunk_attention_config={"a": 1})),
    ("no base", "rotary_emb_base is missing.", of("gpt_neox")),
    ("not read", "rope_theta is not read by the code of gpt_neox", of("gpt_neox", rope_theta=5e5)),
    ("left out", "by the times of the sounds", {**long("musicflamingo"), "text_config": long()}),
    ("width", "heads is 128. head_dim counts", long(hidden_size=256, num_attention_heads=2)),
    ("model type", "is missing. No defaults are known, and the layout is", {"head_dim": 64}),
    ("fails", "the code of modernbert wants", long("modernbert", rope_parameters=LINEAR)),
    ("fails", "wants a set for sliding_", long("gemma4_text", **NEAR, rope_parameters=ONE)),
    ("fails", "mrope_section must have three", long("qwen3_vl_text", rope_scaling=TWO)),
    ("fails", "a list of strings, got [None]", long(layer_types=[None])),
    ("fails", "layer_types must be a list", long(layer_types="full_attention")),
    ("fails", "sliding_window must be an integer, got '64'", long("qwen2", sliding_window="64")),
    ("fails", "must have a sliding_window", long("gemma2", sliding_window=None, **NEAR)),
    ("fails", "must be a number, got a list", long("gemma2", rope_theta=[1e4, 1e4], **NEAR)),
    ("fails", "must be true or false", long("qwen3", use_sliding_window="false")),
    ("fails", "rope_scaling with yarn must stand in text_config", outside(rope_scaling=YARN)),
    ("not read", "outside of text_config is not read", outside(rope_scaling=LINEAR)),
    ("not read", "text_config is not read by the code of llama", long(text_config=yarn())),
    ("fails", "the code of llama has no rope type ntk.", long(rope_scaling=NTK)),
    ("fails", "yarn must have a factor", long(rope_scaling={"type": "yarn"})),
    ("two sets", "only rope_scaling is read", {**yarn(factor=8.0), "rope_parameters": LINEAR}),
    ("two types", "rope_type is yarn and type is linear. rope_type counts.", yarn(type="linear")),
    ("no type", "nothing is scaled. Not read: factor.", long(rope_scaling={"factor": 4})),
    ("read as", "is yarn. It is read as longrope", {**yarn(**ONE_LISTS), "model_type": "phi3"}),
    ("no text", "and takes the defaults of gemma3_text", {**GEMMA, "model_type": "gemma3"}),
    ("no original length", "its place: 4,096", long(rope_scaling={**LINEAR, "rope_type": "yarn"})),
    ("no factor", "original_max_position_embeddings is used: 4.", yarn(factor=None)),
    ("length", "is 8 × 1,024 = 8,192, while max_position_embeddings is 4,096.", yarn(factor=8.0)),
    ("two lengths", "2,048 outside and 1,024 inside", {**yarn(), **OUTSIDE}),
    ("not scaled", "is 2,048 and max_position_embeddings 4,096", long(**OUTSIDE)),
    ("one mscale", "Only mscale is set.", yarn(mscale=0.707)),
    ("ramp", "is 1, below beta_slow, 1.001. No pair", yarn(beta_fast=1, beta_slow=1.001)),
    ("ramp", "below beta_slow, 32. The ramp is reversed", yarn(beta_fast=1, beta_slow=32)),
    ("sections", "add up to 31, while there are 32", mrope(mrope_section=[8, 12, 11])),
    ("not read", "the code of qwen2_vl takes blocks", mrope(mrope_interleaved=True)),
    ("not read", "for rope type mrope: mrope_section.", long(rope_scaling=SECTIONS)),
    ("no positions", "for layers of type other", {**mellum(**SETS), "layer_types": ["other"]}),
    ("exchanged", "20,000, and layers with full attention 10,000", mellum(**SETS)),
    ("two bases", "10,000 outside and 500,000 inside", long(rope_parameters={"rope_theta": 5e5})),
    ("architectures", "is deepseek_v3's", long(architectures=["DeepseekV3ForCausalLM"])),
    *(("window", "sliding", long("mistral", sliding_window=w)) for w in (-1, 0, "64", True)),
    ("not read", "Here 500,000 counts.", of("dbrx", d_model=64, n_heads=2, attn_config=INNER)),
    ("not read", "the code of llama turns halves", long(rope_interleaved=True)),
    ("not read", "In rope_parameters, sets for types of layers", long(rope_parameters=ONE)),
    ("not read", "rope_thetha is not read: posenc does not know", long(rope_thetha=5e5)),
    ("not read", "In the set, rope_theta is not read: the code of", long("deepseek_v4", **BASES)),
    ("part", "does not know how mine", {**QWEN, "vision_config": of("mine", **VISION)}),
]
QUIET = [
    *(yarn(), {**outside(rope_theta=1e4), "rope_scaling": None}),
    long("smollm3", no_rope_layers=[1, 1, 0, 1]),
    long("granite_swa", layer_rope_theta=[0, 1e4, 1e4, 0]),
    of("deepseek_v4", rope_theta=1e4, compress_rope_theta=4e4),
    long(rope_theta=5e5, rope_parameters={"rope_theta": 5e5}),
    long(partial_rotary_factor=1, original_max_position_embeddings=4096),
    long("siglip", vision_config=of("siglip")),
]


@pytest.mark.parametrize(("words", "config"), NAMED)
def test_a_report_says_what_turns_in_which_layers_and_where_programs_differ(words, config):
    report = str(plan(config))
    for part in words.split("…"):
        before, found, report = report.partition(part.strip(" "))
        assert found, (part, before)


@pytest.mark.parametrize(("reason", "config"), REFUSED)
def test_a_file_without_a_plan_and_a_group_that_no_rotary_can_turn_say_why(reason, config):
    with pytest.raises(ValueError, match=reason):
        _ = [group.rotary for group in plan(config)]


def test_a_file_of_another_kind_is_refused_with_the_key_that_tells_it():
    for key, what in OTHER_FILES.items():
        with pytest.raises(ValueError, match=f"of a model, got the file of {what}, with {key}$"):
            plan(base_model_name_or_path="mine", **{key: "LORA"})
    with pytest.raises(ValueError, match="config must have texts as keys, got 0"):
        Plan.from_dict({0: None})
    with pytest.raises(ValueError, match="got 'ntk', which slows"):
        Rotary.from_config({**GTE, "rope_scaling": NTK})


@pytest.mark.parametrize(("code", "words", "config"), ODD)
def test_a_plan_says_what_is_odd(code, words, config):
    assert any(odd.code == code and words in odd.text for odd in plan(config).odd)


@pytest.mark.parametrize("config", QUIET)
def test_a_plan_finds_nothing_odd_about_a_file_that_its_program_reads_whole(config):
    assert plan(config).odd == ()


def test_a_plan_is_json_with_numbers():
    values = json.loads(json.dumps(plan(yarn()).to_dict()))
    (group,) = values["groups"]
    assert group["scaling"]["type"] == "YaRN"
    assert group["attention_factor"] == pytest.approx(1.1386294)
    assert set(values) == {"format", "model", "groups", "odd", "programs"}
