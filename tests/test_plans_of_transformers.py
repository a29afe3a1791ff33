"""The plan of every default config is what the modules of transformers hold, or a refusal."""

from __future__ import annotations

import json

import numpy as np
import pytest

from posenc.plans import Plan
from posenc.plans._data import AXIAL_TYPES

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


def turned(config, count):
    """What the module of an encoder turns by one step along each of `count` coordinates."""
    import torch

    from tests.libraries.transformers_modules import _classes

    points = torch.eye(count, dtype=torch.long)
    for module in (made for made in _classes(config) if "VisionRotary" in made.__name__):
        try:
            cosine, sine = module(config)(torch.zeros(1, 3, 8), points)
        except (AttributeError, IndexError, TypeError, ValueError):
            continue  # it takes the size of a grid
        if cosine.shape[0] == count and not cosine.is_complex():
            return torch.atan2(sine, cosine).numpy()
    return None


def test_each_pair_of_an_encoder_turns_by_the_coordinate_that_the_plan_names():
    transformers = pytest.importorskip("transformers", minversion="5.24")
    pytest.importorskip("torch")
    compared = 0
    for kind in sorted(AXIAL_TYPES):
        config = transformers.CONFIG_MAPPING[kind]()
        given = json.loads(json.dumps(config.to_dict(), default=str))
        (group,) = Plan.from_dict({**given, "model_type": kind})
        angles = turned(config, len(group.axes))
        if angles is None or group.rule == "unknown":
            continue
        rotary = group.rotary
        count = len(rotary.axes)
        pairs = angles[:, ::2] if group.layout == "interleaved" else angles[:, :count]
        for number, name in enumerate(("time", "y", "x")[-len(group.axes) :]):
            mine = np.array(rotary.axes) == group.axes.index(name)
            expected = np.where(mine, rotary.frequencies(), 0)
            found = pairs[number][:count]
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-7, err_msg=kind)
        compared += 1
    assert compared > 15
