"""The configs in scripts/figures/data/rotary_models.json agree with other data on these models."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from posenc import Rotary
from posenc.rotary import Llama3
from tests import rotary_reference as reference

FILE = Path(__file__).parents[1] / "scripts" / "figures" / "data" / "rotary_models.json"
CONTENT = json.loads(FILE.read_text(encoding="utf-8"))
MODELS = CONTENT["models"]


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


def test_every_model_names_its_source_and_phi_slows_later_pairs_more():
    llama = Rotary(128, base=500_000, scaling=Llama3(8))
    assert Rotary.from_config(MODELS["Llama 3.1 8B"]) == llama
    assert list(CONTENT["sources"]) == list(MODELS)
    scaling = MODELS["Phi-3.5-mini"]["rope_scaling"]
    for name in ("short_factor", "long_factor"):
        assert len(scaling[name]) == 48
        assert (np.diff(scaling[name]) >= 0).all()
