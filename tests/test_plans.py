"""Plans: what a model's file says about positions, and what is odd about it.

test_corpus.py compares plans with what libraries do with published files; here is what they leave
open: files of other programs, sentences about odd files, differences between programs, and errors.
"""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from posenc.plans import Plan
from posenc.plans._data import OTHER_FILES
from posenc.plans._programs import SOURCES
from posenc.rotary import Linear, Llama3, Rotary, YaRN, axes
from tests.test_rotary_config import of

LLAMA = of("llama", hidden_size=4096, num_attention_heads=32)
HEAD = of("llama", head_dim=64, rope_theta=1e4)
GEMMA = of("gemma3_text", hidden_size=2560, num_attention_heads=8)
SHORT = {"factor": 16.0, "original_max_position_embeddings": 16384}
TENSORRT = {"hidden_size": 2048, "num_attention_heads": 32, "head_size": 128, "rotary_base": 1e6}
TENSORRT |= {"architecture": "Qwen3ForCausalLM", "position_embedding_type": "rope_gpt_neox"}
GPT2 = {"n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024}
NAMELESS = {"architectures": ["QWenLMHeadModel"], "kv_channels": 128, "rotary_emb_base": 1e4}
ALIBI = {"position_embedding_type": "alibi"}
OLMO = of("hf_olmo", rope=True, d_model=64, n_heads=2, rope_theta=1e4)
LDM = {"encoder_attention_heads": 8, "head_dim": 64, "d_model": 1280}  # of latent diffusion
VISION = {"depth": 27, "hidden_size": 1152, "num_heads": 16}
MISTRAL = {"dim": 5120, "n_layers": 40, "head_dim": 128, "n_heads": 32, "rope_theta": 1e9}
COSMOS = {"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128}
SPLIT = {"_class_name": "LTX2VideoTransformer3DModel", "rope_type": "split"}
META = {"dim": 5120, "n_heads": 40, "n_layers": 8, "use_scaled_rope": True}
META |= {"nope_layer_interval": 4, "attention_chunk_size": 8192, "attn_temperature_tuning": True}
FOUR = {"rope_type": "default", "mrope_section": [16, 16, 16, 16]}


def plan(*dicts, **more):
    """The plan of the keys of all dicts."""
    return Plan.from_dict({key: value for one in (*dicts, more) for key, value in one.items()})


def only(*dicts, **more):
    """The group of a plan that has one."""
    (group,) = plan(*dicts, **more).groups
    return group


NAMED = [  # the encoding, and a config of a model that has it
    *(("learned", of("gpt2")), ("alibi", {**HEAD, "model_type": "bloom"}), ("t5", of("t5"))),
    *(("recurrent", of("mamba")), ("sinusoidal and learned", of("whisper", rope_theta=1e4))),
    *(("none", {**LLAMA, "model_type": kind, "rope_theta": 1e4}) for kind in ("jamba", "zamba2")),
    ("none", {**LLAMA, "model_type": "nemotron_h", "partial_rotary_factor": 1.0}),
    ("learned", of("esm", position_embedding_type="absolute")),
    *(("learned", of("hf_olmo", rope=False, d_model=64, n_heads=2)), ("rotary", OLMO)),
    *(("alibi", of("falcon", alibi=True)), ("alibi", of("baichuan", hidden_size=5120))),
    ("relative", of("wav2vec2-conformer")),
    ("rotary", of("wav2vec2-conformer", position_embeddings_type="rotary", head_dim=64)),
]


@pytest.mark.parametrize(("encoding", "config"), NAMED)
def test_a_plan_names_the_encoding_of_a_type_of_model(encoding, config):
    group = only(config)
    assert (group.encoding, group.turns) == (encoding, encoding == "rotary")


REFUSED = [  # why a group has no Rotary, and its config
    ("layers must turn, got no encoding of positions", {**LLAMA, "model_type": "jamba"}),
    ("layout must be known", {**HEAD, "model_type": "mine"}),
    ("-p", {**HEAD, "model_type": "nanochat"}),
    (
        "the two features of a pair take different axes",
        {**HEAD, "model_type": "hunyuan_vl_text", "head_dim": 128, "rope_scaling": FOUR},
    ),
    ("rule must be one that posenc knows", COSMOS),
    ("rule must be one that posenc knows", SPLIT),
]


@pytest.mark.parametrize(("reason", "config"), REFUSED)
def test_a_group_that_no_rotary_can_turn_says_why(reason, config):
    with pytest.raises(ValueError, match=reason):
        _ = only(config).rotary


def test_a_config_that_no_program_writes_is_refused():
    with pytest.raises(ValueError, match="_class_name must be a class of diffusers"):
        plan(_class_name="MineTransformer2DModel", attention_head_dim=128)
    with pytest.raises(ValueError, match="dim must be at least 8, got 7"):
        plan(dim=7, n_heads=4)
    for key, what in OTHER_FILES.items():
        with pytest.raises(ValueError, match=f"of a model, got the file of {what}, with {key}$"):
            plan(base_model_name_or_path="mine", **{key: "LORA"})
    with pytest.raises(ValueError, match="of a model, got the file of MLC, with conv_template"):
        plan(of("llama", conv_template="llama-3", model_config={"position_embedding_base": 5e5}))
    with pytest.raises(ValueError, match="config must have head_dim, or hidden_size and"):
        plan(emb_size=4096, heads_num=32, rotary_position_embedding=True)  # TencentPretrain
    for nothing in (GPT2, {**GPT2, "position_embedding_type": "learned_absolute"}, LDM):
        with pytest.raises(
            ValueError, match="or a model_type that posenc knows, got model_type None"
        ):
            plan(nothing)
    with pytest.raises(ValueError, match="text_config must be there where model_type is 'qwen3_5'"):
        plan(of("qwen3_5", image_token_id=5))
    with pytest.raises(ValueError, match=r"params\.json, got sinusoidal_pos_embds"):
        plan(dim=768, n_heads=12, sinusoidal_pos_embds=False)
    with pytest.raises(ValueError, match="config must have texts as keys, got 0"):
        Plan.from_dict({0: None})


def test_the_options_of_a_group_are_those_that_its_code_reads():
    assert (
        only(LLAMA, model_type="mine", rope_theta=1, rope_interleave=True).layout == "interleaved"
    )
    assert only(LLAMA, rope_interleave=True, rope_theta=1e4).layout == "halves"
    assert [group.base for group in plan(of("neomme", rope_theta=2e4))] == [2e4, 2e4]
    deepseek = of("deepseek_v3", qk_rope_head_dim=64, rope_theta=1e4)
    assert only(deepseek).layout == "interleaved"
    assert only(deepseek, rope_interleave=False).layout == "halves"
    flat = {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}
    groups = plan(GEMMA, rope_parameters=flat).groups
    assert {group.name: (group.base, group.scaling) for group in groups} == {
        "full_attention": (1e6, None),
        "sliding_attention": (1e4, None),
    }
    assert plan(GEMMA, rope_scaling=flat).groups[0].scaling == Linear(8.0)  # as version 4 writes it
    sets = {"full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 2e4}}
    group = only(LLAMA, rope_parameters=sets)
    assert (group.base, group.name) == (1e4, "all layers")
    assert only(HEAD, rope_parameters={"rope_theta": 5e5}).base == 5e5
    assert only(LLAMA, rope_scaling=FOUR).axes == ()
    assert plan(LLAMA, model_type="llama4_text", num_hidden_layers=4).groups[0].chunk == 8192
    both = plan(of("modernbert", num_hidden_layers=3, local_attention=32)).groups[1]
    assert (both.window, both.note) == (None, "a query sees 16 positions on each side")


def test_a_file_of_another_program_may_say_the_layout_or_hold_the_model_in_a_part():
    for kind, layout in (("rope_gpt_neox", "halves"), ("rope_gptj", "interleaved")):
        group = only(TENSORRT, position_embedding_type=kind)
        assert (group.head_dim, group.layout, group.base) == (128, layout, 1e6)
        held = {**TENSORRT, "position_embedding_type": kind}
        assert group == only(version="0.15", pretrained_config=held)
    assert only(model_type="llava_llama", hidden_size=64, llm_cfg=LLAMA).head_dim == 128
    assert only(of("llava_qwen", head_dim=64, rope_theta=1e6)).layout == "halves"
    assert only(of("phi3_v", head_dim=64, rope_theta=1e4)).layout == "halves"
    inner = {"kv_n_heads": 8, "model_type": "", "rope_theta": 1e4}
    assert only(of("dbrx", d_model=64, n_heads=2, attn_config=inner)).layout == "halves"
    assert only(of("glm4v", head_dim=64, rope_theta=1e4)).layout == "interleaved"
    assert only(of("neobert", num_hidden_layers=1)).layout == "interleaved"


def test_a_file_without_text_config_is_read_with_the_code_of_its_text():
    flat = {"hidden_size": 64, "num_attention_heads": 1, "num_hidden_layers": 4, "head_dim": 256}
    groups = plan(of("qwen3_5", rope_theta=1e7, **flat)).groups
    assert [(group.name, group.layers) for group in groups] == [
        ("full_attention", (3,)),
        ("linear_attention", (0, 1, 2)),
    ]
    assert plan(of("gemma4")).groups[0].score.scale == 1.0


def test_deepseek_v4_turns_a_part_of_a_head():
    four = of("deepseek_v4", head_dim=64, partial_rotary_factor=0.25, num_hidden_layers=4)
    heavy, sparse = plan(four).groups
    assert (heavy.rotary_dim, heavy.score.scale, heavy.layers) == (16, 1 / 8, (0, 1, 2))
    assert sparse.layers == (3,)
    assert only(four, partial_rotary_factor=None, num_hidden_layers=1).rotary_dim == 8
    with pytest.raises(ValueError, match="partial_rotary_factor must be at most 1, got 2"):
        plan(four, partial_rotary_factor=2)


def test_layers_of_minimax_without_softmax_do_not_turn():
    config = of("minimax_text_01", head_dim=128, rope_theta=1e7, rotary_dim=64, num_hidden_layers=4)
    full, linear = plan(config, attn_type_list=[0, 1, 0, 1])
    assert (full.name, full.rotary_dim, full.layers) == ("full_attention", 64, (1, 3))
    assert (linear.encoding, linear.layers) == ("recurrent", (0, 2))
    assert only(config, attn_type_list=[1, 1, 1, 1]).layers == (0, 1, 2, 3)


def test_a_file_of_gte_with_its_own_ntk_is_refused():
    gte = of("new", hidden_size=768, num_attention_heads=12, rope_theta=5e5)
    assert only(gte, rope_scaling={"type": "ntk", "factor": 1.0}).layout == "halves"
    for read in (plan, Rotary.from_config):
        with pytest.raises(ValueError, match="as the code of new does, got 'ntk', which slows"):
            read({**gte, "rope_scaling": {"type": "ntk", "factor": 2.0}})


def test_an_encoder_may_have_the_name_of_its_whole_model():
    for name in ("siglip", "siglip_vision_model"):
        parts = {"vision_config": of(name), "slice_config": of("minicpmv")}
        found = plan(HEAD, model_type="minicpmv", hidden_size=64, **parts)
        assert found.groups[1].encoding == "learned"
        assert not found.odd


def test_encoders_of_images_are_groups_with_axes():
    found = plan(LLAMA, model_type="qwen2_5_vl", vision_config=VISION).groups
    assert (found[1].name, found[1].axes, found[1].rotary) == (
        "vision",
        ("y", "x"),
        axes.blocks([36, 36], layout="halves"),
    )
    vision = of("qwen2_5_omni_vision_encoder", hidden_size=1280, num_heads=16)
    parts = {"text_config": {**LLAMA, "model_type": "qwen2_5_omni_text"}, "vision_config": vision}
    found = plan(model_type="qwen2_5_omni", thinker_config=parts).groups
    assert [(group.name, group.rotary_dim) for group in found] == [
        ("all layers", 128),
        ("vision", 80),
    ]
    text, vision = plan(LLAMA, model_type="paddleocr_vl", vision_config=VISION).groups
    assert (text.axes, text.layout, vision.rotary_dim) == (("time", "y", "x"), "halves", 72)
    vision = of("gemma4_vision", hidden_size=768, num_attention_heads=12)
    group = plan(model_type="gemma4", vision_config=vision).groups[-1]
    assert (group.axes, group.rule) == (("x", "y"), "unknown")
    with pytest.raises(ValueError, match="each axis turns the halves of its own half of a head"):
        _ = group.rotary
    found = plan(LLAMA, model_type="qwen2_5_vl", vision_config=of("mine", **VISION))
    assert [group.name for group in found] == ["all layers"]
    assert "part" in {odd.code for odd in found.odd}


def test_files_of_mistral_and_of_meta_are_interleaved():
    yarn = {**SHORT, "apply_scale": False, "beta": 32, "alpha": 1}
    group = only(MISTRAL, yarn=yarn)
    assert (group.layout, len(group.layers)) == ("interleaved", 40)
    assert group.scaling == YaRN(**SHORT, attention_factor=1.0)
    warm = only(MISTRAL, yarn={**yarn, "apply_scale": True}).attention_factor()
    assert warm == pytest.approx(0.1 * np.log(16) + 1)
    turning, still = plan(META).groups
    assert (turning.layers, turning.chunk, still.layers) == ((0, 1, 2, 4, 5, 6), 8192, (3, 7))
    scaling = Llama3(16, high_freq_factor=1.0)
    assert turning.rotary == Rotary(128, base=5e5, layout="interleaved", scaling=scaling)
    assert still.query == "query at position p times 1 + 0.1 ln(1 + floor((p + 1) / 8,192))"
    assert len(plan(META, attn_temperature_tuning=False).groups) == 2


BLOCKS = {  # classes of diffusers: their axes, base and options
    "BriaTransformer2DModel": ([48, 48], 1e4, {"axes_dims_rope": [0, 48, 48]}),
    "Kandinsky5Transformer3DModel": ([16, 24, 24], 1e4, {}),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_transformer_of_diffusers_has_several_axes(name):
    dims, base, options = BLOCKS[name]
    assert only(options, _class_name=name).rotary == axes.blocks(dims, base=base)


def test_two_classes_of_diffusers_have_what_posenc_knows_with_other_options():
    assert only(COSMOS).note == "each axis has its own base: 20,671, 10,000, 10,000"
    plain = axes.blocks([44, 42, 42], base=1e4, layout="halves")
    assert only(COSMOS, rope_scale=[1.0, 1.0, 1.0]).rotary == plain
    assert only(SPLIT, rope_type="interleaved").rule == "ltx"


# GGUF


def gguf(architecture, *more, **keys):
    """The plan of metadata for a head of 128 features, with keys of the architecture."""
    own = {"attention.key_length": 128, "block_count": 8, "rope.freq_base": 1e4, **keys}
    named = {f"{architecture}.{key}": value for key, value in own.items()}
    return plan({"general.architecture": architecture, **named}, *more)


STRETCHED = {"rope.scaling.type": "yarn", "rope.scaling.factor": 40.0}
STRETCHED |= {"rope.scaling.original_context_length": 4096, "rope.dimension_count": 64}
APART = {"attention.key_length": 192, "rope.scaling.yarn_log_multiplier": 0.0707}
WINDOW = {"attention.sliding_window": 4096}


def test_metadata_of_gguf_say_what_turns_in_llama_cpp():
    (group,) = gguf("llama").groups
    assert group.rotary == Rotary(128, layout="interleaved")
    assert group.layers == tuple(range(8))
    divisors = [1.0] * 32 + [8.0] * 32
    (divided,) = gguf("llama", {"rope_freqs.weight": divisors}).groups
    ratio = group.rotary.frequencies() / divided.rotary.frequencies()
    np.testing.assert_allclose(ratio, divisors)
    assert gguf("mine").groups[0].layout is None
    (group,) = gguf("qwen2vl", **{"rope.dimension_sections": [16, 24, 24, 0]}).groups
    assert group.rotary == axes.sections(Rotary(128), [16, 24, 24])


def test_yarn_in_gguf_has_the_factors_of_llama_cpp():
    warm, apart = 0.1 * np.log(40) + 1, 0.0707 * np.log(40) + 1
    (usual,) = gguf("qwen2", **STRETCHED).groups
    assert usual.attention_factor() == pytest.approx(warm)
    ends = {"rope.scaling.yarn_beta_fast": 16.0, "rope.scaling.yarn_beta_slow": 2.0}
    (own,) = gguf("qwen2", **STRETCHED, **ends).groups
    assert (own.scaling.beta_fast, own.scaling.beta_slow) == (16, 2)
    (ministral,) = gguf("mistral3", **STRETCHED, **{"rope.scaling.yarn_log_multiplier": 1.0}).groups
    assert ministral.attention_factor() == pytest.approx(1.0)
    (deepseek,) = gguf("deepseek2", **STRETCHED, **APART).groups
    assert (deepseek.head_dim, deepseek.attention_factor()) == (64, pytest.approx(1.0))
    assert deepseek.score.factor == pytest.approx(apart**2)


def test_layers_with_a_window_in_a_gguf_file_are_those_of_llama_cpp():
    near, far = gguf("gemma3", **{**WINDOW, "rope.freq_base": 1e6})
    assert (near.base, near.window, far.base, far.window) == (1e4, 4096, 1e6, None)
    for kind in (gguf("cohere2", **WINDOW), gguf("smollm3")):
        assert [group.encoding for group in kind] == ["rotary", "none"]
    yarn = {**STRETCHED, "rope.scaling.factor": 8.0, **WINDOW}
    for name, layers, scaled in (
        ("olmo2", (0, 1, 2, 4, 5, 6), False),
        ("gpt-oss", (0, 2, 4, 6), 1),
    ):
        local, far = gguf(name, **yarn)
        assert (local.layers, local.window, local.base) == (layers, 4096, 1e4)
        assert far.layers == tuple(i for i in range(8) if i not in layers)
        assert (far.window, far.scaling.factor) == (None, 8)
        assert (local.scaling == far.scaling) == scaled
    found = gguf("phi3", **WINDOW)
    assert [group.window for group in found] == [None]
    assert [odd.code for odd in found.odd] == ["window"]
    turning, still = gguf("lfm2", **{"attention.head_count_kv": [0, 8, 0, 8, 0, 8, 0, 8]})
    assert (turning.layers, still.layers, still.turns) == ((1, 3, 5, 7), (0, 2, 4, 6), False)


# What is odd

YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
LINEAR = {"rope_type": "linear", "factor": 8.0}
DYNAMIC = {"rope_type": "dynamic", "factor": 8.0, "alpha": 4.0}
SETS = {"full_attention": {**LINEAR, "rope_theta": 1e4}, "sliding_attention": {"rope_theta": 2e4}}
NULL = {"full_attention": None, "sliding_attention": {"rope_theta": 1e4}}
BASES = {"compress_rope_theta": 4e4, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}
FAR = {"layer_types": ["full_attention"]}
NEAR = {"layer_types": ["sliding_attention", "full_attention"]}
NARROW = {"hidden_size": 512, "num_attention_heads": 8}
NTK = {"type": "ntk", "factor": 4.0}
NO_LENGTH = {"original_max_position_embeddings": None}
SECTIONS = {"type": "mrope", "mrope_section": [8, 12, 12]}
OUTSIDE = {"original_max_position_embeddings": 2048}
RAMP = {**YARN, "truncate": False}
ONES = [1.0] * 32
ONE_LISTS = {"short_factor": ONES, "long_factor": ONES}
INNER = {"attn_config": {"rope_theta": 500000}}
ONE = {"rope_parameters": {"full_attention": {"rope_theta": 1e6}}}
TWO_AXES = {"rope_type": "default", "mrope_section": [32, 32]}
TURNED = {"model_type": "gpt2", "position_embedding_type": "rope"}


def long(model="llama", **changed):
    """A config of a head of 64 features and 4,096 positions."""
    return {**HEAD, "model_type": model, "max_position_embeddings": 4096, **changed}


def outside(**keys):
    """A config of Qwen3-VL with keys of its text outside of text_config."""
    return of("qwen3_vl", text_config=long("qwen3_vl_text", head_dim=128), **keys)


def yarn(**changed):
    """A config that YaRN stretches from 1,024 positions to 4,096."""
    return long(rope_scaling={**YARN, **changed})


def mrope(pairs, **changed):
    """A config of pairs for three coordinates."""
    return long("qwen2_vl", rope_scaling={**SECTIONS, "mrope_section": pairs, **changed})


SETS_OF_TWO = long("mellum", rope_parameters=SETS)
ODD = [  # the code of what is odd, words of its sentence, and the config
    ("chunks", "count positions within chunks", long(dual_chunk_attention_config={"a": 1})),
    ("no base", "is missing. The usual 10,000 is used.", of("llama", head_dim=64)),
    ("no base", "The default of helium in transformers 5.24 is used.", of("helium")),
    ("no base", "rotary_emb_base is missing.", of("gpt_neox")),
    ("not read", "rope_theta is not read by the code of gpt_neox", of("gpt_neox", rope_theta=5e5)),
    ("not read", "without a set, the code of cwm takes its", of("cwm", rope_theta=2e4)),
    ("not read", "rope_scaling is not read by the", long("cohere2_moe", rope_scaling=LINEAR)),
    ("not read", "partial_rotary_factor is not read by", long("bamba", partial_rotary_factor=0.25)),
    ("not read", "rope_parameters is not read by", long("fuyu", rope_parameters=LINEAR)),
    ("left out", "by the times of the sounds", {**long("musicflamingo"), "text_config": long()}),
    ("not read", "rope_local_base_freq is not read", long(rope_local_base_freq=1e4)),
    ("not read", "kv_channels is not read by the code of", of("llama", kv_channels=64)),
    ("no width", "no hidden_size and no num_attention_heads. The", of("llama", rope_theta=5e5)),
    ("no width", "is no num_attention_heads", of("llama", rope_theta=5e5, hidden_size=2048)),
    ("width", "heads is 128. head_dim counts", long(hidden_size=256, num_attention_heads=2)),
    ("model type", "is missing. No defaults are known, and the layout is", {"head_dim": 64}),
    ("model type", "and rope_interleave sets", {"head_dim": 64, "rope_interleave": True}),
    ("model type", "rotary_emb_interleaved sets", {"head_dim": 64, "rotary_emb_interleaved": True}),
    ("model type", "position_embedding_type sets the layout", TENSORRT),
    ("model type", "architectures names QWenLMHeadModel: qwen.", NAMELESS),
    ("not read", "n_head is not read by the code of llama", of("llama", n_head=64)),
    ("not read", "alibi is not read by the code of bert in", of("bert", **ALIBI)),
    ("not read", "auto_map names code of its own", of("bert", **ALIBI, auto_map={"AutoModel": ""})),
    ("not read", "rotary_pct is not read by the code", of("llama", head_dim=64, rotary_pct=0.5)),
    ("model type", "mine is not known to posenc", long("mine")),
    ("fails", "gemma4_text wants a set for each type", of("gemma4_text", rope_scaling=LINEAR)),
    ("fails", "the code of modernbert wants", long("modernbert", rope_parameters=LINEAR)),
    ("fails", "gemma4_text wants a set for sliding_attention", long("gemma4_text", **NEAR, **ONE)),
    ("fails", "mrope_section must have three", long("qwen3_vl_text", rope_scaling=TWO_AXES)),
    ("fails", "type must not be null", long(rope_scaling={"type": None, "factor": 2.0})),
    ("fails", "su must have original", long("phi3", rope_scaling={**ONE_LISTS, "type": "su"})),
    ("fails", "a list of strings, got [None]", long(layer_types=[None])),
    ("fails", "sliding_window must be an integer, got '64'", long("qwen2", sliding_window="64")),
    ("fails", "must be a number, got a list", long("gemma2", rope_theta=[1e4, 1e4], **NEAR)),
    ("fails", "must be true or false", long("qwen3", use_sliding_window="false")),
    ("fails", "rope_scaling with yarn must stand in text_config", outside(rope_scaling=YARN)),
    ("not read", "outside of text_config is not read", outside(rope_scaling=LINEAR)),
    ("not read", "rope_theta outside of text_config is not", outside(rope_theta=7e4)),
    ("not read", "text_config is not read by the code of llama", long(text_config=yarn())),
    ("not read", "type rope is not read by the code of gpt2", {**long(), "gpt2_config": TURNED}),
    ("not read", "swa_rope_theta is not read by the", {**GEMMA, "swa_rope_theta": 2e4}),
    ("not read", "rope_theta is not read by the code of", of("mimo_v2_flash", rope_theta=1e4)),
    ("fails", "the code of qwen3 wants one set, not", long("qwen3", rope_parameters=SETS)),
    ("fails", "the code of llama has no rope type ntk.", long(rope_scaling=NTK)),
    ("fails", "of phi3 has no rope type linear", long("phi3", rope_scaling=LINEAR)),
    ("fails", "yarn must have a factor", long(rope_scaling={"type": "yarn"})),
    ("fails", "original_max_position_embeddings must not", yarn(**NO_LENGTH)),
    (
        "fails",
        "rope_theta must not be null",
        of("llama", head_dim=64, rope_scaling={**NTK, "rope_theta": None}),
    ),
    ("fails", "must be an integer, got 4096.0", long(max_position_embeddings=4096.0)),
    ("fails", "max_position_embeddings must not be null", long(max_position_embeddings=None)),
    ("fails", "file: rope_theta must not be null", of("llama", head_dim=64, rope_theta=None)),
    ("fails", "head_dim must not be null", long("qwen3", head_dim=None, **NARROW)),
    ("fails", "sliding_window must not be null", long("cwm", sliding_window=None)),
    ("fails", "must have a sliding_window", long("qwen2", layer_types=["sliding_attention"])),
    ("fails", "must have a sliding_window", long("gemma2", sliding_window=None, **NEAR)),
    ("fails", "wants llama_4_scaling_beta in a set", long("ministral3", rope_scaling=YARN)),
    ("fails", "original_max_position_embeddings must", {**yarn(), **NO_LENGTH}),
    ("fails", "partial_rotary_factor must not be", long("phi", partial_rotary_factor=None)),
    ("fails", "rope_theta must not be null", long(rope_parameters={"rope_theta": None})),
    ("fails", "layer_types must be a list", long(layer_types="full_attention")),
    ("fails", "layer_types must not name full.", long(layer_types=["full", "full_attention"])),
    ("fails", "must name 3 layers, got 1", long(layer_types=["conv"], num_hidden_layers=3)),
    ("two sets", "only rope_scaling is read", {**yarn(factor=8.0), "rope_parameters": LINEAR}),
    ("two sets", "only rope_parameters is read", long(rope_scaling={}, rope_parameters=LINEAR)),
    ("two types", "rope_type is yarn and type is linear. rope_type counts.", yarn(type="linear")),
    ("no type", "nothing is scaled. Not read: factor.", long(rope_scaling={"factor": 4})),
    ("read as", "is yarn. It is read as longrope", {**yarn(**ONE_LISTS), "model_type": "phi3"}),
    ("not read", "for rope type yarn: short_factor and long_factor", yarn(**ONE_LISTS)),
    ("no text", "only there, and takes the defaults of gemma3_text", long("gemma3", **NARROW)),
    ("fails", "head_dim must be an integer, got 64.0", of("deepseek_v2", head_dim=64.0)),
    ("no original length", "its place: 4,096", long(rope_scaling={**LINEAR, "rope_type": "yarn"})),
    ("no factor", "original_max_position_embeddings is used: 4.", yarn(factor=None)),
    ("length", "is 8 × 1,024 = 8,192, while max_position_embeddings is 4,096.", yarn(factor=8.0)),
    ("two lengths", "2,048 outside and 1,024 inside", {**yarn(), **OUTSIDE}),
    ("not scaled", "is 2,048 and max_position_embeddings 4,096", long(**OUTSIDE)),
    ("one mscale", "Only mscale is set.", yarn(mscale=0.707)),
    ("ramp", "is 1, below beta_slow, 1.001. No pair", yarn(beta_fast=1, beta_slow=1.001)),
    ("ramp", "below beta_slow, 32. The ramp is reversed", yarn(beta_fast=1, beta_slow=32)),
    ("sections", "The sections add up to 31, while there are 32", mrope([8, 12, 11])),
    ("no positions", "of type full_attention have no", long("mellum", rope_parameters=NULL)),
    ("no positions", "for layers of type other", {**SETS_OF_TWO, "layer_types": ["other", *SETS]}),
    ("exchanged", "20,000, and layers with full attention 10,000", SETS_OF_TWO),
    ("two bases", "10,000 outside and 500,000 inside", long(rope_parameters={"rope_theta": 5e5})),
    ("architectures", "is deepseek_v3's", long(architectures=["DeepseekV3ForCausalLM"])),
    *(("window", "sliding", long("mistral", sliding_window=w)) for w in (-1, 0, "64", True, 64.0)),
    *(
        ("not read", words, config)
        for words, config in [
            ("for rope type yarn: low_freq_factor", yarn(low_freq_factor=1)),
            ("for rope type mrope: mrope_section.", long(rope_scaling=SECTIONS)),
            ("for rope type dynamic: alpha.", long(rope_scaling=DYNAMIC)),
            ("rope_ratio is not read by the code of llama", long(rope_ratio=4)),
            ("for rope type linear: alpha", long(rope_scaling={**LINEAR, "alpha": 1.0})),
            ("type yarn: truncate.", long("mellum", rope_parameters={"full_attention": RAMP})),
            ("the code of qwen2_vl takes blocks", mrope([8, 12, 12], mrope_interleaved=True)),
            ("10,000. Here 500,000 counts.", of("dbrx", d_model=64, n_heads=2, **INNER)),
            ("the code of llama turns halves", long(rope_interleaved=True)),
            ("rope_interleave is not read", long(rope_interleave=True)),
            ("In rope_parameters, sets for types of layers", long(rope_parameters=SETS)),
            ("a set for each type of layers, not one", {**GEMMA, "rope_parameters": LINEAR}),
            ("but the code of jamba turns nothing", of("jamba", rope_theta=1e4)),
            ("no_rope_layers is not read by", long(no_rope_layers=[1, 1, 0, 1])),
            ("rope_thetha is not read: posenc does not know", long(rope_thetha=5e5)),
            ("rotary_dims is not read: posenc does not know", long(rotary_dims=64)),
            ("rotary_emb_base is not read by the", of("llama", head_dim=64, rotary_emb_base=5e5)),
            ("qk_rope_head_dim is not read by the code of", long(qk_rope_head_dim=32)),
            ("position_embedding_type is not read by", long(position_embedding_type="nope")),
            (
                "In the set, rope_theta is not read: the code of deepseek_v4",
                long("deepseek_v4", **BASES),
            ),
            ("alibi is not read by the code of llama", long(alibi=True)),
            ("layer_types is not read by the code of", long(layer_types=["linear_attention"])),
            ("partial_rotary_factor is not read by", long(partial_rotary_factor=0.5)),
        ]
    ),
]
QUIET = [
    *(yarn(), yarn(llama_4_scaling_beta=0.1), long("exaone4", sliding_window=None, **FAR)),
    of("gemma3_text", rope_theta=1e6, rope_parameters=NULL),
    long("smollm3", no_rope_layers=[1, 1, 0, 1]),
    long("granite_swa", layer_rope_theta=[0, 1e4, 1e4, 0]),
    long("llama4_text", no_rope_layers=[], no_rope_layer_interval=3),
    *(long(kind, sliding_window=4096) for kind in ("exaone4", "afmoe", "kolibri1", "cohere2_moe")),
    of("deepseek_v4", rope_theta=1e4, compress_rope_theta=4e4),
    of("deepseek_v3", qk_rope_head_dim=64, rope_theta=1e4, rope_interleave=False),
    long(rope_theta=5e5, rope_parameters={"rope_theta": 5e5}),
    long(original_max_position_embeddings=4096),
    long(n_head=64, num_attention_heads=64, hidden_size=4096),
    long(partial_rotary_factor=1),
    long("phi-msft", rotary_dim=32, architectures=["PhiForCausalLM"]),
    long("bailing_hybrid", qk_rope_head_dim=64, architectures=["BailingMoeV3ForCausalLM"]),
    *(long(architectures=[f"{name}ForCausalLM"]) for name in ("Llama", "Mine")),
    long("qwen3", use_sliding_window=True, sliding_window=None, num_hidden_layers=28),
    of("deepseek_v4", head_dim=512, partial_rotary_factor=0.125, rope_theta=1e4),
    {**outside(rope_theta=1e4), "rope_scaling": None},
]


@pytest.mark.parametrize(("code", "words", "config"), ODD)
def test_a_plan_says_what_is_odd(code, words, config):
    assert any(odd.code == code and words in odd.text for odd in plan(config).odd)


@pytest.mark.parametrize("config", QUIET)
def test_a_plan_finds_nothing_odd_about_a_file_that_its_program_reads_whole(config):
    assert plan(config).odd == ()


def test_a_plan_counts_the_features_that_turn_and_says_what_rotary_cannot_express():
    assert "\nfull_attention: 128 of 512 features turn" in str(plan(of("gemma4_text")))
    words = str(plan(of("nanochat", head_dim=64, rope_theta=1e4)))
    assert "\n  Python  none: pairs turn the other way: rotate by -p\n" in words


def test_a_report_lists_layers_oddities_and_what_other_programs_compute():
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
    config = of("gemma2", head_dim=64, rope_theta=1e4, rope_scaling={**yarn, "mscale": 0.7})
    for count, listed in ((12, "6: 0, 2, 4, 6, 8, 10"), (14, "7: 0, 2, 4, 6, 8, 10, ...")):
        found = plan(config, num_hidden_layers=count, max_position_embeddings=4096)
        lines = str(found).splitlines()
        assert lines[1].startswith(f"sliding_attention ({listed}): 64 of 64 features turn")
        ((oddity,), (differs,)) = found.odd, found.programs
        assert lines[-4:-2] == ["odd: 1", f"  {oddity.text}"]
        assert lines[-1].startswith(f"  {differs.what}: 1.1386 here; mlx-lm 1.097 (")


# Other programs


def said(*configs):
    """The numbers of each difference: here, and in each other program."""
    return {
        one.what: (one.here, {name: value for name, value, _ in one.others})
        for one in plan(*configs).programs
    }


BEFORE = "vLLM at 926c71f6, before it read mscale and attention_factor"
LISTS = {"type": "longrope", "short_factor": [1.0] * 32, "long_factor": [1.0] * 31 + [8.0]}
LENGTHS = {"original_max_position_embeddings": 4096, "max_position_embeddings": 131072}
STRETCH = np.sqrt(1 + np.log(32) / np.log(4096))


def test_programs_that_read_no_mscale_have_another_attention_factor():
    plain = 0.1 * np.log(16) + 1
    scaling = {"rope_type": "yarn", **SHORT}
    both = said(HEAD, {"rope_scaling": {**scaling, "mscale": 1.0, "mscale_all_dim": 1.0}})
    away = {BEFORE: pytest.approx(plain), "llama.cpp since #17945": pytest.approx(plain)}
    assert both == {"attention factor": (1.0, away)}
    one = said(HEAD, {"rope_scaling": {**scaling, "mscale": 0.707}})
    half = 0.0707 * np.log(16) + 1
    assert one == {"attention factor": (pytest.approx(plain), {"mlx-lm": pytest.approx(half)})}
    given = said(HEAD, {"rope_scaling": {**scaling, "attention_factor": 1.5}})
    assert given == {"attention factor": (1.5, {**away, "mlx-lm": pytest.approx(plain)})}
    assert said(HEAD, {"rope_scaling": scaling}) == {}


def test_programs_that_round_the_ramp_or_slow_the_first_pair_have_another_frequency():
    yarn = {"factor": 32.0, "original_max_position_embeddings": 4096}
    scaling = {"rope_type": "yarn", **yarn, "truncate": False}
    found = said(of("gpt_oss", head_dim=64, rope_theta=150_000, rope_scaling=scaling))
    ((what, (here, others)),) = found.items()
    pair = int(what.removeprefix("frequency of pair "))
    exact = Rotary(64, base=150_000, scaling=YaRN(**yarn)).frequencies()[pair]
    assert others == {"mlx-lm": exact, "llama.cpp at 00bdaa10": exact}
    assert abs(here / exact - 1) > 0.01
    for more, first in (({}, 4 ** (-2 / 64)), ({"mixed_b": 0.625}, np.exp(-np.log(4) / 32**0.625))):
        assert said(HEAD, {"rope_scaling": {"type": "ntk", "factor": 4.0, **more}}) == {
            "frequency of pair 0": (1.0, {"vLLM at 03587f55": pytest.approx(first)})
        }


def test_vllm_and_sglang_do_not_divide_by_the_factor_of_proportional():
    half = {"rope_type": "proportional", "factor": 2.0, "partial_rotary_factor": 0.5}
    (differs,) = plan(long("qwen2", rope_parameters=half)).programs
    assert (differs.what, differs.here) == ("frequency of pair 0", 0.5)
    assert [(name, number) for name, number, _ in differs.others] == [
        ("vLLM 0.33.0", 1.0),
        ("SGLang 0.5.23", 1.0),
    ]


def test_mlx_takes_its_own_base_and_no_scaling_where_it_does_not_read_rope_parameters():
    kept = {"rope_type": "yarn", **SHORT, "mscale": 0.7, "rope_theta": 500_000.0}
    here = of("llama", head_dim=64, rope_parameters=kept)
    assert said(here) == {
        "base": (500_000.0, {"mlx-lm 0.32.2": 10_000.0}),
        "scaling": ("yarn", {"mlx-lm 0.32.2": "none"}),
    }
    assert said(here, {"model_type": "qwen2"})["base"][1] == {"mlx-lm 0.32.2": 1_000_000.0}
    assert said(here, {"model_type": "granite"}) == {"base": (500_000.0, {"mlx-lm 0.32.2": None})}
    assert "base" not in said(here, {"model_type": "qwen3"})  # it reads them
    assert "base" not in said(HEAD, {"rope_scaling": kept})


def test_two_names_of_a_type_are_two_types_for_mlx_and_refused_by_vllm():
    assert said(
        HEAD, {"rope_scaling": {"rope_type": "linear", "type": "dynamic", "factor": 2}}
    ) == {"rope type": ("linear", {"mlx-lm": "dynamic", "vLLM 0.33.0": None})}
    both = said(HEAD, LENGTHS, {"rope_scaling": {**LISTS, "rope_type": "longrope", "type": "su"}})
    assert both["rope type"] == ("longrope", {"mlx-lm": "su"})


def test_mlx_knows_the_old_name_of_longrope_in_phi3_only():
    old = {**LISTS, "type": "su"}
    for model, last in (("phi3", pytest.approx(Rotary(64).frequencies()[-1] / 8)), ("llama", None)):
        found = said(HEAD, LENGTHS, of(model, rope_scaling=old))
        (frequency,) = [others for what, (_, others) in found.items() if "pair" in what]
        assert frequency["mlx-lm"] == last


def test_programs_do_not_switch_longrope_by_the_length_of_the_text():
    found = said(HEAD, LENGTHS, {"rope_scaling": LISTS})
    last = Rotary(64).frequencies()[-1]
    assert found == {
        "frequency of pair 31 in a text of at most 4,096 positions": (
            last,
            {"vLLM at 17d618b0, if it serves longer texts": last / 8, "mlx-lm": last / 8},
        ),
    }
    fixed = said(HEAD, LENGTHS, {"rope_scaling": {**LISTS, "factor": 8.0}})["attention factor"][1]
    names = "vLLM at 17d618b0", "SGLang 0.5.23", "mlx-lm"
    assert fixed == dict.fromkeys(names, pytest.approx(STRETCH))


def test_transformers_and_mlx_lm_read_a_factor_for_each_list_only_in_phimoe():
    scaled = {**LISTS, "short_mscale": 1.3, "long_mscale": 1.4}
    for model, others in {
        "phi3": {"transformers 5.24": STRETCH, "mlx-lm": STRETCH},
        "phimoe": {"mlx-lm": 1.4},
    }.items():
        here, found = said(HEAD, LENGTHS, of(model, rope_scaling=scaled))["attention factor"]
        assert here == 1.3
        assert found == pytest.approx(others)


def test_every_difference_names_repository_file_and_commit_release_or_pull_request():
    for source in SOURCES.values():
        repository, path, commit = source.split(", ")
        assert re.fullmatch(r"[\w-]+/[\w.-]+", repository)
        assert path.endswith((".py", ".c", ".cpp"))
        assert re.fullmatch(r"[0-9a-f]{8}|v[\d.]+|pull request \d+", commit)


def test_a_plan_is_json_with_numbers():
    values = json.loads(json.dumps(plan(yarn()).to_dict()))
    (group,) = values["groups"]
    assert group["scaling"]["type"] == "YaRN"
    assert group["attention_factor"] == pytest.approx(0.1 * np.log(4) + 1)
    assert set(values) == {"format", "model", "groups", "odd", "programs"}
