"""Rotary.from_config gives what transformers computes from the same config, and its defaults."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from posenc import Rotary
from posenc.rotary import Linear
from posenc.rotary._config import rotary_options
from posenc.rotary._families import DEFAULTS
from scripts.files import ROOT
from tests.test_corpus import ANSWERS
from tests.test_corpus import EVERY as CORPUS
from tests.test_rotary_config import CONFIGS

FOLDER = Path(__file__).parent / "data" / "rotary"
SMALL = json.loads((FOLDER / "configs.json").read_text("utf-8"))
# The options for positions of published config.json files, each with the file that has them.
PUBLISHED = json.loads((FOLDER / "published.json").read_text("utf-8"))
# Small configs, one for each rule about nulls, sets of layer types, and keys that disagree.
RULES = json.loads((FOLDER / "rules.json").read_text("utf-8"))
EVERY = {**SMALL, **PUBLISHED, **RULES}
ROTATING = {name: held for name, held in EVERY.items() if "layers" in held}
PLAIN = 3e-6  # relative: a float32 power, printed with 8 digits
SCALED = 1e-4  # float32 code of the scalings


@pytest.mark.parametrize("name", ROTATING)
def test_a_config_gives_the_frequencies_and_the_attention_factor_of_transformers(name):
    held = ROTATING[name]
    found = Rotary.from_config(held["config"])
    found = found if isinstance(found, dict) else {None: found}  # all layers are alike
    told = {layer["layer_type"] for layer in held["layers"]}
    assert told == set(found) or None in found or told == {None}
    for layer in held["layers"]:
        rotary = found.get(layer["layer_type"]) or found[None]
        tolerance = SCALED if rotary.scaling else PLAIN
        np.testing.assert_allclose(rotary.frequencies(), layer["inv_freq"], rtol=tolerance)
        assert rotary.layout == held.get("layout", rotary.layout)
        assert rotary.attention_factor() == pytest.approx(layer["attention_factor"], rel=1e-6)


PAGE = json.loads((ROOT / "scripts/figures/data/rotary_models.json").read_text("utf-8"))
MODELS = PAGE["models"]


def test_the_models_of_the_page_name_a_source_and_turn_as_published_files_of_their_type():
    assert list(PAGE["sources"]) == list(MODELS)
    for name in ("Llama 3.1 8B", "Qwen 3", "DeepSeek-V3", "gpt-oss"):
        kind = MODELS[name]["model_type"]
        files = [CORPUS[file]["config"] for file in ANSWERS]
        same = [Rotary.from_config(one) for one in files if one.get("model_type") == kind]
        assert same.count(Rotary.from_config(MODELS[name])) >= 4
    scaling = MODELS["Phi-3.5-mini"]["rope_scaling"]
    for name in ("short_factor", "long_factor"):
        assert len(scaling[name]) == 48
        assert (np.diff(scaling[name]) >= 0).all()


# The options that a config leaves out

KNOWN = json.loads((FOLDER / "defaults.json").read_text("utf-8"))
# Here hidden_size / num_attention_heads is odd, so the defaults by themselves make no encoding.
ODD = {"glm4_moe", "glm4v_moe_text", "qwen3_omni_moe_text"}
# A config has to say these, unless DEFAULTS has them.
MUST_BE_THERE = ("hidden_size", "num_attention_heads", "max_position_embeddings")
SIZES = ("hidden_size", "num_attention_heads", "head_dim", "qk_rope_head_dim", "rotary_dim")
SIZES += ("original_max_position_embeddings",)


def shortest(model):
    """A config of this type that says no more than it must."""
    given = {*MUST_BE_THERE} & KNOWN[model].keys() - DEFAULTS[model].keys()
    return {"model_type": model, **{name: KNOWN[model][name] for name in sorted(given)}}


SHORTEST = {model: shortest(model) for model in KNOWN}


def test_every_model_type_is_compared():
    """Code that comes with weights, and not with transformers, has its defaults in options.json."""
    elsewhere = {config.get("model_type") for config, _ in CONFIGS if isinstance(config, dict)}
    assert DEFAULTS.keys() - KNOWN.keys() <= elsewhere
    assert KNOWN.keys() <= DEFAULTS.keys()


@pytest.mark.parametrize("model", KNOWN)
def test_a_model_type_alone_gives_the_sizes_and_the_encoding_of_transformers(model):
    own, theirs = DEFAULTS[model], KNOWN[model]
    assert {name: own[name] for name in SIZES if name in own}.items() <= theirs.items()
    width = {"head_dim": 128} if model in ODD else {}
    whole = {"model_type": model, **theirs, **width}
    assert rotary_options({**SHORTEST[model], **width}) == rotary_options(whole)
    if {"rope_theta", "rope_parameters"} <= {*own}:  # a scaling in its place keeps the base
        set_of_all = theirs["rope_parameters"].get("full_attention", theirs["rope_parameters"])
        linear = {"rope_scaling": {"type": "linear", "factor": 2.0}}
        rotary = Rotary.from_config({**SHORTEST[model], **linear})
        assert (rotary.base, rotary.scaling) == (set_of_all["rope_theta"], Linear(2))
