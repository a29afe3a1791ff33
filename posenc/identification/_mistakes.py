"""Tables that known mistakes turn a convention into, so that `identify` can recognise them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from posenc._phase import FloatArray
from posenc.conventions import Arrangement, Convention, Order


@dataclass(frozen=True)
class Exponents:
    """Exponents of the base at pair i: `factor * i * step`, where the correct step is 2 / d."""

    factor: float
    ahead: float = 0.0  # pairs by which the cosine's exponent is ahead of its sine's
    per_pair: bool = False  # the step is 1
    whole: bool = False  # exponents are rounded down

    def __call__(self, i: FloatArray, step: float) -> tuple[FloatArray, FloatArray]:
        """Exponents of the sines and of the cosines."""
        step = 1.0 if self.per_pair else step
        sines, cosines = self.factor * i * step, self.factor * (i + self.ahead) * step
        return (np.floor(sines), np.floor(cosines)) if self.whole else (sines, cosines)


EXPONENTS = {  # by the code of the mistake
    "exponent-doubled": Exponents(2),
    "cosine-exponent": Exponents(1, ahead=0.5),
    "cosine-exponent-doubled": Exponents(2, ahead=0.5),
    "exponent-0": Exponents(0),
    "exponent-0-or-1": Exponents(2, whole=True),
    "factor-minus-1": Exponents(2 / math.log(10_000), per_pair=True),  # 10000 ** that is e ** 2
    "base-1000": Exponents(0.75),
}
# The factor of the sine that stands in the column of a cosine.
MISSING = {"cosines-zero": 0.0, "cosines-are-sines": 1.0}
SWAPPED, FROM_ONE, TRANSPOSED = "swapped", "from-one", "transposed"
_SLIPS: tuple[tuple[str, ...], ...] = ((), *((name,) for name in EXPONENTS))


@dataclass(frozen=True)
class Mistaken:
    """The convention that the author meant, and the codes of the mistakes in writing it."""

    meant: Convention
    mistakes: tuple[str, ...]

    def rows(self, positions: FloatArray, d_model: int) -> FloatArray:
        """Rows of the mistaken table at `positions` (n,) counted from 0, shape `(n, d_model)`."""
        points = positions[:, np.newaxis] + (FROM_ONE in self.mistakes)
        sines, cosines = self._frequencies(d_model)
        pairs = np.empty((len(points), d_model))
        pairs[:, 0::2], pairs[:, 1::2] = np.sin(points * sines), np.cos(points * cosines)
        for mistake in MISSING.keys() & set(self.mistakes):
            pairs[:, 1::2] = MISSING[mistake] * pairs[:, 0::2]
        order: Order = "cos_first" if SWAPPED in self.mistakes else "sin_first"
        columns = Convention(arrangement=self.meant.arrangement, order=order).columns(d_model)
        return pairs[:, columns]

    def fastest_sine(self, d_model: int) -> tuple[int, int]:
        """The column with the sine of pair 0, whose frequency is 1, and the position of row 0."""
        if SWAPPED not in self.mistakes:
            column = 0
        else:
            column = 1 if self.meant.arrangement == "interleaved" else d_model // 2
        return column, int(FROM_ONE in self.mistakes)

    def _frequencies(self, d_model: int) -> tuple[FloatArray, FloatArray]:
        i = np.arange(d_model / 2)
        step = 1 / max(d_model / 2 - self.meant.freq_shift, 1)
        sines = cosines = i * step
        for mistake in EXPONENTS.keys() & set(self.mistakes):
            sines, cosines = EXPONENTS[mistake](i, step)
        return 10_000.0**-sines, 10_000.0**-cosines


@cache
def mistaken() -> tuple[Mistaken, ...]:
    """Every combination of mistakes that can occur together, the fewest mistakes first."""
    swaps: tuple[tuple[str, ...], ...] = ((), (SWAPPED,))
    starts: tuple[tuple[str, ...], ...] = ((), (FROM_ONE,))
    sets = [
        *((*slip, *swap, *start) for slip, swap, start in product(_SLIPS, swaps, starts)),
        *((name, *start) for name, start in product(MISSING, starts)),
    ]
    arrangements: tuple[Arrangement, ...] = ("interleaved", "halves")
    found = [
        Mistaken(Convention(arrangement=arrangement, freq_shift=shift), names)
        for shift, arrangement in product((0, 1), arrangements)
        for names in sets
        if names
    ]
    return tuple(sorted(found, key=lambda one: len(one.mistakes)))
