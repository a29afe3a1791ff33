"""A plan says of each published file what its library does with positions, or refuses it."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

import posenc
from posenc.plans import Plan
from posenc.plans._data import LAYER_RULES, MROPE
from posenc.rotary import LongRoPE

DATA = Path(__file__).parent / "data"
CONFIGS = json.loads((DATA / "corpus" / "configs.json").read_text("utf-8"))
OLDER = json.loads((DATA / "rotary" / "published.json").read_text("utf-8"))
ANSWERS = json.loads((DATA / "corpus" / "answers.json").read_text("utf-8"))
VARIANTS = json.loads((DATA / "corpus" / "variants.json").read_text("utf-8"))
SOUNDS = json.loads((DATA / "corpus" / "sounds.json").read_text("utf-8"))["types"]
TOWERS = json.loads((DATA / "corpus" / "encoders.json").read_text("utf-8"))["types"]
DEFAULTS = json.loads((DATA / "corpus" / "defaults.json").read_text("utf-8"))
EVERY = {**CONFIGS, **{f"published {name}": held for name, held in OLDER.items()}}
ENCODERS = ("vision", "audio", "encoder")  # the answers are of the text
SINGLE = 1e-4  # the library computes in float32, its scalings in several steps


def plan(config):
    """The groups of the text, none if the config is refused."""
    try:
        found = Plan.from_dict(config)
    except ValueError:
        return None
    return [group for group in found if not group.name.startswith(ENCODERS)]


def unknown(group):
    """Whether the plan says that it does not know how this group turns."""
    return group.turns and (group.layout is None or group.rule == "unknown")


def multiplied(query, position):
    """What the words of a plan multiply a query by, computed; 1 without words, or a weight."""
    query = None if "learned" in (query or "") else query
    _, _, formula = (query or " times 1").partition(" times ")
    formula = re.sub(r"(?<=\d) ln", " * log", formula.replace(",", "")).replace("ln", "log")
    formula = formula.replace("^", "**")
    return eval(formula, {"log": math.log, "floor": math.floor, "p": position})


def differences(group, answer):
    """What a group of the plan says otherwise than the library does."""
    turn = answer["turn"]
    if turn is None or not group.turns:
        warm = answer.get("temperature", {"position": 0, "factor": 1})
        if (turn is None) != (not group.turns):
            return ["turns"]
        own = multiplied(group.query, warm["position"])
        known = group.encoding == "none" and "learned" not in (group.query or "")
        return [] if not known or np.isclose(own, warm["factor"], rtol=SINGLE) else ["temperature"]
    rotary = group.rotary
    frequencies = rotary.frequencies()
    pairs = {
        "layout": (group.layout, turn["layout"]),
        "features": (2 * len(frequencies), turn["span"]),
        "axes": (list(getattr(rotary, "axes", [])), turn.get("axes", [])),
    }
    numbers = {
        "frequencies": (frequencies[frequencies > 0], turn["frequencies"]),
        "factor": (group.attention_factor(), turn["factor"]),
    }
    if group.score and group.score.scale and answer.get("scale"):
        numbers["scale"] = group.score.scale, answer["scale"]
    if "window" in answer and "side" not in (group.note or ""):
        pairs["window"] = group.window, answer["window"]
    if "long" in answer:
        length = answer["long"]["position"] + 1
        numbers["long"] = rotary.frequencies(length), answer["long"]["frequencies"]
        numbers["long factor"] = group.attention_factor(length), answer["long"]["factor"]
    if "temperature" in answer and "learned" not in (group.query or ""):
        position, factor = answer["temperature"].values()
        numbers["temperature"] = multiplied(group.query, position), factor
    wrong = [name for name, (own, other) in pairs.items() if own != other]
    for name, (own, other) in numbers.items():
        if np.shape(own) != np.shape(other) or not np.allclose(own, other, rtol=SINGLE, atol=0):
            wrong.append(name)
    return wrong


def wrong(groups, answers):
    """Layers of which the plan says something else than the library, with what it says."""
    found = []
    for answer in answers if groups else ():
        for layer in answer["layers"] or [None]:
            known = [group for group in groups if group.layers is not None and layer is not None]
            own = [group for group in groups if group not in known or layer in group.layers]
            told = [differences(group, answer) for group in own if not unknown(group)]
            if [] not in told and not any(map(unknown, own)):
                found.append((layer, told))
    return found


@pytest.mark.parametrize("name", ANSWERS)
def test_a_plan_says_of_each_layer_what_the_library_does_with_it(name):
    groups = plan(EVERY[name]["config"])
    if ANSWERS[name].get("refused"):
        assert groups is None or any(map(unknown, groups))
    assert not wrong(groups, ANSWERS[name]["groups"])
    layers = {layer for answer in ANSWERS[name]["groups"] for layer in answer["layers"]}
    for group in groups or () if layers else ():
        assert not group.turns or set(group.layers or ()) <= layers, "these have no attention"


@pytest.mark.parametrize("name", VARIANTS)
def test_a_plan_says_of_an_odd_file_what_transformers_does_with_it(name):
    found = Plan.from_dict(VARIANTS[name]["config"])
    assert found.groups
    fails = any(odd.code == "fails" for odd in found.odd)
    assert fails == ("fails" in VARIANTS[name])
    assert not wrong(found.groups, VARIANTS[name].get("groups", ()))


def test_the_python_line_of_a_plan_makes_the_encoding_of_each_group():
    made = set()
    for config in (
        *(held["config"] for held in EVERY.values()),
        *({"model_type": m} for m in MROPE),
    ):
        try:
            found = Plan.from_dict(config)
        except ValueError:
            continue
        lines = [line for line in str(found).splitlines() if line.startswith("  Python  ")]
        turning = [group for group in found if group.turns]
        for line, group in zip(lines, turning, strict=True):
            code = line.removeprefix("  Python  ")
            if code.startswith("none") or isinstance(group.scaling, LongRoPE):  # its lists are long
                continue
            one, own = eval(code, {**vars(posenc.rotary), "Rotary": posenc.Rotary}), group.rotary
            assert (type(one), one.head_dim, one.layout) == (type(own), own.head_dim, own.layout)
            assert getattr(one, "axes", None) == getattr(own, "axes", None)
            assert one.frequencies() == pytest.approx(own.frequencies(), rel=1e-15), code
            made.add(code.partition("(")[0])
    assert made >= {"Rotary", "axes.AxialRotary", "axes.alternate", "axes.blocks", "axes.sections"}


@pytest.mark.parametrize("kind", SOUNDS)
def test_an_encoder_of_sounds_has_the_encoding_that_its_modules_keep(kind):
    (group,) = Plan.from_dict({"model_type": kind})
    names = {"fixed": "sinusoidal", "trained": "learned", "distances": "biases"}
    named = {names.get(part, part) for part in SOUNDS[kind]}
    own = set(group.encoding.replace("relative", "biases").split(" and "))
    assert own == named


@pytest.mark.parametrize("kind", TOWERS)
def test_an_encoder_of_images_turns_each_pair_by_the_coordinate_that_its_module_takes(kind):
    (group,) = Plan.from_dict({"model_type": kind})
    names = ("time", "y", "x")[-len(group.axes) :]
    own = [names.index(group.axes[axis]) for axis in group.rotary.axes]
    assert own == TOWERS[kind]["axes"]
    np.testing.assert_allclose(group.rotary.frequencies(), TOWERS[kind]["frequencies"], SINGLE)


@pytest.mark.parametrize("kind", DEFAULTS["types"])
def test_the_scores_of_a_default_config_are_multiplied_as_transformers_does(kind):
    held = DEFAULTS["types"][kind]
    for answer in held["groups"]:
        if answer["turn"]:
            listed = DEFAULTS["frequencies"][answer["turn"]["frequencies"]]
            answer = {**answer, "turn": {**answer["turn"], "frequencies": listed}}
        assert not wrong(plan(held["config"]), [answer])


@pytest.mark.parametrize("kind", sorted(DEFAULTS["types"].keys() & LAYER_RULES.keys()))
def test_layers_that_a_file_leaves_to_its_type_are_those_of_transformers(kind):
    config = DEFAULTS["types"][kind]["config"]
    left_out = ("layer_types", "layers_block_type", "sliding_window")
    bare = {key: value for key, value in config.items() if key not in left_out}
    expected, found = (
        [(group.name, group.layers, group.window, group.note) for group in plan(one)]
        for one in (config, bare)
    )
    if {group[0] for group in expected} == {"full_attention"}:
        assert [group[0] for group in found] == ["all layers"]
    else:
        assert found == expected


def test_few_of_many_files_are_refused_or_not_wholly_known():
    known = {name for name, answer in ANSWERS.items() if "refused" not in answer}
    plans = [plan(EVERY[name]["config"]) for name in known]
    assert sum(groups is None for groups in plans) <= 3
    assert sum(any(map(unknown, groups or ())) for groups in plans) <= 6
    assert CONFIGS.keys() <= ANSWERS.keys() <= EVERY.keys()
    assert len(known) >= 150
