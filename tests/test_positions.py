"""Positions of tokens are those of transformers, diffusers and Megatron-LM."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.rotary import axes, positions
from posenc.rotary.positions import Patches, mrope, mrope_deltas

DATA = Path(__file__).parent / "data" / "positions" / "answers.json"
ANSWERS = json.loads(DATA.read_text("utf-8"))
PAGE = (Path(__file__).parents[1] / "docs" / "mrope.md").read_text("utf-8")
ROWS = re.findall(r"^\| ([^:|]+): `.+ \| (?:`(.+)`|(none).+) \|$", PAGE, re.M)
TURNS = {model.replace("$", ""): turn or none for model, turn, none in ROWS}
PER_SECOND = 2  # tokens_per_second of Qwen2.5-VL
SINGLE = 2e-6  # cosines and sines in float32 of small angles
PARTS = st.integers(1, 5) | st.builds(
    lambda frames, rows, columns, step: Patches(frames, 2 * rows, 2 * columns, step=step),
    *(st.integers(1, 3) for _ in range(3)),
    st.sampled_from((1.0, 2.0, 3.0)),
)
TEXT = st.lists(PARTS, min_size=1, max_size=5)


def part(kind, *size):
    """A part as posenc has it: images take a step of 1, whatever time they are given."""
    if kind == 0:
        return size[0]
    frames, rows, columns, seconds = size
    step = PER_SECOND * seconds if kind == 2 else 1.0
    return Patches(frames, rows, columns, step=step)


@pytest.mark.parametrize("case", ANSWERS["transformers"], ids=lambda case: case["model"])
def test_positions_of_mixed_texts_and_deltas_are_those_of_transformers(case):
    timed = case["model"].startswith("Qwen2.5")
    after = "largest" if case["model"] == "Qwen2.5-Omni" else "sides"
    texts = [
        [part(*own) if timed or own[0] == 0 else Patches(*own[1:4]) for own in text]
        for text in case["texts"]
    ]
    assert mrope(texts, padding=case["padding"], after=after).tolist() == case["ids"]
    assert mrope_deltas(texts, after=after).tolist() == case["deltas"]


@pytest.mark.parametrize("case", ANSWERS["diffusers"], ids=lambda case: case["function"])
def test_positions_of_a_diffusion_model_are_those_of_diffusers(case):
    own = getattr(positions, case["function"])(*case["arguments"], **case["options"])
    if "ids" in case:
        assert own.tolist() == case["ids"]
        return
    ltx = case.get("rule") == "ltx"
    rotary = axes.ltx(12) if ltx else axes.blocks(case["dims"], base=case["base"])
    cosine, sine = rotary.cosine_sine(own)
    tolerance = 2e-3 if ltx else SINGLE  # of LTX the angles reach 15,708
    np.testing.assert_allclose(cosine, case["cosine"], atol=tolerance)
    np.testing.assert_allclose(sine, case["sine"], atol=tolerance)


@pytest.mark.parametrize("case", ANSWERS["axial"], ids=lambda case: case["model"])
def test_the_turns_on_the_page_are_those_of_the_models_classes(case):
    turn = TURNS[case["model"]]
    if "cosine" not in case:  # V-JEPA 2 has no pairs
        assert turn == "none"
        return
    name, arguments = re.match(r"(\w+)\((.+)\)$", turn).groups()
    rotary = eval(f"axes.{name}({arguments})", {"axes": axes})
    assert rotary.layout == ("halves" if case["model"] == "DINOv3" else "interleaved")
    cosine, sine = rotary.cosine_sine(case["positions"])
    np.testing.assert_allclose(cosine, case["cosine"], atol=4e-5)  # of float32 at position 511
    np.testing.assert_allclose(sine, case["sine"], atol=4e-5)


@given(st.lists(TEXT, min_size=1, max_size=3))
def test_packed_texts_have_the_positions_of_each_text(texts):
    row = mrope(texts, padding="none")
    assert row.shape[1] == 1
    each = [mrope([text])[:, 0] for text in texts]
    assert np.array_equal(row[:, 0], np.concatenate(each, axis=1))


@given(TEXT, st.integers(1, 4))
def test_a_delta_continues_a_text_as_more_words_would(text, more):
    ids = mrope([[*text, more]], after="largest")
    place = ids.shape[2] - more + np.arange(more)
    delta = mrope_deltas([text], after="largest")
    assert np.array_equal(ids[:, 0, -more:], np.tile(place + delta[0], (3, 1)))


@given(st.integers(1, 6), st.integers(1, 5), st.sampled_from(("zigzag", "blocks")))
def test_the_ranks_hold_each_token_once_and_zigzag_costs_each_rank_the_same(ranks, size, order):
    length, options = 2 * ranks * size, {"ranks": ranks, "order": order}
    each = [positions.context_parallel(length, rank=rank, **options) for rank in range(ranks)]
    assert sorted(np.concatenate(each).tolist()) == list(range(length))
    step = size if order == "zigzag" else 2 * size
    assert [int(own[0]) for own in each] == [rank * step for rank in range(ranks)]
    if order == "zigzag":  # a token attends to those up to itself
        assert len({int(own.sum()) for own in each}) == 1
