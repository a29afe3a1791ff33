"""Binary floating-point formats, and rounding to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc._phase import FloatArray


@dataclass(frozen=True)
class Format:
    """A binary floating-point format: the numbers that rounding to it needs."""

    name: str
    bits: int  # of the significand, including the leading one
    least: int  # numbers below 2 ** least in size have fewer bits

    @property
    def quantum(self) -> int:
        """Every number of the format is a multiple of 2 to this power."""
        return self.least + 1 - self.bits

    @property
    def largest(self) -> float:
        """The largest finite number of the format."""
        return float(np.ldexp(2.0 - 2.0 ** (1 - self.bits), 1 - self.least))


FORMATS = {
    form.name: form
    for form in (
        Format("float16", 11, -14),
        Format("bfloat16", 8, -126),
        Format("float32", 24, -126),
        Format("float64", 53, -1022),
    )
}


def rounded(values: FloatArray, form: Format) -> FloatArray:
    """Round each value to the format, ties to even; inf beyond its largest number."""
    exponent = np.frexp(values)[1] - form.bits
    step = np.maximum(exponent, form.quantum)
    nearest = np.ldexp(np.rint(np.ldexp(values, -step)), step)
    finite = np.abs(nearest) <= form.largest
    result: FloatArray = np.where(finite, nearest, np.copysign(np.inf, nearest))
    return result


def cast(values: FloatArray, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Convert `values` to `dtype`, rounding once."""
    with np.errstate(under="ignore"):
        return np.asarray(ready(values, dtype), dtype)


def ready(values: FloatArray, dtype: np.dtype[Any]) -> FloatArray:
    """Prepare `values` for NumPy to convert: ml_dtypes rounds twice on the way to bfloat16."""
    return values if dtype.kind == "f" else rounded(values, FORMATS["bfloat16"])
