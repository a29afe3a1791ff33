"""`convert_config`: the keys of transformers 4 and 5 say the same, or the conversion is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest

from posenc.plans import Plan
from posenc.rotary import convert_config
from tests.test_corpus import EVERY

CASES = json.loads((Path(__file__).parent / "data" / "rotary" / "versions.json").read_text("utf-8"))


def tried(function, *given, **options):
    """What a function returns, or None if it refuses."""
    try:
        return function(*given, **options)
    except ValueError:
        return None


def test_a_published_file_means_the_same_in_each_version_and_after_the_way_back():
    read, refused = 0, [0, 0]  # by version 5, by version 4
    for name, held in EVERY.items():
        found, given = tried(Plan.from_dict, held["config"]), held["config"]
        if not found or found.format != "transformers":
            continue
        read, before = read + 1, deepcopy(given)
        new = tried(convert_config, given, version=5)
        old = tried(convert_config, given if new is None else new, version=4)
        assert given == before
        refused = [refused[0] + (new is None), refused[1] + (old is None)]
        for made, version, key in ((new, 5, "rope_scaling"), (old, 4, "rope_parameters")):
            if made is not None and any(group.turns for group in found):
                assert f'"{key}"' not in json.dumps(made), name
                assert convert_config(made, version=version) == made
            assert made is None or Plan.from_dict(made).groups == found.groups, name
    assert read >= 150
    assert max(refused) <= read // 25


@pytest.mark.parametrize(("old", "parameters"), CASES["keys"])
def test_each_key_goes_where_the_other_version_reads_it(old, parameters):
    made = convert_config(old, version=5)
    assert made["rope_parameters"] == parameters
    assert all(made[key] == value for key, value in old.items() if key in made)
    back = convert_config(made, version=4)
    assert {"rope_scaling": None, **old} == {"rope_scaling": None, **back}


@pytest.mark.parametrize(("message", "version", "config"), CASES["refused"])
def test_what_a_version_cannot_say_is_refused(message, version, config):
    with pytest.raises(ValueError, match=message):
        convert_config(config, version=version)


@pytest.mark.parametrize(("config", "kind"), CASES["old names"])
def test_old_names_of_rope_types_are_replaced(config, kind):
    assert convert_config(config, version=5)["rope_parameters"]["rope_type"] == kind
