"""Tables to identify, by name, for the tests of `identify` and of its page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from posenc import CONVENTIONS, Convention, positional_encoding
from tests.reference import ARRAYS, ONE_DIMENSIONAL

NOT_ROW_BY_ROW = {  # their rows are not consecutive positions
    "diffusers_timestep_sd_t999_981_1__d320": "time steps 999, 981 and 1",
    "keras_ddim__N16_d8": "diffusion times from 0 to 1",
    "nerf_L6_1d__N16_d12": "coordinates from -1 to 1",
    "speechbrain_relposxl__L16_d8": "positions that fall to 0 and rise again",
}
BACKWARDS = {"hf_wav2vec2_conformer_rel__L16_d8", "espnet_relpos__L16_d8"}
FORWARDS = sorted(set(ONE_DIMENSIONAL) - set(NOT_ROW_BY_ROW) - BACKWARDS)

KIND = st.builds(
    Convention,
    arrangement=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    freq_shift=st.sampled_from([0, 1]),
    base=st.floats(2, 1e6).map(lambda base: float(f"{base:.2g}")) | st.floats(2, 1e6),
    angle_scale=st.sampled_from([1.0, -1.0, 2.0, 0.25, 0.37]),
    start=st.integers(-100, 100) | st.floats(-100, 100),
    odd=st.sampled_from(["truncate", "pad", "ceil"]),
    amplitude=st.sampled_from([1.0, 0.02, 8**-0.5, 22.6]),
)
WIDTH = st.integers(2, 33).filter(lambda d: d != 3)  # at width 3 the base has no effect
ROUND = st.builds(
    Convention,
    arrangement=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    freq_shift=st.sampled_from([0, 1]),
    base=st.sampled_from([300.0, 5000.0, 10_000.0, 500_000.0]),
    angle_scale=st.sampled_from([1.0, 2.0, 0.5]),
    start=st.integers(0, 50),
)
ROUND_WIDTH = st.sampled_from([16, 64, 130])

D, ROWS = 16, np.arange(20.0)[:, np.newaxis]
STEP = np.arange(0, D, 2)  # "i" in the many programs that step by two


def paired(sines: np.ndarray, cosines: np.ndarray) -> np.ndarray:
    return np.stack([sines, cosines], axis=-1).reshape(20, D)


def turned(exponents: np.ndarray, base: float = 10_000.0) -> np.ndarray:
    angles = ROWS / base ** np.asarray(exponents)
    return paired(np.sin(angles), np.cos(angles))


PAPER = positional_encoding(21, D)
MISTAKES = {
    "the exponent is doubled": turned(2 * STEP / D),
    "each cosine's exponent differs from its sine's": paired(
        np.sin(ROWS / 10_000 ** (STEP / D)), np.cos(ROWS / 10_000 ** ((STEP + 1) / D))
    ),
    "each cosine's exponent differs from its sine's, and exponents are doubled": paired(
        np.sin(ROWS / 10_000 ** (2 * STEP / D)), np.cos(ROWS / 10_000 ** (2 * (STEP + 1) / D))
    ),
    "integer division makes every exponent 0": turned(STEP // D),
    "integer division makes every exponent 0 or 1": turned(2 * STEP // D),
    "integer division makes the exponent's factor -1": turned(
        STEP, base=np.exp(-(-np.log(10_000.0) / D // 2))
    ),
    "the base is 1000": turned(STEP / D, base=1000),
    "positions run along the columns: transpose the table": positional_encoding(D, 20).T,
    "positions are counted from 1": PAPER[1:],
    "the cosines are missing, their columns hold zeros": PAPER * (np.arange(D) % 2 == 0),
    "the cosines are missing, their columns hold sines": np.repeat(PAPER[:, ::2], 2, axis=1),
}
TWO_MISTAKES = Convention(order="cos_first", base=1000, start=1).table(20, D)
PRECISE = ("tensor2tensor", "trax", "guided_diffusion")
LOOK_LIKE_MISTAKES = ("torchtune_rope_cache", "opennmt_tf", "guided_diffusion")
BETWEEN = Convention(base=10_050).table(4, 64)  # near the paper's, at a tolerance of 0.05
_random = np.random.default_rng(0)
NOISE = (_random.standard_normal((50, 16)), 1e-6 * _random.standard_normal((3, 2)))
NOISY = positional_encoding(50, 16) + 0.01 * _random.standard_normal((50, 16))


def padded() -> np.ndarray:
    """A table with rows of zeros."""
    table = CONVENTIONS["transformers_m2m100_forward_pad1"].table(12, 16)
    table[[0, 5, 6, 11]] = 0
    return table


@dataclass(frozen=True)
class Case:
    """A table, and the tolerance of its answer."""

    table: np.ndarray
    tolerance: float = 1e-3


CASES = {
    **{array: Case(ARRAYS[array]) for array in ONE_DIMENSIONAL},
    **{
        f"{name}, {dtype}": Case(table.astype(dtype))
        for name, table in MISTAKES.items()
        for dtype in ("f8", "f4")
    },
    "two mistakes": Case(TWO_MISTAKES),
    **{
        f"{name} in {dtype}": Case(CONVENTIONS[name].table(300, 64).astype(dtype))
        for name in PRECISE
        for dtype in ("f2", "f4", "f8")
    },
    **{f"{name}, 20 rows": Case(CONVENTIONS[name].table(20, D)) for name in LOOK_LIKE_MISTAKES},
    "rows of zeros": Case(padded()),
    "zeros": Case(np.zeros((4, 6))),
    "half a turn a row": Case(np.array([[0.0, 1.0], [0.0, -1.0]] * 5)),
    "between two": Case(BETWEEN, 0.05),
    "noise": Case(NOISE[0]),
    "small noise": Case(NOISE[1]),
    "noisy": Case(NOISY),
    "noisy, with a tolerance for it": Case(NOISY, 0.1),
}
REFUSED = {  # name of the fault: input, error, how the message begins
    "three axes": ([[[1.0]]], ValueError, r"table must have two axes, .* got shape \(1, 1, 1\)"),
    "one axis": ([1.0, 2.0], ValueError, r"table must have two axes, .* got shape \(2,\)"),
    "no rows": (np.ones((0, 4)), ValueError, r"table must .* at least one row .* shape \(0, 4\)"),
    "one column": (np.ones((4, 1)), ValueError, r"table must .* two columns, got shape \(4, 1\)"),
    "nan": (np.array([[1.0, np.nan]]), ValueError, "table must be finite, got nan"),
    "text": ([["a", "b"]], TypeError, "table must hold real numbers"),
    "complex": (np.ones((2, 2), complex), TypeError, "table must hold real numbers"),
}
