"""Plans: what a model's file says about positions, for each group of its layers."""

from __future__ import annotations

import json
import re
import warnings

import numpy as np
import pytest
from hypothesis import given

from posenc.plans import Plan
from posenc.plans._programs import SOURCES
from posenc.rotary import DynamicNTK, Linear, Llama3, LongRoPE, Rotary, SteppedNTK, YaRN, axes
from tests.examples import examples
from tests.test_config_answers import ODD
from tests.test_gguf import gguf as gguf_file
from tests.test_rotary_config import ANY_CONFIG

LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}
GEMMA = {"model_type": "gemma3_text", "hidden_size": 2560, "num_attention_heads": 8}
YARN = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 16384}
DEEPSEEK = {
    "model_type": "deepseek_v2",
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "max_position_embeddings": 163840,
    "rope_theta": 10000,
    "rope_scaling": {
        "type": "yarn",
        "factor": 40,
        "mscale": 0.707,
        "mscale_all_dim": 0.707,
        "original_max_position_embeddings": 4096,
    },
}
MISTRAL = {
    "dim": 5120,
    "n_layers": 40,
    "head_dim": 128,
    "n_heads": 32,
    "rope_theta": 1e9,
    "yarn": {
        "original_max_position_embeddings": 16384,
        "factor": 16,
        "apply_scale": False,
        "beta": 32,
        "alpha": 1,
    },
}


def plan(*dicts, **more):
    """The plan of the keys of all dicts."""
    return Plan.from_dict({key: value for one in (*dicts, more) for key, value in one.items()})


def only(*dicts, **more):
    """The group of a plan that has one."""
    (group,) = plan(*dicts, **more).groups
    return group


def codes(*dicts, **more):
    return {odd.code for odd in plan(*dicts, **more).odd}


def test_one_group_has_the_encoding_that_from_config_gives():
    given = {**LLAMA, "rope_theta": 5e5}
    assert only(given).rotary == Rotary.from_config(given) == Rotary(128, base=5e5)


@pytest.mark.parametrize("model", ["nemotron_h", "kimi_linear", "glm5_next_text", "jamba"])
def test_a_model_whose_code_turns_nothing_has_no_encoding_whatever_the_keys_say(model):
    group = only({**LLAMA, "model_type": model, "rope_theta": 1e4, "partial_rotary_factor": 1.0})
    assert (group.encoding, group.turns) == ("none", False)
    assert "not read" in codes({**LLAMA, "model_type": model, "rope_theta": 1e4})
    with pytest.raises(ValueError, match="layers must turn, got no encoding of positions"):
        _ = group.rotary


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        *(("gpt2", "learned"), ("bloom", "alibi"), ("t5", "t5"), ("mamba", "recurrent")),
        ("whisper", "sinusoidal and learned"),
    ],
)
def test_another_encoding_is_named(model, encoding):
    assert only({"model_type": model}).encoding == encoding
    assert only({**LLAMA, "model_type": model, "rope_theta": 1e4}).encoding == encoding


def test_an_option_may_choose_another_encoding():
    assert only({"model_type": "esm", "position_embedding_type": "absolute"}).encoding == "learned"
    assert only({"model_type": "falcon", "alibi": True}).encoding == "alibi"
    assert only({"model_type": "baichuan", "hidden_size": 5120}).encoding == "alibi"
    assert only({"model_type": "zamba2", "rope_theta": 1e4}).encoding == "none"
    rotary = {"position_embeddings_type": "rotary", "head_dim": 64}
    assert only({"model_type": "wav2vec2-conformer", **rotary}).rotary == Rotary(64)
    assert only({"model_type": "wav2vec2-conformer"}).encoding == "relative"


def test_an_unknown_model_type_has_no_layout():
    group = only({**LLAMA, "model_type": "mine", "rope_theta": 1e4})
    assert group.layout is None
    with pytest.raises(ValueError, match="layout must be known"):
        _ = group.rotary
    assert "model type" in codes({**LLAMA, "model_type": "mine", "rope_theta": 1e4})
    known = only({**LLAMA, "model_type": "mine", "rope_theta": 1e4, "rope_interleave": True})
    assert known.layout == "interleaved"


def test_a_flat_set_is_not_read_where_the_code_has_a_set_for_each_type_of_layers():
    flat = {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}
    groups = plan(GEMMA, rope_parameters=flat).groups
    assert {group.name: (group.base, group.scaling) for group in groups} == {
        "full_attention": (1e6, None),
        "sliding_attention": (1e4, None),
    }
    assert "not read" in codes(GEMMA, rope_parameters=flat)
    assert plan(GEMMA, rope_scaling=flat).groups[0].scaling == Linear(8.0)  # as version 4 writes it


def test_sets_for_types_of_layers_are_not_read_where_the_code_has_one_set():
    sets = {"full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 2e4}}
    group = only(LLAMA, rope_parameters=sets)
    assert (group.base, group.name) == (1e4, "all layers")
    assert "not read" in codes(LLAMA, rope_parameters=sets)


def test_one_set_is_odd_where_the_code_wants_one_for_each_type_of_layers():
    flat = {"rope_type": "linear", "factor": 8.0}
    assert "one set" in codes({"model_type": "gemma4_text"}, rope_scaling=flat)
    assert "one set" not in codes({"model_type": "gemma4_text"})


def test_a_model_that_turns_the_other_way_says_so():
    given = {**LLAMA, "model_type": "nanochat", "rope_theta": 1e4}
    assert only(given).note == "pairs turn the other way: rotate by -p"
    for refused in (lambda: only(given).rotary, lambda: Rotary.from_config(given)):
        with pytest.raises(ValueError, match="-p"):
            refused()


def test_rope_interleave_counts_only_where_the_code_of_the_type_reads_it():
    llama = {**LLAMA, "rope_interleave": True, "rope_theta": 1e4}
    assert only(llama).layout == Rotary.from_config(llama).layout == "halves"
    assert "not read" in codes(llama)
    deepseek = {**DEEPSEEK, "model_type": "deepseek_v3"}
    assert [only(deepseek, rope_interleave=given).layout for given in (True, False)] == [
        "interleaved",
        "halves",
    ]
    assert "not read" not in codes(deepseek, rope_interleave=False)


def test_exchanged_sets_are_odd():
    sets = {
        "sliding_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
        "full_attention": {"rope_type": "default", "rope_theta": 1e4},
    }
    assert "exchanged" in codes(GEMMA, rope_parameters=sets)


def test_two_bases_are_odd_and_the_inner_one_counts():
    given = {"rope_theta": 1e4, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}
    assert only(LLAMA, given).base == 5e5
    assert "two bases" in codes(LLAMA, given)
    assert "two bases" not in codes(LLAMA, {**given, "rope_theta": 5e5})


def test_a_longer_text_than_in_training_without_a_scaling_is_odd():
    lengths = {"original_max_position_embeddings": 4096, "max_position_embeddings": 131072}
    assert "not scaled" in codes(LLAMA, lengths)
    assert "not scaled" not in codes(LLAMA, {**lengths, "max_position_embeddings": 4096})


def test_architectures_of_another_type_are_odd():
    assert "architectures" in codes(LLAMA, architectures=["DeepseekV3ForCausalLM"])
    assert "architectures" not in codes(LLAMA, architectures=["LlamaForCausalLM"])
    assert "architectures" not in codes(LLAMA, architectures=["MineForCausalLM"])


def test_latent_attention_multiplies_its_scores():
    score = only(DEEPSEEK).score
    assert score.factor == pytest.approx((0.0707 * np.log(40) + 1) ** 2)
    assert score.scale == pytest.approx(score.factor / np.sqrt(192))


def test_sections_share_the_pairs_among_three_coordinates():
    sections = {"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": True}
    group = only(LLAMA, model_type="qwen3_vl_text", head_dim=128, rope_scaling=sections)
    assert (group.axes, group.sections) == (("time", "y", "x"), (24, 20, 20))
    rotary = Rotary(128, base=5e5)
    assert group.rotary == axes.sections(rotary, [24, 20, 20], interleaved=True)


def test_layers_without_positions_are_a_group():
    types = ["sliding_attention"] * 3 + ["full_attention"]
    found = plan({**LLAMA, "model_type": "cohere2", "layer_types": types, "sliding_window": 4096})
    assert [(group.encoding, group.layers) for group in found] == [
        ("rotary", (0, 1, 2)),
        ("none", (3,)),
    ]
    flags = plan({**LLAMA, "model_type": "smollm3", "no_rope_layers": [1, 1, 0, 1]})
    several = plan({**LLAMA, "model_type": "smollm3", "num_hidden_layers": 8})
    assert [group.layers for group in flags] == [(0, 1, 3), (2,)]
    assert [group.layers for group in several] == [(0, 1, 2, 4, 5, 6), (3, 7)]


def test_only_layers_with_attention_turn_where_the_type_of_the_model_says_which():
    hybrid = plan({**LLAMA, "model_type": "qwen3_next", "head_dim": 256, "num_hidden_layers": 8})
    assert [(group.encoding, group.layers) for group in hybrid] == [
        ("rotary", (3, 7)),
        ("recurrent", (0, 1, 2, 4, 5, 6)),
    ]
    across = {"model_type": "mllama_text_model", "cross_attention_layers": [1]}
    looks = plan({**LLAMA, **across, "num_hidden_layers": 3})
    assert [(group.encoding, group.layers) for group in looks] == [
        ("rotary", (0, 2)),
        ("none", (1,)),
    ]


def test_windows_and_chunks_are_those_of_the_type_where_the_file_has_none():
    two = plan({**LLAMA, "model_type": "gemma2", "head_dim": 256, "num_hidden_layers": 4})
    assert [(group.layers, group.window) for group in two] == [((0, 2), 4096), ((1, 3), None)]
    assert only(LLAMA, model_type="mistral").window == 4096
    assert only(LLAMA, model_type="mistral", sliding_window=None).window is None
    used = {"model_type": "qwen3", "sliding_window": 64, "max_window_layers": 1}
    assert only(LLAMA, used, num_hidden_layers=2).window is None
    windows = [
        group.window for group in plan(LLAMA, used, num_hidden_layers=2, use_sliding_window=True)
    ]
    assert windows == [None, 64]
    assert plan(LLAMA, model_type="llama4_text", num_hidden_layers=4).groups[0].chunk == 8192
    both = plan({"model_type": "modernbert", "num_hidden_layers": 3, "local_attention": 32}).groups[
        1
    ]
    assert (both.window, both.note) == (None, "a query sees 16 positions on each side")


def test_sections_are_not_claimed_where_the_code_of_the_type_has_one_coordinate_or_no_rotation():
    sections = {"rope_type": "default", "mrope_section": [16, 16, 16, 16]}
    assert only(LLAMA, rope_scaling=sections).axes == ()
    assert "not read" in codes(LLAMA, rope_scaling=sections)
    with pytest.raises(ValueError, match="the two features of a pair take different axes"):
        _ = only(LLAMA, model_type="hunyuan_vl_text", rope_scaling=sections).rotary


def test_a_vision_part_is_a_group_with_two_axes():
    vision = {"depth": 27, "hidden_size": 1152, "num_heads": 16}
    found = plan({**LLAMA, "model_type": "qwen2_5_vl", "vision_config": vision}).groups
    assert (found[1].name, found[1].axes, found[1].rotary) == (
        "vision",
        ("y", "x"),
        axes.blocks([36, 36], layout="halves"),
    )


def test_parts_within_the_part_of_a_text_are_groups():
    vision = {"model_type": "qwen2_5_omni_vision_encoder", "hidden_size": 1280, "num_heads": 16}
    text = {**LLAMA, "model_type": "qwen2_5_omni_text"}
    found = plan(
        model_type="qwen2_5_omni", thinker_config={"text_config": text, "vision_config": vision}
    )
    assert [(group.name, group.rotary_dim) for group in found] == [
        ("all layers", 128),
        ("vision", 80),
    ]


def test_the_first_half_of_a_head_of_gemma_4s_images_turns_by_x_as_its_processor_counts():
    vision = {"model_type": "gemma4_vision", "hidden_size": 768, "num_attention_heads": 12}
    group = plan({"model_type": "gemma4", "vision_config": vision}).groups[-1]
    assert (group.axes, group.rule) == (("x", "y"), "unknown")
    with pytest.raises(ValueError, match="each axis turns the halves of its own half of a head"):
        _ = group.rotary


def test_a_vision_part_that_is_not_known_is_odd_and_not_guessed():
    vision = {"model_type": "mine", "rope_theta": 1e4, "hidden_size": 64, "num_heads": 4}
    found = plan({**LLAMA, "model_type": "qwen2_5_vl", "vision_config": vision})
    assert [group.name for group in found] == ["all layers"]
    assert "part" in {odd.code for odd in found.odd}


def test_mistrals_file_is_interleaved_and_has_yarn():
    group = only(MISTRAL)
    assert (group.layout, group.scaling, len(group.layers)) == (
        "interleaved",
        YaRN(16, original_max_position_embeddings=16384, attention_factor=1.0),
        40,
    )
    scaled = {**MISTRAL, "yarn": {**MISTRAL["yarn"], "apply_scale": True}}
    assert only(scaled).attention_factor() == pytest.approx(0.1 * np.log(16) + 1)


def test_metas_file_of_llama_4_has_layers_that_stay():
    sizes = {"dim": 5120, "n_heads": 40, "n_layers": 8, "use_scaled_rope": True}
    options = {
        "nope_layer_interval": 4,
        "attention_chunk_size": 8192,
        "attn_temperature_tuning": True,
    }
    turning, still = plan(sizes, options).groups
    assert (turning.layers, turning.chunk, still.layers) == ((0, 1, 2, 4, 5, 6), 8192, (3, 7))
    assert turning.rotary == Rotary(
        128, base=5e5, layout="interleaved", scaling=Llama3(16, high_freq_factor=1.0)
    )
    assert still.query == "query at position p times 1 + 0.1 ln(1 + floor((p + 1) / 8,192))"
    assert len(plan(sizes, options, attn_temperature_tuning=False).groups) == 2


def test_a_flat_file_is_of_the_text_of_its_type():
    given = {**LLAMA, "model_type": "paddleocr_vl", "head_dim": 128, "rope_theta": 5e5}
    found = plan(given, vision_config={"hidden_size": 1152, "num_attention_heads": 16})
    text, vision = found.groups
    assert (text.axes, text.layout) == (("time", "y", "x"), "halves")
    assert vision.rotary_dim == 72


@pytest.mark.parametrize(
    ("config", "dims", "base"),
    [
        (
            {"_class_name": "BriaTransformer2DModel", "axes_dims_rope": [0, 48, 48]},
            [48, 48],
            1e4,
        ),
        (
            {"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56]},
            [16, 56, 56],
            1e4,
        ),
        ({"_class_name": "Flux2Transformer2DModel"}, [32] * 4, 2000.0),
        ({"_class_name": "Kandinsky5Transformer3DModel"}, [16, 24, 24], 1e4),
        ({"_class_name": "HunyuanDiT2DModel"}, [44, 44], 1e4),
        ({"_class_name": "EasyAnimateTransformer3DModel"}, [16, 24, 24], 1e4),
        ({"_class_name": "WanTransformer3DModel", "attention_head_dim": 128}, [44, 42, 42], 1e4),
        ({"_class_name": "HunyuanVideoTransformer3DModel"}, [16, 56, 56], 256.0),
        (
            {"_class_name": "ZImageTransformer2DModel", "axes_dims": [32, 48, 48]},
            [32, 48, 48],
            256.0,
        ),
    ],
)
def test_a_transformer_of_diffusers_has_several_axes(config, dims, base):
    assert only(config).rotary == axes.blocks(dims, base=base)


def test_axes_that_share_no_base_and_one_list_for_all_heads_are_not_guessed():
    cosmos = {"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128}
    assert only(cosmos).note == "each axis has its own base: 20,671, 10,000, 10,000"
    assert only(cosmos, rope_scale=[1.0, 1.0, 1.0]).rotary == axes.blocks(
        [44, 42, 42], base=1e4, layout="halves"
    )
    split = {"_class_name": "LTX2VideoTransformer3DModel", "rope_type": "split"}
    for group in (only(cosmos), only(split)):
        with pytest.raises(ValueError, match="rule must be one that posenc knows"):
            _ = group.rotary
    assert only(split, rope_type="interleaved").rule == "ltx"


def test_a_class_of_diffusers_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match="_class_name must be a class of diffusers"):
        plan({"_class_name": "MineTransformer2DModel", "attention_head_dim": 128})


def test_text_a_file_a_folder_and_an_object_are_read_as_the_dict_is(tmp_path):
    class Config:
        def to_dict(self):
            return LLAMA

    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    for form in (json.dumps(LLAMA), str(tmp_path / "config.json"), tmp_path, Config()):
        assert Plan.from_dict(form) == plan(LLAMA)
    assert Plan.from_file(tmp_path / "config.json") == plan(LLAMA)


def test_a_plan_is_json_with_numbers():
    values = json.loads(json.dumps(plan(LLAMA, rope_scaling=YARN).to_dict()))
    (group,) = values["groups"]
    assert group["scaling"]["type"] == "YaRN"
    assert group["attention_factor"] == pytest.approx(0.1 * np.log(16) + 1)
    assert set(values) == {"format", "model", "groups", "odd", "programs"}


MOVED = (  # to groups, or to other words
    *("no model", "another model", "sections", "some layers", "layers without positions"),
    *("full attention without", "DeepSeek's scores", "a scaling in the place of"),
)


@pytest.mark.parametrize("name", [name for name in ODD if not name.startswith(MOVED)])
def test_python_finds_odd_what_the_page_finds_odd(name):
    config, sentences = ODD[name]
    found = [f"{odd.group}: {odd.text}" if odd.group else odd.text for odd in plan(config).odd]
    assert found == [sentence.replace("5.23", "5.24") for sentence in sentences]


LISTS = LongRoPE([1.0] * 4, [2.0] * 4, original_max_position_embeddings=100, factor=2)


@pytest.mark.parametrize("scaling", [LISTS, DynamicNTK(2, 100), SteppedNTK(100)])
def test_a_position_beyond_the_training_texts_without_a_length_gives_one_warning(scaling):
    rotary = Rotary(8, scaling=scaling)
    with warnings.catch_warnings():  # the tests turn every warning into an error
        rotary.cosine_sine([0, 99])
        rotary.cosine_sine([0, 100], length=101)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("default")
        for _ in range(3):
            rotary.rotate(np.ones(8), [0, 100])
    (warning,) = given
    assert "length must be given in a text of more than 100 positions" in str(warning.message)
    assert warning.filename == __file__


def test_from_config_refuses_what_one_rotary_cannot_say_and_names_the_plan():
    for config in ({"_class_name": "FluxTransformer2DModel"}, MISTRAL):
        with pytest.raises(ValueError, match=r"posenc\.rotary\.Plan reads others"):
            Rotary.from_config(config)
    with pytest.raises(ValueError, match="'nemotron_h', which has no encoding of positions"):
        Rotary.from_config({**LLAMA, "model_type": "nemotron_h", "rope_theta": 1e4})


def test_from_config_takes_a_layout_only_where_the_type_of_the_model_does_not_decide_it():
    with pytest.raises(ValueError, match="or layout must be given, got model_type 'mine'"):
        Rotary.from_config({**LLAMA, "model_type": "mine", "rope_theta": 1e4})
    mine = {"model_type": "mine", "head_dim": 64, "rope_theta": 1e4}
    assert Rotary.from_config(mine, layout="interleaved").layout == "interleaved"
    assert Rotary.from_config(LLAMA, layout="interleaved").layout == "halves"
    assert Rotary.from_config({"model_type": "gptj"}, layout="halves").layout == "interleaved"


GGUF = {
    "general.architecture": "llama",
    "llama.block_count": 32,
    "llama.embedding_length": 4096,
    "llama.attention.head_count": 32,
    "llama.rope.freq_base": 5e5,
    "llama.context_length": 8192,
}


def gguf(architecture, **keys):
    """The plan of metadata for a head of 128 features, with keys of the architecture."""
    own = {"attention.key_length": 128, "block_count": 4, "rope.freq_base": 1e4, **keys}
    named = {f"{architecture}.{key}": value for key, value in own.items()}
    return plan({"general.architecture": architecture, **named})


def test_metadata_of_gguf_say_what_turns_in_llama_cpp():
    group = only(GGUF)
    assert group.rotary == Rotary(128, base=5e5, layout="interleaved")
    assert len(group.layers) == 32
    (divided,) = plan(GGUF, {"rope_freqs.weight": [1.0] * 32 + [8.0] * 32}).groups
    ratio = group.rotary.frequencies() / divided.rotary.frequencies()
    np.testing.assert_allclose(ratio, [1.0] * 32 + [8.0] * 32)


def test_the_header_of_a_gguf_file_is_read_with_the_divisors_of_pairs(tmp_path):
    keys = {key: (8 if isinstance(value, str) else 4, value) for key, value in GGUF.items()}
    keys |= {"llama.rope.freq_base": (6, 5e5)}
    divisors = np.linspace(1, 8, 64, dtype=np.float32)
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf_file(metadata=keys, tensors={"rope_freqs.weight": (divisors, 0)}))
    (group,) = Plan.from_file(path).groups
    expected = 500_000 ** (-np.arange(64) / 64) / divisors
    np.testing.assert_allclose(group.rotary.frequencies(), expected, rtol=1e-6)


def test_an_architecture_that_posenc_does_not_know_has_no_layout():
    found = gguf("mine")
    assert found.groups[0].layout is None
    assert "model type" in {odd.code for odd in found.odd}


def test_yarn_in_gguf_has_the_factors_of_llama_cpp():
    yarn = {"rope.scaling.type": "yarn", "rope.scaling.factor": 40.0}
    yarn |= {"rope.scaling.original_context_length": 4096, "rope.dimension_count": 64}
    warm = 0.1 * np.log(40) + 1
    (usual,) = gguf("qwen2", **yarn).groups
    assert usual.attention_factor() == pytest.approx(warm)
    (ministral,) = gguf("mistral3", **yarn, **{"rope.scaling.yarn_log_multiplier": 1.0}).groups
    assert ministral.attention_factor() == pytest.approx(1.0)
    own = {"attention.key_length": 192, "rope.scaling.yarn_log_multiplier": 0.0707}
    (deepseek,) = gguf("deepseek2", **yarn, **own).groups
    assert (deepseek.head_dim, deepseek.attention_factor()) == (64, pytest.approx(1.0))
    assert deepseek.score.factor == pytest.approx((0.0707 * np.log(40) + 1) ** 2)


def test_layers_with_a_window_have_their_own_base_in_gguf():
    near, far = gguf("gemma3", **{"attention.sliding_window": 1024, "rope.freq_base": 1e6})
    assert (near.base, near.window, far.base, far.window) == (1e4, 1024, 1e6, None)
    kinds = gguf("cohere2", **{"attention.sliding_window": 4096})
    assert [group.encoding for group in kinds] == ["rotary", "none"]
    assert [group.encoding for group in gguf("smollm3")] == ["rotary", "none"]


def test_sections_of_gguf_are_axes():
    (group,) = gguf("qwen2vl", **{"rope.dimension_sections": [16, 24, 24, 0]})
    assert group.rotary == axes.sections(Rotary(128), [16, 24, 24])


def said(config, *more):
    """The numbers of each difference: here, and in each other program."""
    return {
        one.what: (one.here, {name: value for name, value, _ in one.others})
        for one in plan(config, *more).programs
    }


HEAD = {"model_type": "llama", "head_dim": 64, "rope_theta": 1e4}


BEFORE = "vLLM at 926c71f6, before it read mscale and attention_factor"


def test_programs_that_read_no_mscale_have_another_attention_factor():
    plain = 0.1 * np.log(16) + 1
    both = said(HEAD, {"rope_scaling": {**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}})
    away = {BEFORE: pytest.approx(plain), "llama.cpp since #17945": pytest.approx(plain)}
    assert both == {"attention factor": (1.0, away)}
    one = said(HEAD, {"rope_scaling": {**YARN, "mscale": 0.707}})
    half = 0.0707 * np.log(16) + 1
    assert one == {"attention factor": (pytest.approx(plain), {"mlx-lm": pytest.approx(half)})}
    given = said(HEAD, {"rope_scaling": {**YARN, "attention_factor": 1.5}})
    assert given == {"attention factor": (1.5, {**away, "mlx-lm": pytest.approx(plain)})}
    assert said(HEAD, {"rope_scaling": YARN}) == {}


def test_programs_that_round_the_ramp_have_another_frequency():
    sizes = {"head_dim": 64, "rope_theta": 150_000}
    yarn = {"factor": 32.0, "original_max_position_embeddings": 4096}
    config = {"model_type": "gpt_oss", **sizes}
    found = said(config, {"rope_scaling": {"rope_type": "yarn", **yarn, "truncate": False}})
    ((what, (here, others)),) = found.items()
    rounded = YaRN(**yarn)
    pair = int(what.removeprefix("frequency of pair "))
    exact = Rotary(64, base=150_000, scaling=rounded).frequencies()[pair]
    assert others == {"mlx-lm": exact, "llama.cpp at 00bdaa10": exact}
    assert abs(here / exact - 1) > 0.01


def test_programs_slow_the_first_pair_too_where_the_type_is_ntk():
    ((what, (here, others)),) = said(HEAD, {"rope_scaling": {"type": "ntk", "factor": 4.0}}).items()
    assert (what, here) == ("frequency of pair 0", 1.0)
    assert others == {"vLLM at 03587f55": pytest.approx(4 ** (-2 / 64))}


def test_programs_do_not_switch_longrope_by_the_length_of_the_text():
    lists = {"short_factor": [1.0] * 32, "long_factor": [1.0] * 31 + [8.0]}
    lengths = {"original_max_position_embeddings": 4096, "max_position_embeddings": 131072}
    found = said(HEAD, lengths, {"rope_scaling": {"type": "longrope", **lists}})
    (last,) = Rotary(64).frequencies()[-1:]
    assert found == {
        "frequency of pair 31 in a text of at most 4,096 positions": (
            last,
            {"vLLM at 17d618b0, if it serves longer texts": last / 8, "mlx-lm": last / 8},
        ),
    }
    fixed = said(HEAD, lengths, {"rope_scaling": {"type": "longrope", **lists, "factor": 8.0}})
    made = np.sqrt(1 + np.log(32) / np.log(4096))
    assert fixed["attention factor"][1] == {
        "vLLM at 17d618b0": pytest.approx(made),
        "mlx-lm": pytest.approx(made),
    }


@pytest.mark.parametrize(("model", "programs"), [("phi3", 2), ("phimoe", 1)])
def test_only_phimoe_has_a_factor_for_each_list_in_transformers(model, programs):
    lists = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32, "short_mscale": 1.3}
    lengths = {"original_max_position_embeddings": 4096, "max_position_embeddings": 131072}
    scaled = {"type": "longrope", **lists, "long_mscale": 1.3}
    found = said(HEAD, lengths, {"model_type": model, "rope_scaling": scaled})
    here, others = found["attention factor"]
    assert here == 1.3
    assert len(others) == programs
    assert ("transformers 5.24" in others) == (model == "phi3")
    assert list(others.values()) == pytest.approx(
        [np.sqrt(1 + np.log(32) / np.log(4096))] * programs
    )


def test_every_difference_names_repository_file_and_commit_release_or_pull_request():
    for source in SOURCES.values():
        repository, path, commit = source.split(", ")
        assert re.fullmatch(r"[\w-]+/[\w.-]+", repository)
        assert path.endswith((".py", ".c", ".cpp"))
        assert re.fullmatch(r"[0-9a-f]{8}|v[\d.]+|pull request \d+", commit)


@examples(300)
@given(ANY_CONFIG)
def test_any_config_gives_a_plan_that_is_json_or_an_error_of_one_line(config):
    try:
        found = plan(config)
    except (TypeError, ValueError) as error:
        message = str(error)
        assert len(message.splitlines()) == 1, message
    else:
        assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["groups"]
        assert str(found)


def test_a_config_whose_keys_are_no_texts_is_refused():
    with pytest.raises(ValueError, match="config must have texts as keys, got 0"):
        Plan.from_dict({0: None})


@pytest.mark.parametrize(
    ("architecture", "near", "scaled"),
    [("olmo2", (0, 1, 2, 4, 5, 6), False), ("gpt-oss", (0, 2, 4, 6), True)],
)
def test_layers_with_a_window_in_a_gguf_file_are_those_of_llama_cpp(architecture, near, scaled):
    yarn = {"rope.scaling.type": "yarn", "rope.scaling.factor": 8.0, "context_length": 8192}
    keys = {**yarn, "attention.sliding_window": 4096}
    local, far = gguf(architecture, block_count=8, **keys)
    assert (local.layers, local.window, local.base) == (near, 4096, 1e4)
    assert far.layers == tuple(i for i in range(8) if i not in near)
    assert (far.window, far.scaling.factor) == (None, 8)
    assert (local.scaling == far.scaling) is scaled


def test_a_window_of_an_architecture_without_one_is_odd_in_a_gguf_file():
    plan = gguf("phi3", **{"attention.sliding_window": 4096})
    assert [group.window for group in plan] == [None]
    assert [odd.code for odd in plan.odd] == ["window"]


def test_layers_without_heads_do_not_turn_in_a_gguf_file():
    heads = [0, 8, 0, 8, 0, 8, 0, 8]
    turning, still = gguf("lfm2", block_count=8, **{"attention.head_count_kv": heads})
    assert (turning.layers, still.layers) == ((1, 3, 5, 7), (0, 2, 4, 6))
    assert not still.turns


@pytest.mark.parametrize("window", [-1, 0, "4096", True, 4096.0])
def test_a_window_that_is_no_number_of_positions_is_odd(window):
    plan = Plan.from_dict({**LLAMA, "model_type": "mistral", "sliding_window": window})
    assert [group.window for group in plan] == [None]
    assert "window" in [odd.code for odd in plan.odd]


def test_a_key_that_is_not_known_is_odd():
    plan = Plan.from_dict({**LLAMA, "rope_thetha": 5e5, "rotary_dims": 64})
    told = [odd.text for odd in plan.odd]
    assert "rope_thetha is not read: posenc does not know this key." in told
    assert "rotary_dims is not read: posenc does not know this key." in told
