"""posenc.rotary.axes: rotary encodings of images and videos, exact and as stated."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import Rotary
from posenc.rotary import DynamicNTK, axes
from scripts.vectors import cases, encodings
from tests import balls
from tests import rotary_oracle as oracle
from tests.balls import ball
from tests.examples import examples

ACCURACY = 5e-16
RULES = {case.name: case.options for case in cases.axial() if case.name.endswith("/halves/0")}
UNSCALED = [name for name, options in RULES.items() if options["scaling"] is None]
COORDINATES = st.lists(
    st.integers(-(2**20), 2**20) | st.floats(-(2**20), 2**20), min_size=3, max_size=3
)


@pytest.mark.parametrize("name", UNSCALED)
@examples(20)
@given(COORDINATES, st.integers(0, 3))
def test_every_pair_turns_by_its_coordinate_times_its_frequency_and_the_rest_stays(name, p, rest):
    options = RULES[name]
    known = {key: options[key] for key in ("dims", "pairs", "max_freq") if key in options}
    width, base = options["rotary_dim"], options.get("base", 1)
    exact, encoding = oracle.axial(options["rule"], width, base, **known), encodings.rotary(options)
    assert encoding.axes == tuple(axis for axis, _ in exact)
    assert encoding.frequencies().tolist() == [float(frequency) for _, frequency in exact]
    encoding = dataclasses.replace(encoding, head_dim=width + rest)
    points, x = p[: max(encoding.axes) + 1], np.linspace(-1, 2, width + rest)
    cosine, sine = encoding.cosine_sine([points, points])
    turned, pairs = x.copy(), len(exact)
    for i, (axis, frequency) in enumerate(exact):
        phasor = balls.phasor(ball(p[axis]) * frequency)
        assert abs(complex(cosine[1, i], sine[1, i]) - complex(phasor)) <= 2 * ACCURACY
        pair = complex(x[i], x[i + pairs]) * complex(phasor)
        turned[[i, i + pairs]] = pair.real, pair.imag
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
    assert axes.blocks(np.array([2, 4])) == axes.blocks([2, 4])
    for given_dims in (np.array([[2, 4]]), np.array(2), "24", {2, 4}):
        with pytest.raises(TypeError, match=r"^dims must be a list of numbers, got "):
            axes.blocks(given_dims)


def test_one_pair_turns_by_the_first_frequency_and_one_point_or_none_is_a_list_too():
    assert axes.pixels(4, max_freq=224).frequencies().tolist() == [np.pi, np.pi]
    assert axes.ltx(6).frequencies().tolist() == [np.pi / 2] * 3
    encoding = axes.blocks([2, 4])
    assert encoding.phasors([[3, 5]]).tolist() == [encoding.phasors([3, 5]).tolist()]
    assert encoding.phasors(np.empty((2, 0, 2))).shape == (2, 0, 3)


@pytest.mark.parametrize("fast", [1e9 / 7, 1e12 / 7, 1e15 / 7])
def test_the_fastest_pair_may_stand_anywhere(fast):
    positions = np.linspace(4000, 5000, 50)
    exact = np.array([complex(balls.phasor(ball(p) * ball(fast))) for p in positions])
    for place in range(3):
        frequencies = [fast if i == place else 1.0 for i in range(3)]
        turned = axes.AxialRotary(6, axes=(0, 0, 0), frequencies=frequencies)
        found = turned.phasors(positions[:, np.newaxis])[:, place]
        np.testing.assert_allclose(found, exact, rtol=0, atol=3e-16)
