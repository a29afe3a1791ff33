"""The plan of every default config is what the modules of transformers hold, or a refusal."""

from __future__ import annotations

import json

import numpy as np
import pytest

from posenc.plans import Plan

PRODUCTS = {"openai_privacy_filter"}  # queries and keys are scaled apart, each by d ** -0.25
TURNS_OF_DINO = ("dinov3",)  # the rule holds 2 pi, which the module multiplies later


@pytest.fixture(scope="module")
def every():
    pytest.importorskip("transformers", minversion="5.24")
    pytest.importorskip("torch")
    from tests.libraries.transformers_modules import modules

    return dict(modules())


def plan(modules):
    """The plan of a default config, or the sentence that refuses it."""
    config = json.loads(json.dumps(modules.config, default=str))
    try:
        return Plan.from_dict(config)
    except ValueError as error:
        return str(error)


def own(group):
    """The frequencies of a group as the module keeps them: each once, in any order."""
    frequencies = group.rotary.frequencies()
    frequencies = frequencies / (2 * np.pi) if group.rule in TURNS_OF_DINO else frequencies
    return np.unique(frequencies.round(9))


def test_every_type_of_model_has_a_plan_or_a_sentence_that_says_why_not(every):
    plans = {name: plan(modules) for name, modules in every.items()}
    assert len(plans) > 800
    refused = {name: found for name, found in plans.items() if isinstance(found, str)}
    assert all(len(sentence) > 20 for sentence in refused.values())
    known = {name for name, modules in every.items() if modules.frequencies and not modules.parts}
    assert len(known & refused.keys()) <= 8, sorted(known & refused.keys())


def test_frequencies_of_default_configs_are_those_of_the_modules(every):
    compared = 0
    for name, modules in every.items():
        found = plan(modules)
        if isinstance(found, str) or modules.parts or not modules.frequencies:
            continue
        for group in (group for group in found if group.turns and group.rule != "unknown"):
            held = [np.unique(one.round(9)) for one in modules.frequencies]
            same = [len(one) == len(own(group)) for one in held]
            close = [
                np.allclose(one, own(group), rtol=2e-5, atol=2e-9)
                for one, fits in zip(held, same, strict=True)
                if fits
            ]
            assert any(close), (name, group.name)
            compared += 1
    assert compared > 170


def test_scores_of_default_configs_are_scaled_as_in_the_modules(every):
    compared = 0
    for name, modules in every.items():
        found = plan(modules)
        if isinstance(found, str) or modules.parts or not modules.scales or name in PRODUCTS:
            continue
        for group in (group for group in found if group.turns and group.score):
            if group.score.scale is not None:
                assert any(np.isclose(group.score.scale, one) for one in modules.scales), name
                compared += 1
    assert compared > 150
