"""Rotary.from_config gives the frequencies that transformers computes from the same config."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from posenc import Rotary

MODELS = json.loads((Path(__file__).parent / "data/rotary/configs.json").read_text("utf-8"))
PLAIN = 3e-6  # relative: a float32 power, printed with 8 digits
SCALED = 1e-4  # float32 code of the scalings


def layers(config):
    """A Rotary for each layer type; under None if all layers are alike."""
    found = Rotary.from_config(config)
    return found if isinstance(found, dict) else {None: found}


@pytest.mark.parametrize("name", MODELS)
def test_a_config_gives_the_frequencies_and_the_attention_factor_of_transformers(name):
    held = MODELS[name]
    found = layers(held["config"])
    told = {layer["layer_type"] for layer in held["layers"]}
    assert told == set(found) or None in found or told == {None}
    for layer in held["layers"]:
        rotary = found.get(layer["layer_type"]) or found[None]
        tolerance = SCALED if rotary.scaling else PLAIN
        np.testing.assert_allclose(rotary.frequencies(), layer["inv_freq"], rtol=tolerance)
        assert rotary.attention_factor() == pytest.approx(layer["attention_factor"], rel=1e-6)


def test_the_configs_are_of_many_kinds():
    kinds = {held["config"]["model_type"] for held in MODELS.values()}
    assert len(MODELS) == 40
    assert len(kinds) > 30
