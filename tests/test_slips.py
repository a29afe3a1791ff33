"""Tests of `posenc.checking.slips`: right recipes are right, and slips are slips."""

import numpy as np
import pytest

from posenc import CONVENTIONS, Rotary
from posenc.checking.recipes import Recipe, TableRecipe
from posenc.checking.slips import BY_KIND, ROTARY_SLIPS, TABLE_SLIPS
from tests.checked_encodings import ENCODINGS, LENGTHS, points

COUNT = 300
X = np.random.default_rng(3).standard_normal((COUNT, 128))


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_right_recipe_turns_as_the_encoding_does(name):
    encoding, length = ENCODINGS[name], LENGTHS.get(name)
    x, places = X[:, : encoding.head_dim], points(encoding, COUNT)
    right = Recipe.of(encoding, length=length)
    given = (length,) if isinstance(encoding, Rotary) else ()
    turned = encoding.rotate(x, places, *given)
    np.testing.assert_allclose(right.rotate(x, places), turned, atol=1e-14)


@pytest.mark.parametrize("name", sorted(CONVENTIONS))
def test_the_right_recipe_of_a_convention_makes_its_table(name):
    convention = CONVENTIONS[name]
    made = TableRecipe.of(convention).table(20, 16)
    np.testing.assert_allclose(made, convention.table(20, 16), atol=1e-14)


def test_each_slip_makes_an_encoding_turn_otherwise():
    without = {slip.kind for slip in ROTARY_SLIPS}
    for name, encoding in ENCODINGS.items():
        right = Recipe.of(encoding, length=LENGTHS.get(name), base=2000.0)
        x, places = X[:, : encoding.head_dim], points(encoding, COUNT)
        turned = right.rotate(x, places)
        for slip in ROTARY_SLIPS:
            for wrong in slip.of(right):
                if np.abs(wrong.recipe.rotate(x, places) - turned).max() > 1e-4:
                    without.discard(slip.kind)
    assert not without


def test_each_slip_of_a_table_makes_another_table():
    right = TableRecipe.of(CONVENTIONS["tensor2tensor"])
    table = right.table(COUNT, 32)
    for slip in TABLE_SLIPS:
        wrongs = [wrong.recipe.table(COUNT, 32) for wrong in slip.of(right)]
        assert any(np.abs(made - table).max() > 1e-4 for made in wrongs), slip.kind


def test_words_and_kinds_name_one_slip_each():
    for slips in (ROTARY_SLIPS, TABLE_SLIPS):
        assert len({slip.kind for slip in slips}) == len(slips)
    for name, encoding in ENCODINGS.items():
        right = Recipe.of(encoding, length=LENGTHS.get(name))
        words = [wrong.words for slip in ROTARY_SLIPS for wrong in slip.of(right)]
        assert len(words) == len(set(words)), name


def test_a_slip_of_an_option_is_the_encoding_with_that_option():
    right = Recipe.of(Rotary(64, base=500_000))
    wrong = BY_KIND["base"].of(right)[0].recipe
    places = np.arange(50)
    expected = Rotary(64).rotate(X[:50, :64], places)
    np.testing.assert_allclose(wrong.rotate(X[:50, :64], places), expected, atol=1e-14)
    wrong = BY_KIND["layout"].of(right)[0].recipe
    expected = Rotary(64, base=500_000, layout="interleaved").rotate(X[:50, :64], places)
    np.testing.assert_allclose(wrong.rotate(X[:50, :64], places), expected, atol=1e-14)
