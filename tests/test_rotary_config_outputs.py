"""Rotary.from_config gives the frequencies that transformers computes from the same config."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from posenc import Rotary

FOLDER = Path(__file__).parent / "data" / "rotary"
MODELS = json.loads((FOLDER / "configs.json").read_text("utf-8"))
# The options for positions of published config.json files, each with the file that has them.
PUBLISHED = json.loads((FOLDER / "published.json").read_text("utf-8"))
# Small configs, one for each rule about nulls, sets of layer types, and keys that disagree.
RULES = json.loads((FOLDER / "rules.json").read_text("utf-8"))
EVERY = {**MODELS, **PUBLISHED, **RULES}
ROTATING = {name: held for name, held in EVERY.items() if "layers" in held}
PLAIN = 3e-6  # relative: a float32 power, printed with 8 digits
SCALED = 1e-4  # float32 code of the scalings


def layers(config):
    """A Rotary for each layer type; under None if all layers are alike."""
    found = Rotary.from_config(config)
    return found if isinstance(found, dict) else {None: found}


@pytest.mark.parametrize("name", ROTATING)
def test_a_config_gives_the_frequencies_and_the_attention_factor_of_transformers(name):
    held = ROTATING[name]
    found = layers(held["config"])
    told = {layer["layer_type"] for layer in held["layers"]}
    assert told == set(found) or None in found or told == {None}
    for layer in held["layers"]:
        rotary = found.get(layer["layer_type"]) or found[None]
        tolerance = SCALED if rotary.scaling else PLAIN
        np.testing.assert_allclose(rotary.frequencies(), layer["inv_freq"], rtol=tolerance)
        assert rotary.layout == held.get("layout", rotary.layout)
        assert rotary.attention_factor() == pytest.approx(layer["attention_factor"], rel=1e-6)


def test_the_configs_are_of_many_kinds():
    kinds = {held["config"]["model_type"] for held in MODELS.values()}
    assert len(MODELS) == 40
    assert len(kinds) > 30


@pytest.mark.parametrize("name", sorted(PUBLISHED.keys() - ROTATING.keys()))
def test_a_published_config_without_a_rotary_encoding_is_refused_with_what_it_has(name):
    held = PUBLISHED[name]
    with pytest.raises(ValueError, match=f"^config must be of a model with .*{held['refused']}"):
        Rotary.from_config(held["config"])


def test_a_published_config_says_which_file_it_is_from():
    for held in PUBLISHED.values():
        assert set(held["source"]) == {"repository", "path", "commit"}
        assert len(held["source"]["commit"]) == 40
    assert len(PUBLISHED) == 40
    assert len({held["config"]["model_type"] for held in PUBLISHED.values()}) > 25
