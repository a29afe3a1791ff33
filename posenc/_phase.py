"""Sine and cosine of position times frequency, correct to about the last bit up to 2**53 radians.

The phase of position 10**6 has 20 bits before the binary point. A float64 phase is therefore
wrong in the 33rd bit after the point, and so is its sine. Here a frequency carries 106 bits (two
float64), the product's rounding error is recovered (Dekker 1971), and the sine
of the sum is built by the addition theorem. The error of a larger phase is at most about
2**-104 of it: a phase of 2**104 radians has no correct digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal, localcontext
from functools import lru_cache

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
ComplexArray = npt.NDArray[np.complex128]

# No operation raises in this context: what float64 cannot hold is refused.
EXACT = Context(prec=60, traps=[])
_LOW_BITS = np.int64(-(1 << 27))  # clears the last 27 bits of a float64's significand
_NEAR = 2.0**24  # a phase up to here has a rest below 2**-27: its sine is the rest, its cosine 1
_CHUNK = 1 << 12  # phases computed at once: the temporaries stay in the cache


@dataclass(frozen=True, eq=False)  # compared by identity, so that caches can hold results for it
class Frequencies:
    """The angular frequency of every pair as an unevaluated sum `high + low`."""

    high: FloatArray  # (pairs,) radians per position
    low: FloatArray  # (pairs,)
    options: str = "base"  # that determine them, for a message


@lru_cache
def exact_frequencies(
    pairs: int, base: float, width: float, shift: float, scale: float
) -> Frequencies:
    """`scale * base ** (-i / (width / 2 - shift))` for each pair i, to 106 bits.

    A single pair has frequency `scale`.
    """
    with localcontext(EXACT):  # cached, so independent of the caller's context
        divisor = Decimal(width) - 2 * Decimal(shift)
        if pairs > 1 and not divisor:
            raise ValueError(f"freq_shift must not be half the width {width}, got {shift!r}")
        pair = in_two(powers(base, divisor, pairs, Decimal(scale)))
    names, values = options(pairs, base, width, shift, scale)
    if pair.high[-1] in (0.0, float("inf"), float("-inf")):
        raise ValueError(f"{names} must keep every frequency within float64, got {values}")
    return replace(pair, options=names)


def powers(
    base: float | Decimal, divisor: int | Decimal, pairs: int, first: Decimal
) -> list[Decimal]:
    """`first * base ** (-2 i / divisor)` for each pair i; call it inside `EXACT`."""
    ratio = (Decimal(base).ln() * -2 / divisor).exp()  # NaN if a single pair has divisor 0
    made = [first]
    for _ in range(pairs - 1):
        made.append(made[-1] * ratio)
    return made


def in_two(exact: Sequence[Decimal]) -> Frequencies:
    """Each frequency as a float64 and the rest of it as another, 106 bits together."""
    high = [float(frequency) for frequency in exact]
    with localcontext(EXACT):  # the caller's may refuse to take a float
        low = [float(power - Decimal(head)) for power, head in zip(exact, high, strict=True)]
    pair = Frequencies(np.array(high), np.array(low))
    pair.high.flags.writeable = pair.low.flags.writeable = False  # shared by every caller
    return pair


def options(pairs: int, base: float, width: float, shift: float, scale: float) -> tuple[str, str]:
    """Names and values of the options that determine the frequencies, for a message."""
    given = {"base": base}
    if abs(width - 2 * pairs) > 1:  # no width d or d ± 1
        given["spread"] = width
    given |= {"freq_shift": shift} if shift else {}
    given |= {"angle_scale": scale} if scale != 1 else {}
    return " and ".join(given), " and ".join(map(repr, given.values()))


def _in_parts(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Split `values` into parts of 26 and 27 bits.

    Their products are exact, except for the last bit of the product of two second parts.
    """
    head = (values.view(np.int64) & _LOW_BITS).view(np.float64)
    return head, values - head


def sine_and_cosine(positions: FloatArray, frequency: Frequencies) -> ComplexArray:
    """`sin + 1j * cos` of each position (n,) at each pair, shape `(n, pairs)`."""
    furthest = float(np.abs(positions).max(initial=0.0))
    fastest = float(np.abs(frequency.high).max(initial=0.0))
    if math.isinf(furthest * fastest):
        worst = f"position {furthest} and frequency {fastest}"
        rule = "keep position * frequency within float64"
        raise ValueError(f"{frequency.options} must {rule}, got {worst}")
    out = np.empty((len(positions), len(frequency.high)), np.complex128)
    rows = max(1, _CHUNK // len(frequency.high))
    with np.errstate(under="ignore"):  # what float64 cannot tell from zero is zero
        for first in range(0, len(positions), rows):
            chunk = slice(first, first + rows)
            _fill(out[chunk], positions[chunk, np.newaxis], frequency, furthest * fastest <= _NEAR)
    return out


def _fill(out: ComplexArray, position: FloatArray, frequency: Frequencies, near: bool) -> None:
    p_head, p_tail = _in_parts(position)  # (rows, 1)
    w_head, w_tail = _in_parts(frequency.high)  # (pairs,)
    phase = position * frequency.high
    rest = p_head * w_head - phase  # the bits that rounding cut off the phase
    rest += p_tail * w_head
    rest += p_head * w_tail
    rest += p_tail * w_tail
    rest += position * frequency.low
    sine, cosine = np.sin(phase), np.cos(phase)
    if near:
        np.add(sine, cosine * rest, out=out.real)
        np.subtract(cosine, sine * rest, out=out.imag)
    else:
        sine_rest, cosine_rest = np.sin(rest), np.cos(rest)
        out.real = sine * cosine_rest + cosine * sine_rest
        out.imag = cosine * cosine_rest - sine * sine_rest
    within_one(out)


def within_one(values: ComplexArray) -> None:
    """Clip `values` in place: rounding can exceed [-1, 1] in the last bit."""
    parts = values.view(np.float64)
    parts.clip(-1.0, 1.0, out=parts)
