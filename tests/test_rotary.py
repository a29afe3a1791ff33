"""posenc.Rotary and its scalings: right to the last bit against balls, and as stated."""

from __future__ import annotations

import doctest
import importlib
import math
import pkgutil
import re
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import posenc
import posenc.rotary
from posenc import Rotary
from posenc._formats import FORMATS, rounded
from posenc.rotary import (
    NTK,
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    Proportional,
    SteppedNTK,
    YaRN,
    axes,
)
from tests import rotary_oracle as oracle
from tests.balls import largest
from tests.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore:length must be given")  # far positions

ACCURACY = 5e-16  # as `cosine_sine` promises up to 2**24
FLOAT32 = 2.0**-21  # two roundings of numbers below 8
WIDTHS = st.integers(2, 64).map(lambda pairs: 2 * pairs)
BASES = st.sampled_from((10_000.0, 150_000.0, 500_000.0, 1e6)) | st.floats(2.0, 1e8)
POSITIONS = st.integers(-(2**24), 2**24) | st.floats(-(2**24), 2**24)
FACTORS = st.sampled_from((1.0, 2.0, 8.0, 32.0, 40.0)) | st.floats(1.0, 64.0)
LENGTHS = st.none() | st.integers(1, 2**20)
ORIGINALS = st.sampled_from((2048, 4096, 8192)) | st.integers(64, 2**17)
CLASSES = {
    "linear": Linear,
    "ntk": NTK,
    "dynamic": DynamicNTK,
    "llama3": Llama3,
    "yarn": YaRN,
    "longrope": LongRoPE,
    "proportional": Proportional,
}


@st.composite
def scalings(draw, width):
    """The options of any scaling that suits a `width`, as the oracle takes them."""
    kind = draw(st.sampled_from((None, *CLASSES)))
    if kind is None:
        return None
    options = {"type": kind, "factor": draw(FACTORS)}
    if kind == "dynamic":
        options["max_position_embeddings"] = draw(ORIGINALS)
    if kind in ("llama3", "yarn", "longrope"):
        options["original_max_position_embeddings"] = draw(ORIGINALS)
    if kind == "llama3":
        low = draw(st.floats(0.1, 4.0))
        options |= {"low_freq_factor": low, "high_freq_factor": low + draw(st.floats(0.1, 8.0))}
    if kind == "yarn":
        options["beta_fast"] = draw(st.floats(1.0, 64.0))
        options["beta_slow"] = draw(st.floats(0.1, 8.0))
        options["truncate"] = draw(st.booleans())
        options["mscale"] = draw(st.floats(0.0, 2.0))
        options["mscale_all_dim"] = draw(st.floats(0.0, 2.0))
    if kind == "longrope":
        divisors = st.lists(st.floats(0.5, 64.0), min_size=width // 2, max_size=width // 2)
        options |= {"short_factor": draw(divisors), "long_factor": draw(divisors)}
    if kind == "proportional":
        options["partial_rotary_factor"] = draw(st.floats(0.0, 1.0))
    return options


@st.composite
def encodings(draw, most=128):
    """A Rotary, and the oracle's options of its scaling."""
    width = draw(WIDTHS.filter(lambda width: width <= most))
    options = draw(scalings(width))
    return made(width, draw(BASES), options), options


def made(width, base, options):
    if options is None:
        return Rotary(width, base=base)
    named = {name: value for name, value in options.items() if name != "type"}
    return Rotary(width, base=base, scaling=CLASSES[options["type"]](**named))


@examples(300)
@given(encodings(), LENGTHS)
def test_every_frequency_is_the_float64_nearest_to_the_exact_one(encoding, length):
    rotary, options = encoding
    exact = oracle.frequencies(rotary.rotary_dim, rotary.base, options, length)
    assert rotary.frequencies(length).tolist() == [float(frequency) for frequency in exact]


@examples(300)
@given(encodings(), POSITIONS, LENGTHS)
def test_cosine_and_sine_are_exact_under_every_scaling(encoding, position, length):
    rotary, options = encoding
    exact = oracle.frequencies(rotary.rotary_dim, rotary.base, options, length)
    for got, expected in zip(
        rotary.cosine_sine(position, length), oracle.cosine_sine(position, exact), strict=True
    ):
        assert largest(abs(g - e) for g, e in zip(got, expected, strict=True)) <= ACCURACY


@examples(150)
@given(encodings(), st.integers(-(2**24), 2**24 - 300), st.integers(0, 299))
@example((Rotary(128), None), 2**24 - 300, 299)
def test_cosine_and_sine_of_consecutive_positions_are_exact(encoding, first, row):
    rotary, options = encoding
    exact = oracle.frequencies(rotary.rotary_dim, rotary.base, options)
    for got, expected in zip(
        rotary.cosine_sine(np.arange(first, first + 300)),
        oracle.cosine_sine(first + row, exact),
        strict=True,
    ):
        assert largest(abs(g - e) for g, e in zip(got[row], expected, strict=True)) <= ACCURACY
        assert np.abs(got).max() <= 1


@pytest.mark.parametrize("positions", [[5, 6, 8], [2.5, 3.5, 4.5], [7], [], [9, 8, 7], [-1, 0, 1]])
def test_any_positions_give_the_row_of_each_position(positions):
    cosine, sine = Rotary(32).cosine_sine(positions)
    one_by_one = [Rotary(32).cosine_sine(position) for position in positions]
    for table, column in ((cosine, 0), (sine, 1)):
        assert table.shape == (len(positions), 16)
        for row, pair in zip(table, one_by_one, strict=True):
            assert np.abs(row - pair[column]).max() <= ACCURACY


@examples(150)
@given(encodings(), LENGTHS)
def test_the_attention_factor_is_the_float64_nearest_to_the_exact_one(encoding, length):
    rotary, options = encoding
    assert rotary.attention_factor(length) == float(oracle.attention_factor(options))


@examples(100)
@given(st.data(), st.sampled_from(("halves", "interleaved")), POSITIONS)
def test_rotate_turns_every_pair_and_passes_the_rest_through(data, layout, position):
    width = data.draw(WIDTHS.filter(lambda width: width <= 16))
    options = data.draw(scalings(width))
    head_dim = width + data.draw(st.integers(0, 5))
    given_scaling = made(width, 10_000.0, options).scaling
    rotary = Rotary(head_dim, rotary_dim=width, layout=layout, scaling=given_scaling)
    x = data.draw(st.lists(st.floats(-4, 4), min_size=head_dim, max_size=head_dim))
    turned = oracle.rotate(x, position, oracle.frequencies(width, 10_000.0, options), layout)
    factor = float(oracle.attention_factor(options))
    expected = [float(value * (factor if i < width else 1)) for i, value in enumerate(turned)]
    assert np.abs(rotary.rotate(x, position) - expected).max() <= 16 * factor * ACCURACY


@examples(50)
@given(encodings(), st.floats(-1000, 1000), st.floats(-1000, 1000), st.floats(-1000, 1000))
def test_scores_depend_on_the_offset_only(encoding, first, second, shift):
    rotary, _ = encoding
    query, key = np.random.default_rng(0).standard_normal((2, rotary.head_dim))
    here = rotary.rotate(query, first) @ rotary.rotate(key, second)
    there = rotary.rotate(query, first + shift) @ rotary.rotate(key, second + shift)
    size = np.linalg.norm(query) * np.linalg.norm(key) * rotary.attention_factor() ** 2
    assert abs(here - there) <= 1e-12 * size  # the shifted positions are rounded


def test_phasors_are_cosine_and_sine_as_one_number():
    rotary = Rotary(16)
    cosine, sine = rotary.cosine_sine([[0, 1], [7.5, -3]])
    phasors = rotary.phasors([[0, 1], [7.5, -3]])
    assert phasors.shape == (2, 2, 8)
    assert np.array_equal(phasors.real, cosine)
    assert np.array_equal(phasors.imag, sine)


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16"])
def test_cosine_and_sine_in_a_narrower_dtype_are_rounded_once(dtype):
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    positions = np.arange(2**16).reshape(-1, 2)  # many: few values round otherwise in two steps
    for encoding, places in ((Rotary(16), positions), (axes.blocks([8, 8]), positions)):
        narrow, exact = encoding.cosine_sine(places, dtype=dtype), encoding.cosine_sine(places)
        for table, values in zip(narrow, exact, strict=True):
            assert table.dtype.name == dtype
            once = rounded(values, FORMATS[dtype])
            assert np.array_equal(table.astype(np.float64), once)


@given(st.floats(-1000, 1000))
def test_similarity_is_the_sum_of_cosines_and_even(offset):
    rotary = Rotary(64)
    assert rotary.similarity(offset) == pytest.approx(posenc.similarity(offset, 64), abs=1e-13)
    assert rotary.similarity(-offset) == rotary.similarity(offset)
    assert rotary.similarity([0, offset]).shape == (2,)
    assert rotary.similarity(0) == 32


def test_wavelengths_are_turns_and_infinite_where_nothing_turns():
    assert np.array_equal(Rotary(64).wavelengths(), posenc.wavelengths(64))
    still = Rotary(8, scaling=Proportional(0.5)).wavelengths()
    assert np.isinf(still).tolist() == [False, False, True, True]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16"])
def test_rotate_keeps_the_dtype_and_rounds_once_to_it(dtype):
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    x = np.random.default_rng(0).standard_normal((2, 5, 16)).astype(dtype)
    turned = Rotary(16).rotate(x, range(5))
    exact = Rotary(16).rotate(x.astype(np.float64), range(5))
    assert turned.dtype == np.dtype(dtype)
    spacing = 2.0 ** -{2: 8, 4: 23, 8: 52}[x.dtype.itemsize]  # of bfloat16, the coarser half
    assert np.abs(turned.astype(np.float64) - exact).max() <= 4 * spacing


def test_rotate_answers_in_the_byte_order_of_the_machine():
    x = np.random.default_rng(0).standard_normal((5, 16)).astype(">f4")
    turned = Rotary(16).rotate(x, range(5))
    assert turned.dtype == np.dtype("=f4")
    assert np.array_equal(turned, Rotary(16).rotate(x.astype("=f4"), range(5)))


def test_rotate_of_integers_is_float64_and_does_not_change_its_argument():
    x = np.arange(8)
    assert Rotary(8).rotate(x, 3).dtype == np.float64
    assert np.array_equal(x, np.arange(8))
    floats = np.ones((2, 8), np.float32)
    Rotary(8, rotary_dim=4).rotate(floats, [1, 2])
    assert (floats == 1).all()


def test_positions_broadcast_over_batch_and_heads():
    x = np.random.default_rng(0).standard_normal((2, 3, 5, 8))
    turned = Rotary(8).rotate(x, np.arange(5))
    assert np.array_equal(turned[1, 2, 4], Rotary(8).rotate(x[1, 2, 4], 4))
    per_batch = Rotary(8).rotate(x, np.arange(10).reshape(2, 1, 5))
    assert np.array_equal(per_batch[1, 2, 4], Rotary(8).rotate(x[1, 2, 4], 9))
    assert Rotary(8).rotate(x[0, 0, 0], [0, 1]).shape == (2, 8)
    assert Rotary(8).rotate(np.empty((0, 8)), np.empty(0)).shape == (0, 8)


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
def test_a_large_array_is_turned_as_its_rows_are_one_by_one(layout):
    x = np.random.default_rng(0).standard_normal((3, 5000, 16)).astype(np.float32)
    rotary = Rotary(16, rotary_dim=12, layout=layout)
    turned = rotary.rotate(x, np.arange(5000))
    for row in (0, 1, 1364, 1365, 1366, 4999):  # some at the edges of a chunk
        assert np.abs(turned[:, row] - rotary.rotate(x[:, row], row)).max() <= FLOAT32
    columns = np.asfortranarray(x)
    assert np.abs(rotary.rotate(columns, np.arange(5000)) - turned).max() <= FLOAT32
    swapped = rotary.rotate(x.astype(">f4"), np.arange(5000))
    assert np.abs(swapped - turned).max() <= FLOAT32
    one_for_all = rotary.rotate(x, [7])
    assert np.abs(one_for_all[2, 4999] - rotary.rotate(x[2, 4999], 7)).max() <= FLOAT32
    assert rotary.rotate(x[:, :1], np.arange(5000)).shape == x.shape


def test_the_length_matters_to_dynamic_ntk_and_longrope_only():
    dynamic = Rotary(8, scaling=DynamicNTK(2, 2048))
    assert np.array_equal(dynamic.frequencies(100), dynamic.frequencies())
    assert dynamic.frequencies(2049)[-1] < dynamic.frequencies()[-1]
    longrope = LongRoPE(
        [1, 1], [2, 2], original_max_position_embeddings=64, short_mscale=1.1, long_mscale=1.3
    )
    rotary = Rotary(4, scaling=longrope)
    assert np.array_equal(rotary.frequencies(65), rotary.frequencies(64) / 2)
    assert (rotary.attention_factor(), rotary.attention_factor(65)) == (1.1, 1.3)
    assert np.array_equal(rotary.cosine_sine(2, 65)[0], rotary.cosine_sine(1)[0])
    assert np.array_equal(rotary.phasors(2, 65), rotary.phasors(1))
    assert rotary.similarity(2, 65) == rotary.similarity(1)
    assert np.allclose(rotary.rotate(np.ones(4), 2, 65) / 1.3, rotary.rotate(np.ones(4), 1) / 1.1)
    assert np.array_equal(Rotary(8).frequencies(2**20), Rotary(8).frequencies())


def test_equal_encodings_are_equal_hash_alike_and_cannot_be_changed():
    assert LongRoPE([1], [2], original_max_position_embeddings=64) == LongRoPE(
        np.array([1.0]), (2,), original_max_position_embeddings=64
    )
    one, other = Rotary(8, scaling=Linear(2)), Rotary(8, scaling=Linear(2.0), rotary_dim=8)
    assert one == other
    assert len({one, other}) == 1
    for thing in (one, one.scaling):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, fields(thing)[0].name, 1)


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        ([True, 1], "short_factor must be a real number, got True"),
        ([[1, 2], [3, 4]], "short_factor must be a real number, got [1, 2]"),
        (np.ones((2, 2)), "short_factor must be a list of numbers, got array([[1., 1."),
        (4.0, "short_factor must be a list of numbers, got 4.0"),
    ],
)
def test_longrope_takes_lists_of_numbers_only(factors, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        LongRoPE(factors, [1, 1], original_max_position_embeddings=64)


def test_a_table_can_be_written_to_without_changing_the_next():
    rotary = Rotary(8)
    for table in (rotary.frequencies(), *rotary.cosine_sine([1]), rotary.phasors([1])):
        table[...] = 7
    assert rotary.frequencies()[0] == 1


@pytest.mark.parametrize("position", [2.0**53, 2.0**54, 1e17])
def test_equal_positions_beyond_all_integers_have_equal_rows(position):
    rotary = Rotary(2)
    both, _ = rotary.cosine_sine([position, position])
    assert both.tolist() == [rotary.cosine_sine(position)[0].tolist()] * 2


YARN = {"original_max_position_embeddings": 64}
WRONG = {
    "head_dim must be even without a rotary_dim, got 7": lambda: Rotary(7),
    "head_dim must be at least 2": lambda: Rotary(0),
    "rotary_dim must be even and at most head_dim = 8, got 3": lambda: Rotary(8, rotary_dim=3),
    "rotary_dim must be even and at most head_dim = 8, got 10": lambda: Rotary(8, rotary_dim=10),
    "rotary_dim must be at least 2, got 0": lambda: Rotary(8, rotary_dim=0),
    "base must be finite and greater than 0, got -1": lambda: Rotary(8, base=-1),
    "layout must be 'halves' or 'interleaved', got 'half'": lambda: Rotary(8, layout="half"),
    "scaling must be None or a scaling of posenc.rotary, got 'yarn'": lambda: Rotary(
        8, scaling="yarn"
    ),
    "scaling must be None or a scaling of posenc.rotary .from_config reads a dict": lambda: Rotary(
        8, scaling={"rope_type": "yarn"}
    ),
    "scaling must be None or a scaling of posenc.rotary, got <": lambda: Rotary(
        8, scaling=posenc.rotary.Scaling()
    ),
    "factor must be finite and greater than 0, got 0": lambda: Linear(0),
    "factor must be finite and greater than 0, got -2": lambda: DynamicNTK(-2, 64),
    "factor must be finite and greater than 0, got nan": lambda: NTK(float("nan")),
    "factor must be finite and greater than 0, got -3": lambda: NTK(-3),
    "max_position_embeddings must be finite and greater than 0, got 0": lambda: DynamicNTK(2, 0),
    "max_position_embeddings must be finite and greater than 0, got -1": lambda: SteppedNTK(-1),
    "high_freq_factor must be at least low_freq_factor = 4.0, got 1.0": lambda: Llama3(
        8, low_freq_factor=4, high_freq_factor=1
    ),
    "rotary_dim must be at least 4 with NTK scaling, got 2": lambda: Rotary(2, scaling=NTK(2)),
    "base must be greater than 1 with YaRN, got 1.0": lambda: Rotary(
        8, base=1, scaling=YaRN(2, **YARN)
    ),
    "mscale must be finite": lambda: YaRN(2, mscale=float("nan"), **YARN),
    "attention_factor must be finite": lambda: YaRN(2, attention_factor=0, **YARN),
    "short_factor must have 4 numbers, got 1": lambda: Rotary(
        8, scaling=LongRoPE([1], [1], **YARN)
    ),
    "long_factor must have 4 numbers, got 3": lambda: Rotary(
        8, scaling=LongRoPE([1] * 4, [1] * 3, **YARN)
    ),
    "scaling must give a finite attention factor greater than 0, got inf": lambda: Rotary(
        2, scaling=LongRoPE([1], [1], original_max_position_embeddings=1, factor=4)
    ),
    "scaling must give a finite attention factor greater than 0, got nan": lambda: Rotary(
        2, scaling=LongRoPE([1], [1], original_max_position_embeddings=0.5, factor=4)
    ),
    "short_factor must be finite and greater than 0, got 0": lambda: LongRoPE([0], [1], **YARN),
    "factor must be finite and greater than 0, got -1": lambda: LongRoPE(
        [1], [1], original_max_position_embeddings=64, factor=-1
    ),
    "original_max_position_embeddings must be finite and greater than 0, got 0": lambda: LongRoPE(
        [1], [1], original_max_position_embeddings=0
    ),
    "partial_rotary_factor must be between 0 and 1, got 1.5": lambda: Proportional(1.5),
    "base and scaling must keep frequencies within float64": lambda: Rotary(
        4, base=1e300, scaling=Linear(1e300)
    ),
    "length must be finite and greater than 0, got 0": lambda: Rotary(8).frequencies(0),
    r"x must have head_dim = 8 features on its last axis, got shape \(4,\)": lambda: Rotary(
        8
    ).rotate(np.ones(4), 0),
    r"x must have head_dim = 8 features on its last axis, got shape \(\)": lambda: Rotary(8).rotate(
        1.0, 0
    ),
    "x must hold real numbers, got dtype complex128": lambda: Rotary(8).rotate(1j * np.ones(8), 0),
    r"positions must broadcast to the leading axes of x, \(2, 3\), got shape \(4,\)": lambda: (
        Rotary(8).rotate(np.ones((2, 3, 8)), range(4))
    ),
    "dtype must be float16, bfloat16, float32 or float64, got 'int8'": lambda: Rotary(
        8
    ).cosine_sine(0, dtype="int8"),
    "offset must be finite, got inf": lambda: Rotary(8).similarity(np.inf),
    "positions must be finite, got nan": lambda: Rotary(8).cosine_sine([0, np.nan]),
}


@pytest.mark.parametrize("message", WRONG)
def test_an_error_names_the_argument_the_rule_and_the_value(message):
    with pytest.raises(ValueError, match=f"^{message}"):
        WRONG[message]()


def test_every_module_has_a_public_name_or_an_underscore_and_its_examples_run():
    modules = [
        importlib.import_module(f"posenc.rotary.{module.name}")
        for module in pkgutil.iter_modules(posenc.rotary.__path__)
    ]
    tried = sum(doctest.testmod(module).attempted for module in modules)
    assert tried > 40
    for name in posenc.rotary.__all__:
        assert getattr(posenc.rotary, name) is not None


@pytest.mark.parametrize(
    ("length", "factor"),
    [(None, 1), (1, 1), (2048, 1), (2049, 3), (4096, 3), (4097, 7), (8192, 7), (8193, 15)],
)
def test_the_factor_of_qwens_scaling_grows_in_steps(length, factor):
    stepped = Rotary(64, scaling=SteppedNTK(2048)).frequencies(length)
    assert np.array_equal(stepped, Rotary(64, scaling=NTK(factor)).frequencies())
    if length is not None:  # as the code published with Qwen 1 has it
        published = max(2 ** math.ceil(math.log(length / 2048, 2) + 1) - 1, 1)
        assert published == factor


def test_the_share_of_a_proportional_scaling_is_kept_as_a_float():
    share = Proportional(np.float32(0.25)).partial_rotary_factor
    assert type(share) is float
    assert share == 0.25


def test_the_old_name_of_a_scalings_decimals_still_works_and_warns():
    with pytest.warns(DeprecationWarning, match="exact_frequencies will go"):
        found = Linear(4).exact_frequencies(100.0, 4, None)
    assert [float(frequency) for frequency in found] == Rotary(
        4, base=100, scaling=Linear(4)
    ).frequencies().tolist()
