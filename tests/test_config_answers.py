"""The modules of "What does my config say?" read a config as `Plan` does."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given

from posenc import Rotary, _arguments
from posenc.plans import Plan, _diffusers
from posenc.plans._data import DIFFUSERS_ENCODINGS, DIFFUSERS_REFUSED
from posenc.plans._words import difference
from posenc.rotary._config import rotary_options
from tests import node, test_plans
from tests.examples import examples
from tests.test_corpus import DEFAULTS as TYPES
from tests.test_corpus import EVERY as CORPUS
from tests.test_corpus import VARIANTS
from tests.test_gguf import gguf
from tests.test_rotary_config import ANY_CONFIG, CONFIGS, WRONG, from_config
from tests.test_rotary_config_outputs import EVERY as RECORDED
from tests.test_rotary_config_outputs import ROTATING, SCALED_IN_PLACE, SHORTEST
from tests.test_rotary_models import MODELS

LENGTHS = (None, 1000.0, 131_072.0, 1e7)


@pytest.fixture(scope="module")
def modules():
    """A function that calls one of tests/browser/config.js with the modules of the page."""
    with node.modules("config.js", "config") as call:
        yield call


@pytest.fixture(scope="module")
def answers(modules):
    """A function that gives the answers of the page's modules to configs."""

    def asked(*configs):
        texts = [json.dumps(config) for config in configs]
        return modules("answers", texts=texts, lengths=LENGTHS)

    return asked


def tried(function, *given):
    """What `function` returns, or the words of its error."""
    try:
        return function(*given)
    except (TypeError, ValueError) as error:
        return str(error)


def in_python(config):
    """The plan that the package finds, or the words of its error."""
    return tried(Plan.from_dict if isinstance(config, dict) else rotary_options, config)


def options(group):
    """The fields of an encoding, as the page names them."""
    held = group.scaling and {"type": type(group.scaling).__name__, **asdict(group.scaling)}
    names = ("head_dim", "rotary_dim", "base", "layout")
    return json.loads(
        json.dumps({**{name: getattr(group, name) for name in names}, "scaling": held})
    )


BEYOND = "base and scaling must keep frequencies within float64, got "


def assert_same(found, wanted):
    """Both have the same words, except for frequencies that only Python's decimals can hold."""
    if BEYOND in wanted:
        found, wanted = found.partition("got")[0], wanted.partition("got")[0]
    assert escaped(found) == escaped(wanted)


def escaped(text):
    """Without the characters that only one of two versions of Unicode knows."""
    return re.sub(r"[^ -~]", lambda one: one[0].encode("unicode_escape").decode(), text)


def assert_as_in_python(found, config):
    wanted = in_python(config)
    if isinstance(wanted, str):
        assert_same(found, wanted)
        return
    assert not isinstance(found, str), found
    assert [one["name"] for one in found] == [group.name for group in wanted]
    for one, group in zip(found, wanted, strict=True):
        layers = None if group.layers is None else list(group.layers)
        told = [one[name] for name in ("layers", "encoding", "window", "chunk", "note")]
        assert told == [layers, group.encoding, group.window, group.chunk, group.note]
        if group.turns:
            assert_turns_as_in_python(one, group)


def assert_turns_as_in_python(one, group):
    shared = {"axes": list(group.axes), "sections": list(group.sections), "rule": group.rule}
    assert {name: one[name] for name in shared} == shared
    assert (one["query"], one["score"] is None) == (group.query, group.score is None)
    if group.score:
        assert one["score"]["why"] == group.score.why
        numbers = [one["score"]["factor"], one["score"]["scale"] or 0.0]
        np.testing.assert_allclose(numbers, [group.score.factor, group.score.scale or 0.0], 1e-12)
    made = one["rotary"]
    computed = [made.pop("frequencies"), made.pop("attention")]
    assert made == options(group)
    if group.base is None:
        return
    sizes = {"base": group.base, "rotary_dim": group.rotary_dim, "scaling": group.scaling}
    rotary = Rotary(group.head_dim, **sizes)
    for length, frequencies, attention in zip(LENGTHS, *computed, strict=True):
        exact = tried(rotary.frequencies, length)
        if isinstance(exact, str):
            assert_same(frequencies, exact)
        else:
            np.testing.assert_allclose(frequencies, exact, rtol=1e-12, err_msg=str(length))
        np.testing.assert_allclose(attention, rotary.attention_factor(length), rtol=1e-12)


def configs(held):
    """The configs of data with answers."""
    return [one["config"] for one in held.values()]


READ = [  # those that make an encoding or several
    *(config for config, _ in CONFIGS),
    *MODELS.values(),
    SCALED_IN_PLACE,
    *configs(ROTATING),
]
EVERY = [
    *READ,
    *WRONG.values(),
    *SHORTEST.values(),
    *configs(RECORDED),
    *configs(CORPUS),
    *configs(VARIANTS),
    *configs(TYPES["types"]),
    *(one[-1] for one in (*test_plans.ODD, *test_plans.NAMED, *test_plans.REFUSED)),
    *test_plans.QUIET,
]


def metadata(architecture, **keys):
    """Metadata of GGUF for a head of 128 features, with keys of the architecture."""
    own = {"attention.key_length": 128, "block_count": 4, "rope.freq_base": 1e4, **keys}
    named = {f"{architecture}.{key}": value for key, value in own.items()}
    return {"general.architecture": architecture, **named}


DIVIDED = {"rope_factors_short.weight": [1.0] * 64, "rope_factors_long.weight": [2.0] * 64}
STRETCHED = {"rope.scaling.type": "yarn", "rope.scaling.factor": 40.0, "context_length": 4096}
WINDOW = {"attention.sliding_window": 1024}
TEMPERED = {"attention.temperature_scale": 0.1, "attention.temperature_length": 8192}
APART = {"rope.dimension_count": 64, "rope.scaling.yarn_log_multiplier": 0.0707}
EVERY += [
    metadata("llama", **STRETCHED),
    metadata("qwen2", **STRETCHED, **TEMPERED, **{"rope.scaling.attn_factor": 1.5}),
    metadata("mistral3", **STRETCHED, **{"rope.scaling.yarn_log_multiplier": 1.0}),
    metadata("deepseek2", **STRETCHED, **APART, **{"attention.key_length_mla": 192}),
    metadata("qwen2", **{"rope.scaling.factor": 4.0, "attention.scale": 0.5}),
    metadata("gemma3", **WINDOW),
    metadata("gemma4", **WINDOW, **{"rope.freq_base_swa": 2e4, "rope.dimension_count_swa": 64}),
    metadata("cohere2", **WINDOW),
    metadata("olmo2", **WINDOW, **STRETCHED),
    metadata("qwen3next"),
    metadata("qwen3next", full_attention_interval=3),
    metadata("lfm2", **{"attention.head_count_kv": [0, 8, 0, 8]}),
    metadata("cohere2", **WINDOW, **{"attention.head_count_kv": [0, 8, 8, 8]}),
    metadata("gpt-oss", **WINDOW, **STRETCHED),
    metadata("gemma4", **WINDOW, **{"attention.sliding_window_pattern": [1, 1, 1, False]}),
    metadata("gemma2", **WINDOW, **{"attention.sliding_window_pattern": 3}),
    metadata("step35", **WINDOW, **{"attention.sliding_window_pattern": [True]}),
    metadata("phi3", **WINDOW, context_length=131_072) | DIVIDED,
    metadata("llama", context_length=8192) | {"rope_freqs.weight": [1.0] * 32 + [8.0] * 32},
    metadata("smollm3", **TEMPERED),
    metadata("qwen2vl", **{"rope.dimension_sections": [16, 24, 24, 0]}),
    metadata("qwen2vl"),
    metadata("bert"),
    metadata("mamba"),
    metadata("mine"),
    metadata("llama", **{"rope.scaling.type": "longrope"}),
    metadata("llama", **{"rope.scaling.type": "mine"}),
    metadata("llama", **{"attention.head_count": [0, 8], "embedding_length": 1024}),
    metadata("gemma3", **{"rope.global.freq_base": 1e6}),
    {"general.architecture": "llama", "llama.embedding_length": 64},
    {"general.architecture": 1},
]


DIFFER = [
    test_plans.yarn(mscale=1.0, mscale_all_dim=1.0),
    test_plans.yarn(mscale=0.707, attn_factor=2),
    test_plans.yarn(type="linear", truncate=False),
    test_plans.long(rope_scaling={"type": "ntk", "factor": 4.0}),
]
AXES = {"attention_head_dim": 64, "num_attention_heads": 4, "rope_theta": 5e3, "theta": 5e3}
CLASSES = {*_diffusers.FAMILIES, *DIFFUSERS_ENCODINGS, *DIFFUSERS_REFUSED, "Mine", None, 1}
FLAT = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2}
RELATIVE = {"rope_theta": 1e4}
MISTRAL = {"dim": 4096, "n_heads": 32, "n_layers": 8, "rope_theta": 1e6}
META = {**MISTRAL, "multiple_of": 256}
FOURTH = {**META, "moe_args": {}, "nope_layer_interval": 4, "use_scaled_rope": True}
SHORT = {"factor": 8.0, "original_max_position_embeddings": 4096}
EVERY += [
    *({"_class_name": name} for name in CLASSES),
    *({"_class_name": name, **AXES} for name in CLASSES),
    *({"_class_name": name, "attention_head_dim": 6} for name in CLASSES),
    {"_class_name": "CogVideoXTransformer3DModel", "use_rotary_positional_embeddings": 1},
    {"_class_name": "CosmosTransformer3DModel", "rope_scale": [1, 1.0, 1]},
    {"_class_name": "CosmosTransformer3DModel", "rope_scale": "2"},
    {"_class_name": "LTX2VideoTransformer3DModel", "rope_type": "split"},
    {"_class_name": "LTXVideoTransformer3DModel", "num_attention_heads": 2**50},
    {"_class_name": "ZImageTransformer2DModel", "dim": 3840, "n_heads": 30},
    {"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [8, 0]},
    *({"axes_dims": axes, "theta": 256} for axes in ([16, 56], [15, 56], [0], ["16"], [])),
    *({**one, "sliding_window": w} for one in (MISTRAL, META) for w in (-1, 0, True, 64)),
    {**MISTRAL, "sliding_window": [None, 64, 64, 32]},
    {**MISTRAL, "sliding_window": [64, 0]},
    {**MISTRAL, "sliding_window": [], "n_layers": None},
    {**MISTRAL, "yarn": {**SHORT, "alpha": 2, "beta": 16, "apply_scale": False, "mine": 1}},
    *({**MISTRAL, "yarn": yarn} for yarn in (SHORT, {"factor": 8}, {**SHORT, "beta": 0}, 1)),
    {**MISTRAL, "qk_rope_head_dim": 64, "vision_encoder": {}, "multimodal": None},
    {**MISTRAL, "llama_4_scaling": {"beta": 0.1, "original_max_position_embeddings": 8192}},
    {**MISTRAL, "llama_4_scaling": {"beta": 0.1}, "yarn": None},
    {**MISTRAL, "rope_scaling": {"factor": 2.0}},
    {**MISTRAL, "route_scale": 1.0},
    {"dim": 4096, "n_heads": 32, "use_scaled_rope": True},
    {**META, "use_scaled_rope": True, "rope_scaling_factor": 32},
    {**META, "use_scaled_rope": 1, "n_layers": 10**6},
    FOURTH,
    {**FOURTH, "attn_temperature_tuning": True, "attention_chunk_size": 8192},
    {**FOURTH, "nope_layer_interval": None, "rope_high_freq_factor": 4.0},
    {"model_type": "nanochat", "hidden_size": 64, "num_attention_heads": 2},
    {"model_type": "llama4_text", "num_hidden_layers": 8, "attention_chunk_size": -1},
    {"model_type": "mistral", "num_hidden_layers": 2, "sliding_window": "4096"},
    {"model_type": "qwen2", "num_hidden_layers": 2, "sliding_window": -1},
    {
        **FLAT,
        "rotary_emb_base": 777.0,
        "rope_thetha": 1.0,
        "rope_type": "yarn",
        "rope": None,
    },
    {**FLAT, "rotary_emb_base": 777.0, "rope_theta": 1e6, "no_rope_layers": [1, 0]},
    {**FLAT, "model_type": "gpt_oss", "rope_local_base_freq": 10, "layer_rope_theta": [1]},
    {**FLAT, "model_type": "gemma3", "layer_types": ["global", "sliding_attention"]},
    {**FLAT, "model_type": "openai_privacy_filter"},
    {
        **FLAT,
        "model_type": "exaone4",
        "sliding_window": 64,
        "sliding_window_pattern": "LLLG",
    },
    {**FLAT, "model_type": "bert", "position_embedding_type": "relative_key", **RELATIVE},
    {**FLAT, "model_type": "deepseek_v2", "use_mla": False, "qk_rope_head_dim": 64},
    {**FLAT, "model_type": "gemma3_text", "rope_scaling": {"type": "linear", "factor": 2}},
    {"model_type": "neomme", "rope_theta": 2e4},
    {"model_type": "cwm", "rope_theta": 2e4},
    {
        **{**FLAT, "model_type": "gemma3_text", "rope_scaling": SHORT},
        "rope_parameters": {"full_attention": {}},
    },
]


def test_the_page_reads_every_config_of_the_tests_as_python_does(answers):
    for config, found in zip(EVERY, answers(*EVERY), strict=True):
        try:
            assert_as_in_python(found, config)
        except AssertionError as error:
            raise AssertionError(config) from error


@examples(100)
@given(ANY_CONFIG)
def test_the_page_reads_any_config_as_python_does(answers, config):
    (found,), wanted = answers(config), in_python(config)
    if isinstance(found, str) and isinstance(wanted, str):
        first, other = found.split()[0], wanted.split()[0]
        if first != other:  # of two wrong keys, each language may name another one
            keys = f"{config} rotary_dim"  # which a partial_rotary_factor makes
            assert first in keys
            assert other in keys
            return
    assert_as_in_python(found, config)


def test_the_page_says_what_is_odd_and_where_programs_differ_as_python_does(modules):
    texts = [json.dumps(config) for config in (*EVERY, *DIFFER)]
    found = zip(modules("oddities", texts=texts), modules("programs", texts=texts), strict=True)
    compared = 0
    for config, (odd, programs) in zip((*EVERY, *DIFFER), found, strict=True):
        plan = in_python(config)
        if not isinstance(plan, Plan) or isinstance(odd, str):
            assert isinstance(plan, str) == isinstance(odd, str), config
            continue
        words = [one.text if one.group is None else f"{one.group}: {one.text}" for one in plan.odd]
        assert odd == list(dict.fromkeys(words)), config
        if isinstance(programs, list):
            assert programs == [difference(one) for one in plan.programs], config
            compared += len(programs)
    assert compared > 20


def test_the_header_of_a_gguf_file_becomes_the_config_that_python_reads(modules, tmp_path):
    keys = {
        "general.architecture": (8, "llama"),
        "general.name": (8, "mine"),
        "tokenizer.ggml.tokens": (9, (8, ["a" * 9000, "b"] * 400)),
        "llama.block_count": (4, 2),
        "llama.embedding_length": (4, 512),
        "llama.attention.head_count": (9, (5, [4, 4])),
        "llama.rope.freq_base": (6, 500_000.0),
        "llama.expert_used": (7, True),
        "llama.context_length": (4, 8192),
    }
    divisors = np.linspace(1, 8, 64, dtype=np.float32)
    halves = (divisors.view(np.uint32) >> 16).astype(np.uint16)
    changes = [
        ({}, (divisors, 0)),
        ({"order": ">"}, (divisors.astype(np.float16), 1)),
        ({"version": 1}, (halves, 30)),
    ]
    path = tmp_path / "model.gguf"
    for changed, held in changes:
        tensors = {"output.weight": (np.zeros(8, np.float32), 0), "rope_freqs.weight": held}
        path.write_bytes(gguf(metadata=keys, tensors=tensors, **changed))
        text = modules("header", file=b64encode(path.read_bytes()).decode())
        assert Plan.from_dict(text) == Plan.from_file(path)
        assert "tokens" not in text
    path.write_bytes(path.read_bytes()[:4000])
    with pytest.raises(AssertionError, match="not a whole GGUF file: cut off in its header"):
        modules("header", file=b64encode(path.read_bytes()).decode())


def test_the_python_that_is_shown_makes_the_same_encodings(modules):
    texts = modules("code", texts=[json.dumps(config) for config in READ])
    for config, text in zip(READ, texts, strict=True):
        names = {}
        exec(text.replace("layout = None", 'layout = "halves"'), names)
        known = all(group.layout or not group.turns for group in Plan.from_dict(config))
        assert ("layout = None" in text) == (not known)
        assert names["rotary"] == from_config(config)


# Texts

NO_JSON = {
    "": "the end of the text",
    '{"a": 1,}': "“}”",
    '{"a": 1}}': "“}”",
    "{'a': 1}": "“'a': 1}”; Python's json.dumps(config) writes JSON",
    '{"a": True}': "“True}”; Python's json.dumps(config) writes JSON",
    '{"a": 01}': "“01}”",
    '{"a": 1 "b"}': '“"b"}”',
    "[1, 2": "the end of the text",
    '{"a": "\n"}': '“"”',
    "model.safetensors": "“model.safetensors”",
    "[" * 300: "“" + "[" * 24 + "…”",
}


def test_a_text_that_is_no_json_is_refused_with_its_line(modules):
    found = modules("values", texts=["\n\n" + text for text in NO_JSON])
    for said, got in zip(found, NO_JSON.values(), strict=True):
        assert said.startswith("not JSON: line 3 must have ")
        assert said.endswith(f", got {got}")


VALUES_OF_JSON = {
    "1": "1",
    "1.0": "1.0",
    "-0.0": "-0.0",
    "1e22": "1e+22",
    "1e-5": "1e-05",
    "9" * 50: _arguments.shown(int("9" * 50)),
    "NaN": "nan",
    "-Infinity": "-inf",
    "null": "None",
    "true": "True",
    r'"\u00e9\n\u0000\u2028"': repr("é\n\0\u2028"),
    '"it\'s"': repr("it's"),
    '"' + "ab" * 40 + '"': _arguments.shown("ab" * 40),
    "[1, [2, [3, [4]]]]": "[1, [2, [...]]]",
    json.dumps(["é" * 30] * 6): _arguments.shown(["é" * 30] * 6),
    json.dumps({"a" * 30: {"b" * 30: {"c": 1}, "d" * 30: "e" * 30}}): _arguments.shown(
        {"a" * 30: {"b" * 30: {"c": 1}, "d" * 30: "e" * 30}}
    ),
    '{"b": 1, "a": 2, "d": 3, "c": {}, "e": 5}': "{'a': 2, 'b': 1, 'c': {}, 'd': 3, ...}",
    "[1, 2, 3, 4, 5, 6, 7]": "[1, 2, 3, 4, 5, 6, ...]",
    'LlamaConfig {"a": 1}': "{'a': 1}",
    '\ufeff {"a": 1, "a": 2}': "{'a': 2}",
}


def test_values_are_read_and_shown_as_in_python(modules):
    assert modules("values", texts=list(VALUES_OF_JSON)) == list(VALUES_OF_JSON.values())
