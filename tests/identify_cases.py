"""Tables to identify, by name, for the tests of `identify` and of its page."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posenc import CONVENTIONS, Convention, Rotary, positional_encoding
from posenc._phase import FloatArray
from tests.reference import ONE_DIMENSIONAL

NOT_ROW_BY_ROW = {  # their rows are not consecutive positions
    "diffusers_timestep_sd_t999_981_1__d320": "time steps 999, 981 and 1",
    "keras_ddim__N16_d8": "diffusion times from 0 to 1",
    "nerf_L6_1d__N16_d12": "coordinates from -1 to 1",
    "speechbrain_relposxl__L16_d8": "positions that fall to 0 and rise again",
}
BACKWARDS = {"hf_wav2vec2_conformer_rel__L16_d8", "espnet_relpos__L16_d8"}
FORWARDS = sorted(set(ONE_DIMENSIONAL) - set(NOT_ROW_BY_ROW) - BACKWARDS)

D, ROWS = 16, np.arange(20.0)[:, np.newaxis]
STEP = np.arange(0, D, 2)  # "i" in the many programs that step by two


def paired(sines: np.ndarray, cosines: np.ndarray) -> np.ndarray:
    return np.stack([sines, cosines], axis=-1).reshape(20, D)


def turned(exponents: np.ndarray, base: float = 10_000.0) -> np.ndarray:
    angles = ROWS / base ** np.asarray(exponents)
    return paired(np.sin(angles), np.cos(angles))


PAPER = positional_encoding(21, D)
MISTAKES = {
    "exponent-doubled": turned(2 * STEP / D),
    "cosine-exponent": paired(
        np.sin(ROWS / 10_000 ** (STEP / D)), np.cos(ROWS / 10_000 ** ((STEP + 1) / D))
    ),
    "cosine-exponent-doubled": paired(
        np.sin(ROWS / 10_000 ** (2 * STEP / D)), np.cos(ROWS / 10_000 ** (2 * (STEP + 1) / D))
    ),
    "exponent-0": turned(STEP // D),
    "exponent-0-or-1": turned(2 * STEP // D),
    "factor-minus-1": turned(STEP, base=np.exp(-(-np.log(10_000.0) / D // 2))),
    "transposed": positional_encoding(D, 20).T,
    "from-one": PAPER[1:],
    "cosines-zero": PAPER * (np.arange(D) % 2 == 0),
    "cosines-are-sines": np.repeat(PAPER[:, ::2], 2, axis=1),
}
TWO_MISTAKES = Convention(order="cos_first", base=1e8, start=1).table(20, D)
NOISE = np.random.default_rng(0).standard_normal((50, 16))
NOISY = positional_encoding(50, 16) + 0.01 * np.random.default_rng(1).standard_normal((50, 16))


def padded() -> np.ndarray:
    """A table with rows of zeros."""
    table = CONVENTIONS["transformers_m2m100"].table(12, 16)
    table[[0, 5, 6, 11]] = 0
    return table


def bfloat16(table: np.ndarray) -> np.ndarray:
    """`table` rounded to the 8 bits of bfloat16."""
    bits = np.asarray(table, "<f4").view("<u4")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).view("<f4")


def far_float32(length: int = 40_000, d_model: int = 32) -> np.ndarray:
    """The paper's table as PyTorch code makes it: angles in float32."""
    step = np.arange(0, d_model, 2, dtype="f4")
    turns = np.exp(step * np.float32(-np.log(10_000.0) / d_model))
    angles = np.arange(length, dtype="f4")[:, np.newaxis] * turns
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, d_model)


def changed(table: np.ndarray, place: object, values: object) -> np.ndarray:
    table = table.copy()
    table[place] = values
    return table


def points(*sizes: int, start: float = 0.0) -> np.ndarray:
    """Points of a grid, the last coordinate fastest."""
    lines = [start + np.arange(float(size)) for size in sizes]
    return np.stack(np.meshgrid(*lines, indexing="ij"), -1).reshape(-1, len(sizes))


def text_with_image(text: int, sizes: tuple[int, int, int], after: int) -> np.ndarray:
    """Positions in Qwen2-VL of a text, an image that begins where it ends, and a text."""
    image = points(*sizes, start=text)
    before, behind = np.arange(text), image.max() + 1 + np.arange(after)
    return np.concatenate([np.stack([before] * 3, 1), image, np.stack([behind] * 3, 1)])


def turning(frequencies: ArrayLike, length: int = 60) -> FloatArray:
    """Sines, then cosines, of pairs with these `frequencies`."""
    angles = np.outer(np.arange(length), frequencies)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


_random = np.random.default_rng(0)
LONG = positional_encoding(300, 64)
VAGUE = "its rows are too few or too alike: many encodings make it"
EQUAL = "all rows are equal: one position, or one row, for every token"
PER_ROW = "sines and cosines of no known encoding: their frequencies in radians per row are"
_calendar = turning(2 * np.pi / np.array([24, 168, 8766]), 1000)  # a day, a week, a year, in hours
_basis = turning(2 * np.pi * np.arange(1, 9) / 100, 200)
_of_calendar = f"{PER_ROW} 0.2618, 0.0374, 0.0007168"
_of_basis = f"{PER_ROW} 0.06283 times 1-8, evenly spaced"
UNKNOWN = {  # tables that no known encoding makes, and what an answer says of them
    # Near the paper's
    "trained further": (
        LONG + 0.02 * _random.standard_normal((300, 64)),
        "values in most rows and columns are off, typically by 0.02: perhaps trained further,"
        " rounded, or with noise added",
    ),
    "a learned row": (changed(LONG, 7, 0.3), "1 of 300 rows do not fit: 7"),
    "a learned column": (changed(LONG, (..., 5), 0.3), "1 of 64 columns do not fit: 5"),
    "two columns swapped": (
        changed(LONG, (..., [3, 10]), LONG[:, [10, 3]]),
        "its columns are in another order: column 3 is its 10, column 10 is its 3",
    ),
    "columns permuted": (
        LONG[:, np.random.default_rng(1).permutation(64)],
        "its columns are in another order: column 0 is its 61, column 1 is its 24, column 2 is its"
        " 37 and 60 more",
    ),
    # Tables that say too little
    "zeros": (np.zeros((4, 6)), "every value is 0"),
    "cast to integers": (
        LONG.astype(np.int64),
        "299 of 300 rows hold only zeros: this happens when a table is cast to integers",
    ),
    "one row": (LONG[5:6], "one row cannot decide: many conventions make it"),
    "weights near 1": (1 + 1e-3 * _random.standard_normal((32, 16)), VAGUE),
    "a walk": (
        np.array([48, 2]) + np.cumsum(1e-3 * _random.standard_normal((60, 2)), axis=0),
        VAGUE,
    ),
    "measurements near 20": (20 + 0.05 * _random.standard_normal((100, 4)), VAGUE),
    "angles of which nobody took sine and cosine": (
        np.outer(np.arange(50), Rotary(16).frequencies()),
        "its columns are straight lines, as angles are before sine and cosine are taken: from row"
        " to row they change by 1, 0.3162, 0.1, 0.03162, 0.01 and 3 more",
    ),
    "constant columns": (np.ones((30, 1)) * _random.standard_normal(6), EQUAL),
    "two equal rows": (np.array([[0.0, 1.0], [0.0, 1.0]]), EQUAL),
    "two pairs that fit a far position by chance": (-Convention(base=5000).table(50, 4), VAGUE),
    "cosines of which few digits leave the base open": (
        Rotary(4, base=5_000_000).cosine_sine(np.arange(16))[0].round(4),
        VAGUE,
    ),
    "cosines and sines that hardly turn": (
        np.stack([np.ones((9, 8)), 1e-4 * np.outer(np.arange(9), np.ones(8))]),
        VAGUE,
    ),
    # Sines and cosines that no encoding has
    "a calendar": (_calendar, _of_calendar),
    "a calendar, sine and cosine in turn": (_calendar[:, [0, 3, 1, 4, 2, 5]], _of_calendar),
    "a calendar, complex": (_calendar[:, 3:] + 1j * _calendar[:, :3], _of_calendar),
    "a Fourier basis, falling": (_basis[:, ::-1], _of_basis),
    "a Fourier basis, each cosine twice": (np.tile(_basis[:, 8:], 2), _of_basis),
    "a cosine transform": (
        np.cos(np.outer(np.arange(64) + 0.5, np.pi / 64 * np.arange(12))),
        f"{PER_ROW} 0.04909 times 0-11, evenly spaced",
    ),
    "one wave of many phases": (
        np.cos(0.3 * np.subtract.outer(np.arange(64), np.arange(64))),
        f"{PER_ROW} 0.3",
    ),
    "powers of two": (
        turning(np.pi / 512 * 2.0 ** np.arange(7), 512)[:, :7],
        f"{PER_ROW} 0.006136 times 1-2, 4, 8, 16, 32 and 1 more",
    ),
    "random frequencies": (
        turning(np.arange(1, 8) ** 0.5 / 3),
        f"{PER_ROW} 0.3333, 0.4714, 0.5774, 0.6667, 0.7454 and 2 more",
    ),
}
