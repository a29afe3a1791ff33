"""The configs in scripts/figures/data/rotary_models.json agree with other data on these models."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from posenc import Rotary
from tests import rotary_reference as reference
from tests.test_rotary_config import CONFIGS

FILE = Path(__file__).parents[1] / "scripts" / "figures" / "data" / "rotary_models.json"
CONTENT = json.loads(FILE.read_text(encoding="utf-8"))
MODELS = CONTENT["models"]


def test_llama_rotates_as_in_the_tests_of_configs():
    assert Rotary.from_config(MODELS["Llama 3.1 8B"]) == CONFIGS["Llama 3.1 8B"][1]


@pytest.mark.parametrize(
    ("model", "array"),
    [
        ("Qwen 3", "hf/qwen3/1000000_d128"),
        ("DeepSeek-V3", "hf/deepseek_v3/yarn_mscale1_all1"),
        ("gpt-oss", "hf/gpt_oss/yarn_no_truncate_d64"),
    ],
)
def test_a_model_has_the_frequencies_that_transformers_computed(model, array):
    rotary = Rotary.from_config(MODELS[model])
    kept = {name: reference.ARRAYS[f"{array}/{name}"] for name in ("inv_freq", "attention_factor")}
    np.testing.assert_allclose(rotary.frequencies(), kept["inv_freq"], rtol=1e-6)
    np.testing.assert_allclose(rotary.attention_factor(), kept["attention_factor"], rtol=1e-12)


def test_phi_has_a_divisor_for_each_pair_which_grow_from_fast_to_slow():
    scaling = MODELS["Phi-3.5-mini"]["rope_scaling"]
    for name in ("short_factor", "long_factor"):
        assert len(scaling[name]) == 48
        assert (np.diff(scaling[name]) >= 0).all()


def test_every_model_names_its_source():
    assert list(CONTENT["sources"]) == list(MODELS)
