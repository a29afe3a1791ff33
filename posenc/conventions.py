"""The sinusoidal encoding as libraries write it: the same sines and cosines under ten options."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._blocks import blocks
from posenc._columns import NOTHING, IntArray, column_codes, rotation
from posenc._columns import Layout as Layout
from posenc._columns import Odd as Odd
from posenc._columns import Order as Order
from posenc._formats import FORMATS, cast, ready
from posenc._phase import (
    ComplexArray,
    FloatArray,
    Frequencies,
    exact_frequencies,
    options,
    sine_and_cosine,
    within_one,
)
from posenc._renamed import rename


@dataclass(frozen=True, kw_only=True)
class Convention:
    """One way to write sinusoidal encodings; the default is the paper's.

    Pair i turns by `angle_scale * base ** (-i / D)` radians per position, where
    `D = spread / 2 - freq_shift`: the paper has `freq_shift` 0 (Vaswani et al. 2017, section
    3.5), tensor2tensor 1. `spread` is the width that the frequencies are spread over, by default
    the width d of the table (NeRF's octaves have base 1/2 and spread 2).

    `layout` is `"interleaved"` (sine and cosine alternate) or `"halves"` (all of one,
    then all of the other), `order` is `"sin_first"` or `"cos_first"`. `start` is the position
    of a table's first row. Every value is multiplied by `amplitude * d ** amplitude_power`.
    `odd` says what becomes of an odd d: `"error"` refuses it; `"truncate"` drops the last column
    of the even width d + 1, with a spread of d, `"ceil"` with a spread of d + 1; `"pad"` adds a
    column of zeros to width d - 1; `"overflow"` returns d + 1 columns with a spread of d.

    Raises TypeError or ValueError if an option is none of these, if `base`, `spread` or
    `amplitude` is not finite and positive, if `angle_scale` is 0, or if a number is not finite.

    >>> Convention(layout="halves", freq_shift=1, base=100).encode(1, 4).round(4)
    array([0.8415, 0.01  , 0.5403, 1.    ])
    """

    layout: Layout = "interleaved"
    order: Order = "sin_first"
    freq_shift: float = 0.0
    spread: float | None = None
    base: float = 10_000.0
    angle_scale: float = 1.0
    start: float = 0.0
    odd: Odd = "error"
    amplitude: float = 1.0
    amplitude_power: float = 0.0

    def __post_init__(self) -> None:
        _arguments.choice("layout", self.layout, get_args(Layout))
        _arguments.choice("order", self.order, get_args(Order))
        _arguments.choice("odd", self.odd, get_args(Odd))
        numbers = {
            "freq_shift": _arguments.finite("freq_shift", self.freq_shift),
            "base": _arguments.positive("base", self.base),
            "angle_scale": _arguments.finite("angle_scale", self.angle_scale, zero=False),
            "start": _arguments.finite("start", self.start),
            "amplitude": _arguments.positive("amplitude", self.amplitude),
            "amplitude_power": _arguments.finite("amplitude_power", self.amplitude_power),
        }
        for name, number in numbers.items():
            object.__setattr__(self, name, number)
        if self.spread is not None:
            object.__setattr__(self, "spread", _arguments.positive("spread", self.spread))

    def frequencies(self, d_model: int) -> FloatArray:
        """Angular frequency of each pair, in radians per position, shape `(pairs,)`.

        There are `d_model // 2` pairs. An odd width has one more, which may lack its sine or its
        cosine, unless `odd` is `"pad"`.
        Raises as `encode` does.

        >>> Convention(freq_shift=1, base=100).frequencies(6)
        array([1.  , 0.1 , 0.01])
        """
        return self._frequencies(self._width(d_model)).high.copy()

    def wavelengths(self, d_model: int) -> FloatArray:
        """Wavelength of each pair, in positions per turn, shape `(pairs,)`, all positive.

        Raises ValueError if a wavelength exceeds float64; otherwise as `encode`.

        >>> Convention(freq_shift=1, base=100).wavelengths(6).round(2)
        array([  6.28,  62.83, 628.32])
        """
        with np.errstate(over="ignore"):
            lengths: FloatArray = 2 * np.pi / np.abs(self.frequencies(d_model))
        if not np.isfinite(lengths).all():
            names, values = options(*self._options(self._width(d_model)))
            raise ValueError(f"{names} must keep every wavelength within float64, got {values}")
        return lengths

    def encode(
        self, positions: npt.ArrayLike, d_model: int, *, dtype: npt.DTypeLike = np.float64
    ) -> npt.NDArray[Any]:
        """Encoding of any real positions of shape `(...)`, as shape `(..., d_model)`.

        `start` has no effect here: it only says where a table starts. As accurate as
        `posenc.encode`, and with the same `dtype`s.

        Raises TypeError if `d_model` is not an integer, ValueError if it is less than 2, more than
        2**20, or odd where the convention refuses that, if an option makes numbers beyond float64
        or `dtype` at this width; for `positions` and `dtype` as `posenc.encode`.

        >>> Convention(order="cos_first").encode([0, 1], 2).round(4)
        array([[1.    , 0.    ],
               [0.5403, 0.8415]])
        """
        points = _arguments.reals("positions", positions)
        target = _arguments.floating(dtype)
        d_model = self._width(d_model)
        self._refuse_narrow(target, d_model)
        pairs = sine_and_cosine(points.ravel(), self._frequencies(d_model))
        values = self._arranged(pairs, d_model)
        return cast(values.reshape(*points.shape, values.shape[1]), target)

    def table(
        self,
        length: int,
        d_model: int,
        *,
        start: float | None = None,
        dtype: npt.DTypeLike = np.float64,
    ) -> npt.NDArray[Any]:
        """Encodings of `length` positions from `start` on, shape `(length, d_model)`.

        The first position is the convention's `start`, or the one given here. A row has the
        same bits whatever the first whole position and `length` are.

        Raises TypeError or ValueError if `length` is not a non-negative integer, or if `start`
        or a position is not a number within ±2**53; otherwise as `encode` does.

        >>> Convention(start=1, odd="pad").table(2, 3).round(4)
        array([[ 0.8415,  0.5403,  0.    ],
               [ 0.9093, -0.4161,  0.    ]])
        """
        length = _arguments.integer("length", length, least=0)
        first = self.start if start is None else _arguments.finite("start", start)
        _arguments.counted(first, length)
        if not first.is_integer():
            return self.encode(first + np.arange(length), d_model, dtype=dtype)
        d_model, target = self._width(d_model), _arguments.floating(dtype)
        self._refuse_narrow(target, d_model)
        frequency, plain = self._frequencies(d_model), self._is_plain(d_model)
        out = np.empty((length, len(self._codes(d_model))), target)
        exact = out.view(np.complex128) if plain and target == np.float64 else None
        with np.errstate(under="ignore"):
            for rows, pairs in blocks(int(first), length, frequency, exact):
                if target == np.float64:  # a narrower dtype rounds all excess off
                    within_one(pairs)
                if exact is None:
                    values = pairs.view(np.float64) if plain else self._arranged(pairs, d_model)
                    out[rows] = ready(values, target)
        return out

    def columns(self, d_model: int) -> IntArray:
        """Code of each column: 2i for the sine of pair i, 2i + 1 for its cosine, -1 for zeros.

        Raises as `encode` does.

        >>> Convention(layout="halves", odd="truncate").columns(5)
        array([0, 2, 4, 1, 3])
        """
        return self._codes(self._width(d_model)).copy()

    def shift_matrix(self, offset: float, d_model: int) -> FloatArray:
        """Rotation by `offset` positions, shape `(d_model, d_model)`, the same at every position.

        `shift_matrix(k, d) @ encode(p, d)` equals `encode(p + k, d)`. The matrix is orthogonal;
        it leaves a column of zeros as it is.

        Raises ValueError if `offset` is not one finite number, or if an odd width leaves a sine
        without its cosine; otherwise as `encode`.

        >>> Convention(layout="halves", base=1).shift_matrix(np.pi / 2, 4).round(4) + 0.0
        array([[ 0.,  0.,  1.,  0.],
               [ 0.,  0.,  0.,  1.],
               [-1.,  0.,  0.,  0.],
               [ 0., -1.,  0.,  0.]])
        """
        turn = _arguments.reals("offset", offset)
        if turn.ndim != 0:
            raise ValueError(f"offset must be one number, got shape {turn.shape}")
        pairs = self._turned(turn, d_model)
        return rotation(self._codes(self._width(d_model)), pairs)

    def similarity(self, offset: npt.ArrayLike, d_model: int) -> FloatArray | np.float64:
        """Dot product of two encodings `offset` positions apart, in the shape of `offset`.

        The same at every position, and even in `offset`. Raises ValueError if an odd width
        leaves a sine without its cosine; otherwise as `encode`.

        >>> Convention(freq_shift=1, amplitude=0.5).similarity([0, 1, -1], 4).round(4)
        array([0.5   , 0.3851, 0.3851])
        """
        cosines = self._turned(_arguments.reals("offset", offset), d_model).imag
        total: FloatArray | np.float64 = cosines.sum(axis=-1)
        amplitude = self._amplitude_at(d_model)
        self._refuse_infinite("similarities", self._width(d_model) * amplitude * amplitude)
        return total * amplitude**2

    def distance(self, offset: npt.ArrayLike, d_model: int) -> FloatArray | np.float64:
        """Euclidean distance of two encodings `offset` positions apart, in the shape of `offset`.

        The same at every position. Raises as `similarity` does.

        >>> Convention(layout="halves", amplitude=2).distance([0, 1], 512).round(4)
        array([0.    , 7.4285])
        """
        sines = self._turned(_arguments.reals("offset", offset) / 2, d_model).real
        total: FloatArray | np.float64 = np.sqrt((sines**2).sum(axis=-1))
        amplitude = self._amplitude_at(d_model)
        self._refuse_infinite("distances", 2 * self._width(d_model) * amplitude)
        return total * (2 * amplitude)

    def _turned(self, offset: FloatArray, d_model: int) -> ComplexArray:
        """`sin + 1j * cos` of `offset` at each pair, shape `(..., pairs)`."""
        d_model = self._width(d_model)
        frequency = self._frequencies(d_model)
        if np.count_nonzero(self._codes(d_model) >= 0) != 2 * len(frequency.high):
            rule = f"d_model must be even where odd is {self.odd!r}: one column has no partner"
            raise ValueError(f"{rule}, got {d_model}")
        pairs = sine_and_cosine(offset.ravel(), frequency)
        return pairs.reshape(*offset.shape, pairs.shape[1])

    def _arranged(self, pairs: ComplexArray, d_model: int) -> FloatArray:
        """Turn `sin + 1j * cos` of each pair, shape `(n, pairs)`, into columns."""
        codes, values = self._codes(d_model), pairs.view(np.float64)
        if not self._is_plain(d_model):
            values = values.take(codes, axis=1)
            values[:, codes == NOTHING] = 0.0
            values *= self._amplitude_at(d_model)
        return values

    def _is_plain(self, d_model: int) -> bool:
        """Whether the columns are the paper's pairs, unscaled."""
        ordered = (self.layout, self.order) == ("interleaved", "sin_first")
        whole = d_model % 2 == 0 or self.odd == "overflow"
        return ordered and whole and self._amplitude_at(d_model) == 1

    def _amplitude_at(self, d_model: int) -> float:
        try:
            amplitude = self.amplitude * math.pow(d_model, self.amplitude_power)
        except OverflowError:
            amplitude = math.inf
        if not 0 < amplitude < math.inf:
            power = f"{self.amplitude_power!r} at width {d_model}"
            raise ValueError(f"amplitude_power must keep amplitudes within float64, got {power}")
        return amplitude

    def _refuse_infinite(self, what: str, most: float) -> None:
        """Refuse an amplitude with which the largest value would be infinite."""
        if math.isinf(most):
            raise ValueError(f"amplitude must keep {what} within float64, got {self.amplitude}")

    def _refuse_narrow(self, dtype: np.dtype[Any], d_model: int) -> None:
        """Refuse a `dtype` in which the amplitude would be infinite."""
        amplitude = self._amplitude_at(d_model)
        if amplitude > 1 and amplitude > FORMATS[dtype.name].largest:
            raise ValueError(f"dtype must hold the amplitude {amplitude:.6g}, got {dtype.name}")

    def _width(self, d_model: object) -> int:
        number = _arguments.integer("d_model", d_model, least=2, most=_arguments.WIDEST)
        if self.odd == "error" and number % 2:
            raise ValueError(f"d_model must be even where odd is 'error', got {number}")
        return number

    def _spread(self, d_model: int) -> float:
        """Width that the frequencies are spread over."""
        if self.spread is not None:
            return self.spread
        return d_model + {"pad": -1, "ceil": 1}.get(self.odd, 0) * (d_model % 2)

    def _codes(self, d_model: int) -> IntArray:
        return column_codes(self.layout, self.order, self.odd, d_model)

    def _frequencies(self, d_model: int) -> Frequencies:
        return exact_frequencies(*self._options(d_model))

    def _options(self, d_model: int) -> tuple[int, float, float, float, float]:
        """The number of pairs, and the options that determine their frequencies."""
        pairs = d_model // 2 if self.odd == "pad" else (d_model + 1) // 2
        return pairs, self.base, self._spread(d_model), self.freq_shift, self.angle_scale


rename(Convention, "arrangement", "layout")
