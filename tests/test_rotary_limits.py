"""posenc.Rotary at the limits of its options: what it refuses, and what callers cannot disturb."""

from __future__ import annotations

import decimal

import ml_dtypes  # noqa: F401 (gives NumPy the name bfloat16)
import numpy as np
import pytest

from posenc import AxialCache, Rotary, RotaryCache
from posenc.rotary import NTK, Linear, LongRoPE, YaRN, axes
from posenc.rotary._turn import _chunks

HEADS = np.ones((2, 5, 3, 8))
TEXTS = {"original_max_position_embeddings": 4096}
HUGE, TINY = decimal.Decimal("1e400"), decimal.Decimal("1e-400")


def rotary(head_dim=8, **options):
    """A call of Rotary, which no test has made yet."""
    return lambda: Rotary(head_dim, **options)


def turned(positions, axis=None, x=HEADS):
    """A call that turns 2 texts of 5 tokens and 3 heads, or other features."""
    return lambda: Rotary(8).rotate(x, positions, axis=axis)


def pairs(*frequencies, head_dim=4, **options):
    """A call that makes pairs of one coordinate with these frequencies."""
    known = {"axes": [0] * len(frequencies), "frequencies": frequencies}
    return lambda: axes.AxialRotary(head_dim, **{**known, **options})


def points(**options):
    """A call that makes a cache of one point in two coordinates."""
    known = {"rotary": axes.dinov3(8), "made_by": "axes.dinov3(8)", "coordinates": ((0, 0.5),)}
    return lambda: AxialCache(**{**known, **options})


MSCALE = -1 / (30 * np.log(10))  # makes the numerator 1e-16, while the denominator is 1e310
NO_FACTOR = "scaling must give a finite attention factor greater than 0, got"
INFINITE = LongRoPE([1], [1], original_max_position_embeddings=1, factor=4)
ZERO = YaRN(1e300, mscale=MSCALE, mscale_all_dim=1.7e308, **TEXTS)
SECTIONS = axes.sections(Rotary(16), [4, 2, 2])
FAST = axes.pixels(8, max_freq=1e300)
WRONG = {
    "head_dim must be at most 1048576, got 1048578": rotary(2**20 + 2),
    "rotary_dim must be even and at most head_dim = 8, got 3": rotary(rotary_dim=3),
    "scaling must be None or a scaling of posenc.rotary, got 'yarn'": rotary(scaling="yarn"),
    "scaling must be .*from_config reads a dict": rotary(scaling={"rope_type": "yarn"}),
    "rotary_dim must be at least 4 with NTK scaling, got 2": rotary(2, scaling=NTK(2)),
    "base must be greater than 1 with YaRN, got 1": rotary(base=1, scaling=YaRN(2, **TEXTS)),
    "short_factor must have 4 numbers, got 1": rotary(scaling=LongRoPE([1], [1], **TEXTS)),
    f"{NO_FACTOR} inf": rotary(2, scaling=INFINITE),
    f"{NO_FACTOR} -?0.0$": rotary(scaling=ZERO),
    "base and scaling must keep frequencies within float64, got 1.000e[+]400": rotary(
        4, base=1e-300, scaling=Linear(1e-250)
    ),
    "base and scaling must keep frequencies within": rotary(4, base=1e300, scaling=Linear(1e300)),
    "frequencies must be finite, got nan": rotary(frequencies=[1.0, np.nan]),
    r"frequencies must have one axis and numbers, got .* \(1, 1\)": rotary(frequencies=[[1.0]]),
    "frequencies must have 2 numbers, got 1": rotary(frequencies=[1.0], rotary_dim=4),
    "frequencies must have at most head_dim / 2 = 4 numbers, got 6": rotary(frequencies=[1.0] * 6),
    "scaling must be None where frequencies are": rotary(frequencies=[1.0], scaling=Linear(2)),
    r".* of x, \(2, 5, 3\), got shape \(5,\) \(axis=1 turns along that axis\)": turned(range(5)),
    r"positions must broadcast to .* of x, \(2, 5, 3\), got shape \(4,\)": turned(range(4)),
    r"positions must end in 5 numbers, as axis 1 of x, .* \(3,\)": turned(range(3), 1),
    r"positions must .* have no axis after it, .* \(2, 5, 3\)": turned(np.ones((2, 5, 3)), 1),
    "axis must be at most 2, got 3": turned(range(8), 3),
    "axis must not be the axis of features, got -1": turned(range(8), -1),
    r"x must have head_dim = 8 features .* got shape \(4,\)": turned(0, x=[0] * 4),
    "x must hold real numbers, got dtype complex128": turned(0, x=1j * np.ones(8)),
    # Several coordinates
    "axes and frequencies must .* for each pair, got 1 and 2": pairs(1, 2, axes=[0]),
    "axes and frequencies must .* for each pair, got 0 and 0": pairs(),
    "axes must be at least 0, got -1": pairs(1, axes=[-1]),
    r"frequencies must .* within float64, got Decimal\('1E\+400'\)": pairs(HUGE),
    r"frequencies must .* within float64, got Decimal\('1E-400'\)": pairs(TINY),
    "dims must have a width for each coordinate, got none": lambda: axes.blocks([]),
    "dims must be a multiple of 2, got 3": lambda: axes.blocks([2, 3]),
    "pairs must be at least 0, got -1": lambda: axes.sections(Rotary(16), [9, -1]),
    "pairs must add up to 8, got": lambda: axes.sections(Rotary(16), [4, 2]),
    "base must keep frequencies .* 5e-324": lambda: axes.blocks([2, 1024], base=5e-324),
    "base must keep frequencies .* 6e-309": lambda: axes.dinov3(4096, base=6e-309),
    r"base must keep frequencies .* 1.7e\+308": lambda: axes.ltx(12, base=1.7e308),
    r"max_freq must keep frequencies .* 1.7e\+308": lambda: axes.pixels(8, max_freq=1.7e308),
    r"positions must keep position \* frequency within float64, got position 10+.0": lambda: (
        FAST.rotate(np.ones(8), [1e10, 1])
    ),
    r"positions must have 3 coordinates on axis -1 \(coordinates=0 names": lambda: SECTIONS.phasors(
        np.zeros((3, 1, 7))
    ),
    "coordinates must be at least -3, got -4": lambda: SECTIONS.phasors(
        np.zeros((3, 1, 7)), coordinates=-4
    ),
    r"positions must have 3 coordinates .* \(\)": lambda: axes.ltx(12).cosine_sine(1),
    # Caches
    "part must be ": lambda: RotaryCache(rotary=Rotary(8), part="tan"),
    "amplitude must be finite": lambda: RotaryCache(rotary=Rotary(8), amplitude=np.inf),
    "rotary must be of the type Rotary, got ": lambda: RotaryCache(rotary=None),
    "rotary must be of the type AxialRotary, got ": points(rotary=None),
    "made_by must be a string, got None": points(made_by=None),
    "coordinates must be finite, got nan": points(coordinates=[[0, np.nan]]),
    r"coordinates must have .* got shape \(1, 1\)": points(coordinates=[[0]]),
    r"coordinates must .* got shape \(0, 2\)": points(coordinates=np.empty((0, 2))),
}


@pytest.mark.parametrize("message", WRONG)
def test_an_error_names_the_argument_the_rule_and_the_value(message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        WRONG[message]()


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
@pytest.mark.parametrize(
    ("dtype", "most"),
    [("float16", 6e4), ("bfloat16", 3.2e38), ("float32", 3e38), ("float64", 1.7e308)],
)
def test_a_turn_that_exceeds_the_dtype_is_refused(layout, dtype, most):
    x = np.full((3, 8), most).astype(dtype)
    for encoding, positions in ((Rotary(8, layout=layout), 1), (axes.blocks([8]), [1])):
        with pytest.raises(ValueError, match=rf"^x must stay within {dtype} when it is turned, "):
            encoding.rotate(x, positions)
        turned = encoding.rotate(x / 2, positions)
        assert turned.dtype == x.dtype
        assert np.isfinite(turned).all()


def test_no_error_state_of_the_caller_reaches_a_table_or_a_turn():
    with np.errstate(all="raise"):
        Rotary(64).cosine_sine([1, 2], dtype=np.float16)
        turned = Rotary(2).rotate(np.full(2, 1e-310), 1e-3)
    assert (turned > 0).all()


@pytest.mark.parametrize("shape", [(3, 2**17, 8), (2**18, 1), (2**16, 5), (100, 3, 64)])
def test_as_many_rows_are_turned_at_once_as_have_one_mebibyte_of_numbers(shape):
    size = shape[-1] * int(np.prod(shape[:-2])) * 8  # bytes of a row of float64
    rows = [len(range(*part.indices(shape[-2]))) for part in _chunks(np.empty(shape))]
    assert sum(rows) == shape[-2]
    assert rows[0] * size <= 2**20
    assert len(rows) == 1 or (rows[0] + 1) * size > 2**20
