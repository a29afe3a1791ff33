"""posenc.Rotary and its scalings: right to the last bit against balls, and as stated."""

from __future__ import annotations

from dataclasses import fields

import ml_dtypes  # noqa: F401 (gives NumPy the name bfloat16)
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import posenc
from posenc import Rotary
from posenc._formats import FORMATS, rounded
from posenc.rotary import Linear, LongRoPE, Proportional, YaRN, axes
from scripts.vectors.encodings import SCALINGS
from scripts.vectors.encodings import rotary as encodings_of
from tests import rotary_oracle as oracle
from tests.balls import largest, waves
from tests.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore:length must be given")  # far positions

ACCURACY = 5e-16  # as `cosine_sine` promises up to 2**24
WIDTHS = st.integers(2, 64).map(lambda pairs: 2 * pairs)
BASES = st.sampled_from((10_000.0, 150_000.0, 500_000.0, 1e6)) | st.floats(1.5, 1e8)
POSITIONS = st.integers(-(2**24), 2**24) | st.floats(-(2**24), 2**24)
FACTORS = st.sampled_from((0.5, 1.0, 2.0, 8.0, 32.0)) | st.floats(0.5, 64.0)
ORIGINALS = st.sampled_from((2048, 4096, 8192)) | st.integers(2, 2**17)
LENGTHS = st.none() | st.sampled_from((2048, 2049, 4096, 4097)) | st.integers(1, 2**20)
TEXTS = {"original_max_position_embeddings": 4096}
NUMBERS = {  # what an option of a scaling may be
    "factor": FACTORS,
    **dict.fromkeys(("max_position_embeddings", *TEXTS), ORIGINALS),
    **{"low_freq_factor": st.floats(0.1, 4.0), "high_freq_factor": st.floats(4.1, 12.0)},
    **{"beta_fast": st.floats(1.0, 64.0), "beta_slow": st.floats(0.1, 8.0)},
    **dict.fromkeys(("mscale", "mscale_all_dim"), st.floats(0.0, 2.0)),
    **{"truncate": st.booleans(), "attention_factor": st.none() | st.floats(0.5, 2.0)},
    **{"short_mscale": st.none() | st.just(1.5), "long_mscale": st.none() | st.just(2.5)},
    "partial_rotary_factor": st.floats(0.0, 1.0),
}


def scalings(width):
    """The options of any scaling that suits a `width`, as the oracle takes them."""
    divisors = st.lists(st.floats(0.5, 64.0), min_size=width // 2, max_size=width // 2)
    known = {**NUMBERS, "short_factor": divisors, "long_factor": divisors}
    kinds = [
        st.fixed_dictionaries(
            {"type": st.just(name), **{field.name: known[field.name] for field in fields(kind)}}
        )
        for name, kind in SCALINGS.items()
    ]
    return st.none() | st.one_of(kinds)


@st.composite
def encodings(draw):
    """A Rotary, and the oracle's options of its scaling."""
    width = draw(WIDTHS)
    return made(width, draw(BASES), draw(scalings(width)))


def made(width, base, options):
    sizes = {"head_dim": width, "rotary_dim": width, "base": base, "layout": "halves"}
    return encodings_of({**sizes, "scaling": options, "length": None}), options


def yarn(width, base, **options):
    return made(width, base, {"type": "yarn", "factor": 4.0, **TEXTS, **options})


TWO_LISTS = {"type": "longrope", "factor": 1.25, **TEXTS}
TWO_LISTS |= {"short_factor": [1.0], "long_factor": [2.0]}


@examples(300)
@given(encodings(), LENGTHS)
# The ramp ends at the last feature where the base is small, and may end where it begins.
@example(yarn(8, 10.0), None)
@example(yarn(16, 1.25, truncate=False), None)
@example(yarn(2, 2.0), None)
@example(yarn(8, 10_000.0, original_max_position_embeddings=1), None)
@example(yarn(8, 10_000.0, original_max_position_embeddings=5), None)
@example(made(4, 100.0, {"type": "stepped", "max_position_embeddings": 2048}), 8193)
@example(made(4, 100.0, {"type": "stepped", "max_position_embeddings": 2048}), 1000)
@example(made(4, 100.0, {"type": "stepped", "max_position_embeddings": 0.25}), None)
@example(made(8, 1e4, {"type": "dynamic", "factor": 2, "max_position_embeddings": 0.5}), 0.75)
@example(made(2, 1e4, TWO_LISTS), 4096)
@example(made(2, 1e4, TWO_LISTS), 4097)
def test_every_frequency_and_factor_is_the_float64_nearest_to_the_exact_one(encoding, length):
    rotary, options = encoding
    exact = oracle.frequencies(rotary.rotary_dim, rotary.base, options, length)
    assert rotary.frequencies(length).tolist() == [float(frequency) for frequency in exact]
    assert rotary.attention_factor(length) == float(oracle.attention_factor(options, length))


@st.composite
def places(draw):
    """Positions, a run of which turn by recurrence, and the row to look at."""
    if draw(st.booleans()):
        return [draw(POSITIONS)], 0
    first, count = draw(st.integers(-(2**24), 2**24 - 300)), draw(st.integers(1, 300))
    run = range(first, first + count)
    return draw(st.sampled_from((run, run[::-1], run[::2], np.array(run) + 0.5))), count // 3


@examples(400)
@given(encodings(), places(), LENGTHS)
@example((Rotary(128), None), (range(2**24 - 300, 2**24), 299), None)
@example((Rotary(64, base=5e5), None), ([2**53 - 1] * 2, 1), None)
@example((Rotary(64, base=5e5), None), ([1 - 2**53, 2**53], 0), None)
@example((Rotary(64, base=5e5), None), ([2.0**50 + 0.5, 2.0**54], 0), None)
@example((Rotary(2), None), ([1e17] * 2, 1), None)  # float64 skips integers here
def test_cosine_and_sine_of_any_positions_are_exact_under_every_scaling(encoding, where, length):
    (rotary, options), (positions, row) = encoding, where
    exact = oracle.frequencies(rotary.rotary_dim, rotary.base, options, length)
    tables = rotary.cosine_sine(positions, length)
    assert [table.shape for table in tables] == [(len(positions), len(exact))] * 2
    assert np.abs(tables).max() <= 1
    several = 1 + (len(positions) > 1)
    allowed = several * max(1.0, float(max(exact))) * ACCURACY  # some factors make pairs faster
    at = float(positions[row])
    for table, expected in zip(tables, zip(*waves(at, exact), strict=True), strict=True):
        assert largest(abs(m - e) for m, e in zip(table[row], expected, strict=True)) <= allowed


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16"])
def test_cosine_and_sine_in_a_narrower_dtype_are_rounded_once(dtype):
    positions = np.arange(2**16).reshape(-1, 2)  # many: few values round otherwise in two steps
    for encoding, places in ((Rotary(16), positions), (axes.blocks([8, 8]), positions)):
        narrow, exact = encoding.cosine_sine(places, dtype=dtype), encoding.cosine_sine(places)
        for table, values in zip(narrow, exact, strict=True):
            assert table.dtype.name == dtype
            assert table.flags.c_contiguous
            assert np.array_equal(table.astype(np.float64), rounded(values, FORMATS[dtype]))


@given(st.floats(-1000, 1000))
def test_similarity_is_the_sum_of_cosines_and_even(offset):
    rotary = Rotary(64)
    assert rotary.similarity(offset) == pytest.approx(posenc.similarity(offset, 64), abs=1e-13)
    assert rotary.similarity([-offset, 0]).tolist() == [rotary.similarity(offset), 32]


def test_wavelengths_are_turns_and_infinite_where_nothing_turns_or_float64_ends():
    for rotary, turns in (
        (Rotary(4, scaling=Proportional(0.5)), [2 * np.pi, np.inf]),
        (Rotary(4, base=1e20, scaling=Linear(1e300)), [pytest.approx(2e300 * np.pi), np.inf]),
        (Rotary(4, frequencies=[-0.5, -0.0]), [4 * np.pi, np.inf]),
    ):
        assert rotary.wavelengths().tolist() == turns


def turned(rotary, features, position):
    """The features of one head at a position, pair by pair, in float64."""
    found, width = np.array(features, np.float64), rotary.rotary_dim
    for i, phasor in enumerate(rotary.phasors(position, attention=True)):
        pair = [i, i + width // 2] if rotary.layout == "halves" else [2 * i, 2 * i + 1]
        product = complex(*found[pair]) * phasor
        found[pair] = product.real, product.imag
    return found


ROUNDING = {"float16": 2.0**-11, "bfloat16": 2.0**-8, ">f4": 2.0**-24}  # of the answer, at the end


@examples(200)
@given(st.data(), st.sampled_from((*ROUNDING, "float32", "float64", "int64")))
def test_rotate_turns_each_head_by_its_position_and_rounds_once_to_its_dtype(data, dtype):
    pairs, rest = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 3))
    layout = data.draw(st.sampled_from(("halves", "interleaved")))
    scaling = data.draw(st.sampled_from((None, YaRN(4, original_max_position_embeddings=64))))
    rotary = Rotary(2 * pairs + rest, rotary_dim=2 * pairs, layout=layout, scaling=scaling)
    shape = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    axis = data.draw(st.integers(0, len(shape) - 1))
    first = data.draw(st.integers(0, axis))  # positions may be the same in the axes before
    chance = np.random.default_rng(0)
    x = (9 * chance.standard_normal((*shape, rotary.head_dim))).astype(dtype)
    positions = chance.integers(0, 100, shape[first : axis + 1])
    before, found = x.tobytes(), rotary.rotate(x, positions, axis=axis - len(shape) - 1)
    assert x.tobytes() == before
    assert found.dtype == (np.float64 if dtype == "int64" else x.dtype.newbyteorder("="))
    places = positions.reshape(*positions.shape, *[1] * (len(shape) - 1 - axis))
    assert axis < len(shape) - 1 or np.array_equal(found, rotary.rotate(x, positions, axis=axis))
    for place in np.ndindex(*shape):
        expected = turned(rotary, x[place], np.broadcast_to(places, shape)[place])
        allowed = ROUNDING.get(dtype, 0) * np.abs(expected)
        allowed += 100 * (2.0**-53 if dtype.endswith("64") else 2.0**-24)
        assert (np.abs(found[place].astype(np.float64) - expected) <= allowed).all()


def test_one_array_may_have_several_positions_or_none():
    assert Rotary(8).rotate(np.ones(8), [0, 1]).shape == (2, 8)
    assert Rotary(8).rotate(np.empty((0, 8)), np.empty(0)).shape == (0, 8)


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
def test_a_large_array_is_turned_as_its_rows_are_one_by_one(layout):
    x = np.random.default_rng(0).standard_normal((3, 5000, 16)).astype(np.float32)
    rotary, places = Rotary(16, rotary_dim=12, layout=layout), np.arange(5000)
    rows = {row: rotary.rotate(x[:, row], row) for row in (0, 1, 1364, 1365, 1366, 4999)}
    for array in (x, np.asfortranarray(x), x.astype(">f4")):
        for row, expected in rows.items():  # some at the edges of a chunk
            assert np.abs(rotary.rotate(array, places)[:, row] - expected).max() <= 2.0**-21
    one_for_all = rotary.rotate(x, [7])
    assert np.abs(one_for_all[2, 4999] - rotary.rotate(x[2, 4999], 7)).max() <= 2.0**-21
    assert rotary.rotate(x[:, :1], places).shape == x.shape
    heads = np.random.default_rng(0).standard_normal((20_000, 2, 16))  # more than turn at once
    turned = rotary.rotate(heads, [5, 6])
    for head in (0, 8191, 8192, 16_384, 19_999):
        assert np.allclose(turned[head, 1], rotary.rotate(heads[head, 1], 6), atol=1e-15)


def test_the_length_reaches_every_method():
    longrope = LongRoPE([1, 1], [2, 2], original_max_position_embeddings=64, long_mscale=1.3)
    rotary, places = Rotary(4, scaling=longrope), np.array([[0, 2], [15, -6]])
    for method in (rotary.cosine_sine, rotary.phasors, rotary.similarity):
        assert np.array_equal(method(places, 65), method(places / 2))
    assert np.array_equal(rotary.wavelengths(65), rotary.wavelengths() * 2)
    assert np.allclose(rotary.rotate(np.ones(4), 2, 65) / 1.3, rotary.rotate(np.ones(4), 1))
    cosine, sine = rotary.cosine_sine(places)
    assert np.array_equal(rotary.phasors(places), cosine + 1j * sine)


def test_equal_encodings_hash_alike_and_share_no_table():
    lists = LongRoPE(np.array([1.0]), (2,), original_max_position_embeddings=64)
    assert LongRoPE([1], [2], original_max_position_embeddings=64) == lists
    one, other = Rotary(8, scaling=Linear(2)), Rotary(8, scaling=Linear(2.0), rotary_dim=8)
    assert one == other
    assert len({one, other}) == 1
    assert type(Proportional(np.float32(0.25)).partial_rotary_factor) is float
    for table in (one.frequencies(), *one.cosine_sine([1]), one.phasors([1])):
        table[...] = 7
    assert one.frequencies()[0] == 0.5
