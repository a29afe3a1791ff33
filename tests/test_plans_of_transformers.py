"""Where transformers is installed: each type has a plan, and each encoder turns as its plan says.

tests/data/corpus has what its attention does with default configs, with and without transformers.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from posenc.plans import Plan
from posenc.plans._data import AXIAL_TYPES


def plan(kind, config):
    """The plan of a default config, or the sentence that refuses it."""
    given = json.loads(json.dumps(config.to_dict(), default=str))
    try:
        return Plan.from_dict({**given, "model_type": kind})
    except ValueError as error:
        return str(error)


def test_every_type_of_model_has_a_plan_or_a_sentence_that_says_why_not():
    transformers = pytest.importorskip("transformers", minversion="5.24")
    plans = {}
    for kind in transformers.CONFIG_MAPPING:
        try:
            plans[kind] = plan(kind, transformers.CONFIG_MAPPING[kind]())
        except Exception:  # two types have no valid defaults
            continue
    assert len(plans) > 800
    assert all(len(found) > 20 for found in plans.values() if isinstance(found, str))


def test_each_pair_of_an_encoder_turns_by_the_coordinate_that_the_plan_names():
    transformers = pytest.importorskip("transformers", minversion="5.24")
    library = pytest.importorskip("tests.libraries.transformers_modules")
    compared = 0
    for kind in sorted(AXIAL_TYPES):
        config = transformers.CONFIG_MAPPING[kind]()
        (group,) = plan(kind, config)
        angles = library.turned(config, len(group.axes))
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
