"""posenc.rotary.axes: rotary encodings of images and videos, exact and as stated."""

from __future__ import annotations

import dataclasses
import decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import Rotary
from posenc.rotary import DynamicNTK, axes
from tests import balls
from tests import rotary_oracle as oracle
from tests.balls import ball
from tests.examples import examples

ACCURACY = 5e-16
TEXT, VIDEO = Rotary(128, base=1e6), Rotary(128, base=5e6)
RULES = {  # name of the oracle's rule: width, base, options, and the encoding
    "blocks": (56, 256, {"dims": [16, 16, 24]}, axes.blocks([16, 16, 24], base=256)),
    "sections": (128, 1e6, {"pairs": [16, 24, 24]}, axes.sections(TEXT, [16, 24, 24])),
    "interleaved": (
        128,
        5e6,
        {"pairs": [24, 20, 20]},
        axes.sections(VIDEO, [24, 20, 20], interleaved=True),
    ),
    "alternate": (48, 10_000, {}, axes.alternate(48)),
    "pixtral": (64, 10_000, {}, axes.pixtral(64)),
    "dinov3": (64, 100, {}, axes.dinov3(64)),
    "pixels": (32, 1, {"max_freq": 224}, axes.pixels(32, max_freq=224)),
    "ltx": (48, 10_000, {}, axes.ltx(48)),
}
COORDINATES = st.lists(
    st.integers(-(2**20), 2**20) | st.floats(-(2**20), 2**20), min_size=3, max_size=3
)


@pytest.mark.parametrize("rule", RULES)
@examples(20)
@given(COORDINATES, st.integers(0, 3))
def test_every_pair_turns_by_its_coordinate_times_its_frequency_and_the_rest_stays(rule, p, rest):
    width, base, options, encoding = RULES[rule]
    exact = oracle.axial(rule, width, base, **options)
    assert encoding.axes == tuple(axis for axis, _ in exact)
    assert encoding.frequencies().tolist() == [float(frequency) for _, frequency in exact]
    encoding = dataclasses.replace(encoding, head_dim=width + rest)
    points, x = p[: max(encoding.axes) + 1], np.linspace(-1, 2, width + rest)
    cosine, sine = encoding.cosine_sine([points, points])
    turned, pairs = x.copy(), len(exact)
    for i, (axis, frequency) in enumerate(exact):
        phasor = balls.phasor(ball(p[axis]) * frequency)
        assert abs(complex(cosine[1, i], sine[1, i]) - complex(phasor)) <= 2 * ACCURACY
        at = [i, i + pairs] if encoding.layout == "halves" else [2 * i, 2 * i + 1]
        pair = complex(*x[at]) * complex(phasor)
        turned[at] = pair.real, pair.imag
    assert np.abs(encoding.rotate(np.stack([x, x]), [points, points]) - turned).max() <= 1e-14
    single = encoding.rotate(x.astype(np.float32), points)
    assert single.dtype == np.float32
    assert np.abs(single - turned).max() <= 1e-6


@given(st.lists(st.integers(0, 30), min_size=2, max_size=3).filter(any))
def test_interleaved_sections_are_those_of_transformers_whatever_the_counts(pairs):
    wanted, count = np.zeros(sum(pairs), int), len(pairs)
    for axis in range(1, count):  # the slices of Qwen3-VL's apply_interleaved_mrope
        wanted[axis : count * pairs[axis] : count] = axis
    video = axes.sections(Rotary(2 * sum(pairs)), pairs, interleaved=True)
    assert video.axes == tuple(wanted)


def test_a_length_reaches_the_frequencies_of_sections_and_a_coordinate_may_have_no_pair():
    text = Rotary(16, scaling=DynamicNTK(2, 64))
    long = axes.sections(text, [0, 2, 6], length=128)
    assert np.array_equal(long.frequencies(), text.frequencies(128))
    assert long.axes == (1, 1, 2, 2, 2, 2, 2, 2)


def test_encodings_made_by_hand_are_equal_and_shown_without_the_digits_of_frequencies():
    one, same = (
        axes.AxialRotary(6, axes=kind([1, 0]), frequencies=kind([np.pi / 2, 1.0]))
        for kind in (list, tuple)
    )
    assert hash(one) == hash(same)
    assert repr(one) == "AxialRotary(head_dim=6, axes=(1, 0), layout='halves', attention=1.0)"


def test_a_single_pair_of_each_coordinate_turns_by_the_first_frequency():
    assert axes.pixels(4, max_freq=224).frequencies().tolist() == [np.pi, np.pi]
    assert axes.ltx(6).frequencies().tolist() == [np.pi / 2] * 3


def test_one_point_or_none_is_a_list_of_points_too():
    encoding = axes.blocks([2, 4])
    one = encoding.phasors([[3, 5]])
    assert one.tolist() == [encoding.phasors([3, 5]).tolist()]
    assert encoding.phasors(np.empty((2, 0, 2))).shape == (2, 0, 3)


def test_numbers_in_an_array_of_one_axis_are_a_list():
    assert axes.blocks(np.array([2, 4])) == axes.blocks([2, 4])
    for given_dims in (np.array([[2, 4]]), np.array(2), "24", {2, 4}):
        with pytest.raises(TypeError, match=r"^dims must be a list of numbers, got "):
            axes.blocks(given_dims)


def pairs(*frequencies, head_dim=4, **options):
    """A call that makes pairs of one coordinate with these frequencies."""
    known = {"axes": [0] * len(frequencies), "frequencies": frequencies}
    return lambda: axes.AxialRotary(head_dim, **{**known, **options})


HUGE, TINY = decimal.Decimal("1e400"), decimal.Decimal("1e-400")
WRONG = {
    "axes and frequencies must .* for each pair, got 1 and 2": pairs(1, 2, axes=[0]),
    "axes and frequencies must .* for each pair, got 0 and 0": pairs(),
    "axes must be at least 0, got -1": pairs(1, axes=[-1]),
    r"frequencies must .* within float64, got Decimal\('1E\+400'\)": pairs(HUGE),
    r"frequencies must .* within float64, got Decimal\('1E-400'\)": pairs(TINY),
    "dims must have a width for each coordinate, got none": lambda: axes.blocks([]),
    "dims must be at least 2, got 1": lambda: axes.blocks([2, 1]),
    "dims must be a multiple of 2, got 3": lambda: axes.blocks([2, 3]),
    "pairs must be at least 0, got -1": lambda: axes.sections(Rotary(16), [9, -1]),
    "pairs must add up to 8, got": lambda: axes.sections(Rotary(16), [4, 2]),
    "base must keep frequencies .* 5e-324": lambda: axes.blocks([2, 1024], base=5e-324),
    "base must keep frequencies .* 6e-309": lambda: axes.dinov3(4096, base=6e-309),
    r"base must keep frequencies .* 1.7e\+308": lambda: axes.ltx(12, base=1.7e308),
    r"max_freq must keep frequencies .* 1.7e\+308": lambda: axes.pixels(8, max_freq=1.7e308),
    r"positions must keep position \* frequency within float64, got position 10+.0": lambda: (
        axes.pixels(8, max_freq=1e300).rotate(np.ones(8), [1e10, 1])
    ),
    r"positions must have 2 coordinates .* \(1,\)": lambda: axes.pixtral(8).cosine_sine([1]),
    r"positions must have 3 coordinates .* \(\)": lambda: axes.ltx(12).cosine_sine(1),
    r"positions must have 2 coordinates on axis -1, got shape \(5, 1": lambda: axes.blocks(
        [2, 4]
    ).phasors(np.ones((5, 1))),
}


@pytest.mark.parametrize("message", WRONG)
def test_an_error_names_the_argument_the_rule_and_the_value(message):
    with pytest.raises(ValueError, match=f"^{message}"):
        WRONG[message]()


@pytest.mark.parametrize("fast", [1e9 / 7, 1e12 / 7, 1e15 / 7])
def test_the_fastest_pair_may_stand_anywhere(fast):
    positions = np.linspace(4000, 5000, 50)
    exact = np.array([complex(balls.phasor(ball(p) * ball(fast))) for p in positions])
    for place in range(3):
        frequencies = [fast if i == place else 1.0 for i in range(3)]
        turned = axes.AxialRotary(6, axes=(0, 0, 0), frequencies=frequencies)
        found = turned.phasors(positions[:, np.newaxis])[:, place]
        np.testing.assert_allclose(found, exact, rtol=0, atol=3e-16)
