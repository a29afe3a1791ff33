"""Rotary.from_config at the limits of the widths, and with a part of what a rule needs."""

from __future__ import annotations

import pytest

from posenc import Rotary

BASE = {"rope_theta": 10_000.0}


@pytest.mark.parametrize("name", ["head_dim", "qk_rope_head_dim"])
def test_a_head_may_be_as_narrow_as_one_pair_and_not_as_wide_as_one_likes(name):
    assert Rotary.from_config({**BASE, name: 2}) == Rotary(2)
    for width, rule in ((1, "at least 2"), (0, "at least"), (2**20 + 2, "at most 1048576")):
        with pytest.raises(ValueError, match=rf"^{name} must be {rule}.*, got {width}$"):
            Rotary.from_config({**BASE, name: width})


def test_the_widest_head_may_turn_one_pair():
    config = {**BASE, "head_dim": 2**20, "rotary_dim": 2}
    assert Rotary.from_config(config) == Rotary(2**20, rotary_dim=2)


@pytest.mark.parametrize("given", [{"hidden_size": 64}, {"num_attention_heads": 4}])
def test_a_width_without_the_number_of_heads_is_not_enough(given):
    with pytest.raises(ValueError, match=r"^config must have head_dim, or hidden_size and num_at"):
        Rotary.from_config({**BASE, **given})


def test_layers_with_bases_of_their_own_turn_whole_heads_unless_the_config_says_otherwise():
    config = {"head_dim": 8, "rope_theta": [1e6, 1e4], "layer_types": ["far", "near"]}
    assert Rotary.from_config(config) == {"far": Rotary(8, base=1e6), "near": Rotary(8)}
