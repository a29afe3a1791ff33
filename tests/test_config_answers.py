"""The modules of "What does my config say?" read a config as `Plan` does."""

import json
import random
from base64 import b64encode
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from posenc import _arguments
from posenc.plans import Plan, _diffusers
from posenc.plans._data import DIFFUSERS_ENCODINGS, DIFFUSERS_REFUSED, OTHER_FILES
from posenc.plans._words import difference
from posenc.rotary._config import rotary_options
from tests import node, test_plans
from tests.examples import ALL
from tests.test_corpus import DEFAULTS as TYPES
from tests.test_corpus import EVERY as CORPUS
from tests.test_corpus import VARIANTS
from tests.test_gguf import gguf
from tests.test_rotary_config import CONFIGS, NO_ROTARY, WRONG, from_config
from tests.test_rotary_config_outputs import EVERY as RECORDED
from tests.test_rotary_config_outputs import MODELS, ROTATING, SHORTEST


@pytest.fixture(scope="module")
def modules():
    """A function that calls one of tests/browser/config.js with the modules of the page."""
    with node.modules("config.js", "config") as call:
        yield call


def tried(function, *given):
    """What `function` returns, or the words of its error."""
    try:
        return function(*given)
    except (TypeError, ValueError) as error:
        return str(error)


def in_python(config):
    """The plan that the package finds, or the words of its error."""
    return tried(Plan.from_dict if isinstance(config, dict) else rotary_options, config)


def refusal(plan):
    """The plan, or the error that says why it has none, or none of its encodings can be made."""
    groups = plan if isinstance(plan, Plan) else ()
    known = [replace(one, layout=one.layout or "halves") for one in groups if one.turns]
    made = [tried(lambda one=one: one.rotary) for one in known]
    return next((one for one in made if isinstance(one, str)), plan)


def assert_as_in_python(found, wanted, config):
    if isinstance(found, str):  # the page makes each encoding at once
        wanted = refusal(wanted)
    if isinstance(wanted, str):
        assert isinstance(found, str), wanted
        first, other = found.split()[0], wanted.split()[0]
        if first == other or not {first, other} <= keys(config):
            assert found == wanted  # of two wrong keys, each language may name another one
        return
    assert not isinstance(found, str), found
    assert [one["name"] for one in found] == [group.name for group in wanted]
    for one, group in zip(found, wanted, strict=True):
        own = json.loads(json.dumps(group.to_dict()))
        assert not group.turns or {*own} - {*one} == {"attention_factor"}
        for score in (one.get("score"), own["score"]):
            for name in ("factor", "scale") if score else ():  # not of the same roundings
                score[name] = score[name] and float(f"{score[name]:.11g}")
        assert one == {name: own[name] for name in one}


def keys(config):
    """The keys of a config at any depth, without the architecture that begins those of GGUF."""
    return {key.partition(".")[2] if "." in key else key for _, one in dicts(config) for key in one}


def configs(held):
    """The configs of data with answers."""
    return [one["config"] for one in held.values()]


READ = [  # those that make an encoding or several
    *(config for config, _ in CONFIGS),
    *MODELS.values(),
    *configs(ROTATING),
]
WHOLE = [*configs(CORPUS), *configs(VARIANTS), *configs(TYPES["types"])]
ODD_FILES = [one[-1] for one in (*test_plans.ODD, *test_plans.NAMED, *test_plans.REFUSED)]
ODD_FILES += [*test_plans.QUIET, *READ]


# Files of which one to four keys are left out, or have another value, perhaps a wrong one

FORMS = ("general.architecture", "_class_name", "dim", "")  # the key that tells each kind of file
FAMILIES = (*_diffusers.FAMILIES, *DIFFUSERS_ENCODINGS, *DIFFUSERS_REFUSED)
RARE = [*test_plans.REPORTS["rare"], *({"_class_name": name} for name in (*FAMILIES, "Mine", 1))]
ARCHITECTURES = [
    *("bert", "cohere2", "deepseek2", "gemma2", "gemma3", "gemma4", "gpt-oss", "lfm2", "mamba"),
    *("mine", "mistral3", "olmo2", "phi3", "qwen2vl", "qwen3next", "smollm3", "step35"),
]
WAYS = ["other", "other", "wrong", "none"]
VALUES = [None, 1, -1, 0, 2.5, 100_000, "", "mine", [], [0], [1e4, 1e6], ["a"], {}]
TEXT = ("text_config", "llm_config", "language_config", "thinker_config")


def dicts(config, place=""):
    """The config, and every dict inside it, each with the key where it stands; "" for the text."""
    yield place, config
    for key, inner in config.items():
        if isinstance(inner, dict):
            own = "" if key in TEXT else key
            yield from dicts(inner, place if place.endswith("_config") else own)


def altered(count):
    """So many files; each kind has a fourth of them."""
    draw, files, values = random.Random(0), {form: [] for form in FORMS}, {}
    for config in (*WHOLE, *ODD_FILES, *RARE):
        form = next(form for form in FORMS if form in config or not form)
        files[form].append(config)
        for place, part in dicts(config):
            for key, value in part.items():
                values.setdefault((form, place), {})[key, json.dumps(value)] = None
    for number in range(count):
        form = FORMS[number % len(FORMS)]
        text = json.dumps(draw.choice(files[form]))
        if form == FORMS[0]:  # keys of GGUF begin with the architecture
            own = json.loads(text)[form]
            text = text.replace(f'"{own}', f'"{draw.choice([own, *ARCHITECTURES])}')
        config = json.loads(text)
        for _ in range(draw.randint(1, 4)):
            way, (place, part) = draw.choice(WAYS), draw.choice([*dicts(config)])
            if way == "other" and (form, place) in values:
                key, value = draw.choice([*values[form, place]])
                first, dot, rest = key.partition(".")
                own = dot and first not in ("general", "rope_freqs") and "rope_factors" not in first
                part[f"{config.get(form)}.{rest}" if own else key] = json.loads(value)
            elif part and way == "none":
                del part[draw.choice([*part])]
            elif part and not place.endswith("_config"):
                key, value = draw.choice([*part]), draw.choice(VALUES[2 * (form == FORMS[0]) :])
                part[key] = part[key] if isinstance(part[key], list) else deepcopy(value)
        yield config


EVERY = [
    *(*WHOLE, *ODD_FILES, *WRONG, *NO_ROTARY.values(), *SHORTEST.values(), *configs(RECORDED)),
    *({"head_dim": 64, "rope_theta": 1e4, key: "LoRA"} for key in OTHER_FILES),
    {"model_type": "llama", "rope_parameters": {"type": "linear", "factor": 2, "rope_theta": 5e5}},
    *altered(2400 if ALL else 1200),
]


def test_the_page_reads_every_config_of_the_tests_as_python_does(modules):
    """Also what is odd in it, and where programs differ."""
    told, compared = modules("answers", texts=[json.dumps(config) for config in EVERY]), 0
    for config, (found, odd, programs) in zip(EVERY, told, strict=True):
        try:
            plan = in_python(config)
            assert_as_in_python(found, plan, config)
            if isinstance(plan, str) or isinstance(odd, str):
                assert isinstance(odd, str)
                assert isinstance(refusal(plan), str)
                continue
            words = [
                one.text if one.group is None else f"{one.group}: {one.text}" for one in plan.odd
            ]
            assert odd == list(dict.fromkeys(words))
            if isinstance(programs, list):
                assert programs == [difference(one) for one in plan.programs]
                compared += len(programs)
        except AssertionError as error:
            raise AssertionError(config) from error
    assert compared > 20


def test_any_file_gives_a_plan_in_json_or_an_error_that_states_a_rule():
    for config in EVERY[::3]:
        found = in_python(config)
        if isinstance(said := refusal(found), str):
            assert " must " in said or "posenc does not know how" in said
            assert "\n" not in said
        elif isinstance(found, Plan):
            assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["groups"]
            assert str(found)


def test_the_header_of_a_gguf_file_becomes_the_config_that_python_reads(modules, tmp_path):
    keys = {
        "general.architecture": (8, "llama"),
        "general.name": (8, "mine"),
        "tokenizer.ggml.tokens": (9, (8, ["a" * 9000, "b"] * 150)),
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
    "{'a': 1}": "“'a': 1}”; Python's json.dumps(config) writes JSON",
    "[1, 2": "the end of the text",
    '{"a": "\n"}': '“"”',
    "[" * 300: "“" + "[" * 24 + "…”",
    '{"a": "' + "a" * 100: "“" + '"' + "a" * 23 + "…”",  # was slow
}


def test_a_text_that_is_no_json_is_refused_with_its_line(modules):
    found = modules("values", texts=["\n\n" + text for text in NO_JSON])
    for said, got in zip(found, NO_JSON.values(), strict=True):
        assert said.startswith("not JSON: line 3 must have ")
        assert said.endswith(f", got {got}")


JSON = [
    *("1", "1.0", "-0.0", "1e22", "1e-5", "9" * 50, "NaN", "-Infinity", "null", "true"),
    *(r'"\u00e9\n\u0000\u2028"', '"it\'s"', '"' + "ab" * 40 + '"'),
    *("[1, [2, [3, [4]]]]", "[1, 2, 3, 4, 5, 6, 7]", '{"b": 1, "a": 2, "d": 3, "c": {}, "e": 5}'),
    json.dumps(["é" * 30] * 6),
    json.dumps({"a" * 30: {"b" * 30: {"c": 1}, "d" * 30: "e" * 30}}),
    *('{"a": 1, "a": 2}', "[[], {}, [{}], 0.1, -3, 2e-320]"),
]


def test_values_are_read_and_shown_as_in_python(modules):
    expected = [_arguments.shown(json.loads(text)) for text in JSON]
    assert modules("values", texts=JSON) == expected
    around = ['LlamaConfig {"a": 1}', '\ufeff {"a": 1}']  # as Python prints one, as an editor saves
    assert modules("values", texts=around) == ["{'a': 1}"] * 2
