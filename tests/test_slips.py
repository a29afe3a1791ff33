"""Tests of `posenc.checking.slips`: right recipes are right, and slips are slips."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import CONVENTIONS, Rotary
from posenc.checking.recipes import Recipe, TableRecipe
from posenc.checking.slips import BY_KIND, ROTARY_SLIPS, TABLE_SLIPS
from posenc.rotary import NTK, DynamicNTK, Linear, Llama3, LongRoPE, Proportional, YaRN, axes

COUNT = 300
X = np.random.default_rng(3).standard_normal((COUNT, 128))
LISTS = np.linspace(1, 1.3, 16).tolist(), np.geomspace(1, 40, 16).tolist()
ENCODINGS = {
    "plain": Rotary(64),
    "interleaved": Rotary(32, base=500_000, layout="interleaved"),
    "partial": Rotary(64, rotary_dim=32, base=1_000_000),
    "linear": Rotary(64, scaling=Linear(8)),
    "ntk": Rotary(64, scaling=NTK(4)),
    "dynamic": Rotary(64, scaling=DynamicNTK(4, 2048)),
    "llama3": Rotary(128, base=500_000, scaling=Llama3(8)),
    "yarn": Rotary(64, base=150_000, scaling=YaRN(32, original_max_position_embeddings=4096)),
    "gpt-oss": Rotary(
        64, base=150_000, scaling=YaRN(32, original_max_position_embeddings=4096, truncate=False)
    ),
    "deepseek": Rotary(
        64,
        layout="interleaved",
        scaling=YaRN(40, original_max_position_embeddings=4096, mscale=1, mscale_all_dim=1),
    ),
    "longrope": Rotary(
        32, scaling=LongRoPE(*LISTS, original_max_position_embeddings=4096, factor=32)
    ),
    "proportional": Rotary(64, base=1_000_000, scaling=Proportional(0.25)),
    "m-rope": axes.sections(Rotary(64, base=1_000_000), [16, 8, 8]),
    "m-rope in turn": axes.sections(Rotary(64, base=5_000_000), [12, 10, 10], interleaved=True),
    "flux": axes.blocks([16, 24, 24], base=2000),
}
LENGTHS = {"dynamic": 8192.0, "longrope": 8192.0}


def points(encoding, count):
    """Positions in no order, with as many coordinates as the encoding has."""
    random = np.random.default_rng(7)
    if isinstance(encoding, Rotary):
        return random.permutation(count)
    coordinates = max(encoding.axes) + 1
    return np.stack([random.permutation(count) for _ in range(coordinates)], axis=-1)


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_right_recipe_turns_as_the_encoding_does_and_each_slip_has_its_own_words(name):
    encoding, length = ENCODINGS[name], LENGTHS.get(name)
    x, places = X[:, : encoding.head_dim], points(encoding, COUNT)
    right = Recipe.of(encoding, length=length)
    given = (length,) if isinstance(encoding, Rotary) else ()
    turned = encoding.rotate(x, places, *given)
    np.testing.assert_allclose(right.rotate(x, places), turned, atol=1e-14)
    words = [wrong.words for slip in ROTARY_SLIPS for wrong in slip.of(right)]
    assert len(words) == len(set(words))


def test_the_right_recipe_of_a_convention_makes_its_table():
    for name, convention in CONVENTIONS.items():
        made = TableRecipe.of(convention).table(20, 16)
        np.testing.assert_allclose(made, convention.table(20, 16), atol=1e-14, err_msg=name)


def test_each_slip_makes_an_encoding_turn_otherwise():
    without = {slip.kind: slip for slip in ROTARY_SLIPS}
    assert len(without) == len(ROTARY_SLIPS)
    for name, encoding in ENCODINGS.items():
        right = Recipe.of(encoding, length=LENGTHS.get(name), base=2000.0)
        x, places = X[:, : encoding.head_dim], points(encoding, COUNT)
        turned = right.rotate(x, places)
        for kind, slip in list(without.items()):
            made = (wrong.recipe.rotate(x, places) for wrong in slip.of(right))
            if any(np.abs(one - turned).max() > 1e-4 for one in made):
                del without[kind]
    assert not without


def test_each_slip_of_a_table_makes_another_table():
    right = TableRecipe.of(CONVENTIONS["tensor2tensor"])
    table = right.table(COUNT, 32)
    for slip in TABLE_SLIPS:
        wrongs = [wrong.recipe.table(COUNT, 32) for wrong in slip.of(right)]
        assert any(np.abs(made - table).max() > 1e-4 for made in wrongs), slip.kind


def test_a_slip_of_an_option_is_the_encoding_with_that_option():
    right = Recipe.of(Rotary(64, base=500_000))
    wrong = BY_KIND["base"].of(right)[0].recipe
    places = np.arange(50)
    expected = Rotary(64).rotate(X[:50, :64], places)
    np.testing.assert_allclose(wrong.rotate(X[:50, :64], places), expected, atol=1e-14)
    wrong = BY_KIND["layout"].of(right)[0].recipe
    expected = Rotary(64, base=500_000, layout="interleaved").rotate(X[:50, :64], places)
    np.testing.assert_allclose(wrong.rotate(X[:50, :64], places), expected, atol=1e-14)
