"""The sinusoidal encoding as libraries write it: the same sines and cosines under eight options."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._blocks import blocks
from posenc._phase import (
    ComplexArray,
    FloatArray,
    Frequencies,
    exact_frequencies,
    sine_and_cosine,
)

Arrangement = Literal["interleaved", "halves"]
Order = Literal["sin_first", "cos_first"]
Odd = Literal["error", "truncate", "pad", "ceil", "overflow"]
IntArray = npt.NDArray[np.intp]

NOTHING = -1  # the code of a column of zeros


@dataclass(frozen=True, kw_only=True)
class Convention:
    """One way to write sinusoidal encodings; the default is the paper's.

    Pair i turns by `angle_scale * base ** (-i / D)` radians per position, where
    `D = w / 2 - freq_shift` and w is the width that the frequencies are spread over: the
    paper has `freq_shift` 0 (Vaswani et al. 2017, section 3.5), tensor2tensor 1.

    `arrangement` is `"interleaved"` (sine and cosine alternate) or `"halves"` (all of one,
    then all of the other), `order` is `"sin_first"` or `"cos_first"`. `offset` is the
    position of a table's first row; `amplitude` multiplies every value. `odd` treats an
    odd d: `"error"` refuses it; `"truncate"` drops the last column of the even width d + 1
    with w = d, `"ceil"` with w = d + 1; `"pad"` adds a column of zeros to width d - 1;
    `"overflow"` returns d + 1 columns with w = d.

    Raises TypeError or ValueError if an option is none of these, if `base` or `amplitude` is
    not finite and positive, if `angle_scale` is 0 or not finite, or if `offset` is not finite.

    >>> Convention(arrangement="halves", freq_shift=1, base=100).encode(1, 4).round(4)
    array([0.8415, 0.01  , 0.5403, 1.    ])
    """

    arrangement: Arrangement = "interleaved"
    order: Order = "sin_first"
    freq_shift: int = 0
    base: float = 10_000.0
    angle_scale: float = 1.0
    offset: float = 0.0
    odd: Odd = "error"
    amplitude: float = 1.0

    def __post_init__(self) -> None:
        _arguments.choice("arrangement", self.arrangement, get_args(Arrangement))
        _arguments.choice("order", self.order, get_args(Order))
        _arguments.choice("odd", self.odd, get_args(Odd))
        shift = _arguments.integer("freq_shift", self.freq_shift, least=0)
        if shift > 1:
            raise ValueError(f"freq_shift must be 0 or 1, got {_arguments.shown(shift)}")
        scale = _arguments.finite("angle_scale", self.angle_scale, zero=False)
        numbers = {
            "freq_shift": shift,
            "base": _arguments.positive("base", self.base),
            "angle_scale": scale,
            "offset": _arguments.finite("offset", self.offset),
            "amplitude": _arguments.positive("amplitude", self.amplitude),
        }
        for name, number in numbers.items():
            object.__setattr__(self, name, number)

    def frequencies(self, d_model: int) -> FloatArray:
        """Angular frequency of each pair, in radians per position, shape `(pairs,)`.

        There are `d_model // 2` pairs; an odd width may add a single sine or cosine.
        Raises as `encode` does.

        >>> Convention(freq_shift=1, base=100).frequencies(6)
        array([1.  , 0.1 , 0.01])
        """
        return self._frequencies(self._width(d_model)).high.copy()

    def encode(self, positions: npt.ArrayLike, d_model: int) -> FloatArray:
        """Encoding of any real positions of shape `(...)`, as shape `(..., d_model)`.

        `offset` has no effect here: it only says where a table starts. As accurate as
        `posenc.encode`.
        Raises TypeError if `d_model` is not an integer, ValueError if it is less than 2, or
        odd where the convention refuses that; for `positions` as `posenc.encode` does.

        >>> Convention(order="cos_first").encode([0, 1], 2).round(4)
        array([[1.    , 0.    ],
               [0.5403, 0.8415]])
        """
        points = _arguments.reals("positions", positions)
        d_model = self._width(d_model)
        pairs = sine_and_cosine(points.ravel(), self._frequencies(d_model))
        values = self._arranged(pairs, d_model)
        return values.reshape(*points.shape, values.shape[-1])

    def table(self, length: int, d_model: int) -> FloatArray:
        """Encodings of positions `offset` to `offset + length - 1`, shape `(length, d_model)`.

        Raises TypeError or ValueError if `length` is not a non-negative integer; otherwise as
        `encode` does.

        >>> Convention(offset=1, odd="pad").table(2, 3).round(4)
        array([[ 0.8415,  0.5403,  0.    ],
               [ 0.9093, -0.4161,  0.    ]])
        """
        length = _arguments.integer("length", length, least=0)
        first, last = self.offset, self.offset + length
        exact = max(abs(first), abs(last)) <= _arguments.LARGEST_EXACT_INTEGER
        if not (exact and first.is_integer()):
            return self.encode(self.offset + np.arange(length), d_model)
        frequency = self._frequencies(self._width(d_model))
        out = np.empty((length, len(self.columns(d_model))))
        for rows, pairs in blocks(int(first), length, frequency):
            out[rows] = self._arranged(pairs, d_model)
        return out

    def columns(self, d_model: int) -> IntArray:
        """Code of each column: 2i for the sine of pair i, 2i + 1 for its cosine, -1 for zeros.

        >>> Convention(arrangement="halves", odd="truncate").columns(5)
        array([0, 2, 4, 1, 3])
        """
        return _columns(self.arrangement, self.order, self.odd, self._width(d_model)).copy()

    def _spread(self, d_model: int) -> int:
        """Width that the frequencies are spread over (w above)."""
        odd = self._width(d_model) % 2
        return d_model + {"pad": -1, "ceil": 1}.get(self.odd, 0) * odd

    def _arranged(self, pairs: ComplexArray, d_model: int) -> FloatArray:
        """Turn `sin + 1j * cos` of each pair, shape `(n, pairs)`, into columns."""
        codes, values = self.columns(d_model), pairs.view(np.float64)
        if not np.array_equal(codes, np.arange(values.shape[1])):
            values = values.take(codes, axis=1, mode="clip")
            values[:, codes == NOTHING] = 0.0
        if self.amplitude != 1:
            values *= self.amplitude
        return values

    def _width(self, d_model: object) -> int:
        number = _arguments.integer("d_model", d_model, least=2)
        if self.odd == "error" and number % 2:
            raise ValueError(f"d_model must be even where odd is 'error', got {number}")
        return number

    def _frequencies(self, d_model: int) -> Frequencies:
        spread = self._spread(d_model)
        return exact_frequencies(
            spread - 2 * self.freq_shift, self.base, (spread + 1) // 2, self.angle_scale
        )


@lru_cache(maxsize=64)
def _columns(arrangement: Arrangement, order: Order, odd: Odd, d_model: int) -> IntArray:
    pad = d_model % 2 if odd == "pad" else 0
    pairs = (d_model - pad + 1) // 2
    both = np.arange(2 * pairs).reshape(pairs, 2)
    ordered = both if order == "sin_first" else both[:, ::-1]
    codes = (ordered if arrangement == "interleaved" else ordered.T).ravel()
    if pad:
        return np.append(codes, NOTHING)
    return codes if odd == "overflow" else codes[:d_model]
