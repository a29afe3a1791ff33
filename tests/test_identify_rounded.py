"""Rounded frequencies, and the scalings of published models, are named wherever rows lie."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import identify
from tests.identification_tables import llama3, powers, rounded, text_and_images, yarn

PLACES = {
    "a rank's two ranges": np.r_[64:128, 384:448],
    "from a later row on": np.arange(1000, 1300),
    "two texts": np.r_[0:90, 0:70],
}


def cache(angles):
    return {"cos": np.cos(angles).astype("f4"), "sin": np.sin(angles).astype("f4")}


@pytest.mark.parametrize("form", ["bfloat16", "float16"])
@pytest.mark.parametrize("name", PLACES)
def test_a_cache_of_rounded_frequencies_is_named_wherever_its_rows_lie(name, form):
    speeds = rounded(powers(500_000.0, 64), form)
    match = identify(cache(np.outer(PLACES[name], speeds))).match
    assert str(match.findings[0]).startswith(f"frequencies rounded to {form}, base 500,000")
    assert match.rotary.base == 500_000
    start = match.convention.start + np.arange(len(PLACES[name]))
    assert np.array_equal(match.positions or start, PLACES[name])


@pytest.mark.parametrize(("form", "first"), [("bfloat16", 1000), ("float16", 5000)])
def test_positions_that_were_rounded_from_a_later_row_on_are_named(form, first):
    places = rounded(first + np.arange(400.0), form)
    match = identify(cache(np.outer(places, powers(500_000.0, 64)))).match
    assert str(match.findings[0]) == f"its positions, from {first} on, are rounded to {form}"
    assert np.array_equal(match.positions, places)


@pytest.mark.parametrize("form", ["bfloat16", "float16"])
def test_a_text_with_images_of_rounded_frequencies_gets_its_sections(form):
    points = text_and_images(np.random.default_rng(2), 1)
    axis = np.repeat([0, 1, 2], [16, 24, 24])
    match = identify(cache(points[:, axis] * rounded(powers(1e6, 64), form))).match
    assert str(match.findings[0]).startswith(f"frequencies rounded to {form}, base 1,000,000")
    assert "Rotary(128, base=1000000), [16, 24, 24]" in match.convention.made_by


SCALED = {
    "Llama 3.1": (llama3(powers(500_000.0, 64), 8.0, 8192.0), 1.0),
    "Qwen 2.5": (yarn(1e6, 64, 4.0, 32_768.0, truncate=True), 0.1 * np.log(4) + 1),
}
ORDERS = {"shuffled": np.random.default_rng(0).permutation(200), "thinned": np.arange(0, 2000, 10)}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", SCALED)
def test_rows_of_a_scaled_cache_are_placed_in_any_order(name, order):
    speeds, size = SCALED[name]
    table = {k: size * part for k, part in cache(np.outer(ORDERS[order], speeds)).items()}
    match = identify(table).match
    assert np.array_equal(match.positions, ORDERS[order])
    assert np.allclose(match.rotary.frequencies(), speeds, rtol=1e-9)
