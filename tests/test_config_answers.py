"""The modules of "What does my config say?" read a config as `Plan` does."""

import json
import re
from base64 import b64encode
from dataclasses import asdict, replace

import numpy as np
import pytest

from posenc import Rotary, _arguments
from posenc.plans import Plan
from posenc.plans._words import difference
from posenc.rotary._config import rotary_options
from tests import node, test_plans
from tests.examples import ALL
from tests.test_corpus import DEFAULTS as TYPES
from tests.test_corpus import EVERY as CORPUS
from tests.test_corpus import VARIANTS, altered, dicts
from tests.test_gguf import gguf
from tests.test_rotary_config import CONFIGS, NO_ROTARY, WRONG, from_config
from tests.test_rotary_config_outputs import EVERY as RECORDED
from tests.test_rotary_config_outputs import MODELS, ROTATING, SCALED_IN_PLACE, SHORTEST

LENGTHS = (None, 1000.0, 131_072.0, 1e7)


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
            assert_same(found, wanted)  # of two wrong keys, each language may name another one
        return
    assert not isinstance(found, str), found
    assert [one["name"] for one in found] == [group.name for group in wanted]
    for one, group in zip(found, wanted, strict=True):
        layers = None if group.layers is None else list(group.layers)
        told = [one[name] for name in ("layers", "encoding", "window", "chunk", "note")]
        assert told == [layers, group.encoding, group.window, group.chunk, group.note]
        if group.turns:
            assert_turns_as_in_python(one, group)


def keys(config):
    """The keys of a config at any depth, without the architecture that begins those of GGUF."""
    return {key.partition(".")[2] if "." in key else key for _, one in dicts(config) for key in one}


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
    rotary = tried(lambda: Rotary(group.head_dim, **sizes))
    if isinstance(rotary, str):  # a file of GGUF may turn more features than a head has
        assert group.rotary_dim % 2 or group.rotary_dim > group.head_dim, rotary
        return
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
    *WRONG,
    *NO_ROTARY.values(),
    *SHORTEST.values(),
    *configs(RECORDED),
    *configs(CORPUS),
    *configs(VARIANTS),
    *configs(TYPES["types"]),
    *(one[-1] for one in (*test_plans.ODD, *test_plans.NAMED, *test_plans.REFUSED)),
    *test_plans.QUIET,
    *({"head_dim": 64, "rope_theta": 1e4, key: "LoRA"} for key in test_plans.OTHER_FILES),
]


EVERY += altered(2400 if ALL else 1200)
DIFFER = [
    test_plans.yarn(mscale=1.0, mscale_all_dim=1.0),
    test_plans.yarn(mscale=0.707, attn_factor=2),
    test_plans.yarn(type="linear", truncate=False),
    test_plans.long(rope_scaling={"type": "ntk", "factor": 4.0}),
    test_plans.long(rope_scaling={"type": "proportional", "factor": 4.0}),
    test_plans.long(rope_scaling={"type": "ntk", "factor": 4.0, "mixed_b": 0.625}),
    *(
        test_plans.of(model, rope_parameters={"type": "linear", "factor": 2, "rope_theta": 5e5})
        for model in ("llama", "granite", "qwen3")
    ),
    test_plans.of("phi3", **test_plans.LENGTHS, rope_scaling={**test_plans.LISTS, "type": "su"}),
]


def test_the_page_reads_every_config_of_the_tests_as_python_does(modules):
    """Also what is odd in it, and where programs differ."""
    all_, compared = [*EVERY, *DIFFER], 0
    texts = [json.dumps(config) for config in all_]
    told = modules("answers", texts=texts, lengths=LENGTHS)
    for config, (found, odd, programs) in zip(all_, told, strict=True):
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
