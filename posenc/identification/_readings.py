"""Ways to read the columns of a rotary cache: cosines, sines or both, each pair once or twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._cache import Form, Part
from posenc.identification._turning import Parts

_SOME = 64  # rows that tell whether columns are the same

Reading = tuple[Part, Form, Parts]
Off = Callable[[FloatArray], Any]


def readings(values: FloatArray, slack: float, off: Off = np.max) -> Iterator[Reading]:
    """Yield each way to read `values`: the part, the form, and cosines and sines.

    `values` are `(n, width)`, or cosines and sines `(2, n, width)`. The columns of a pair may
    differ by `slack`, as `off` measures it. Row 0 may be any position.
    """
    places = np.arange(float(values.shape[-2]))
    if values.ndim == 3:
        form, (one, other) = _once(values, slack, off)
        yield "both", form, Parts(one, other, places)
        return
    form, (held,) = _once(values[np.newaxis], slack, off)
    yield "cos", form, Parts(held, None, places)
    yield "sin", form, Parts(None, held, places)
    if values.shape[1] % 2 == 0:
        halves = np.stack(np.split(values, 2, axis=1))
        form, (one, other) = _once(halves, slack, off)
        yield "cos|sin", form, Parts(one, other, places)
        yield "sin|cos", form, Parts(other, one, places)


def _once(parts: FloatArray, slack: float, off: Off) -> tuple[Form, FloatArray]:
    """The form of `parts` (parts, n, width), and their columns with each pair once."""
    width = parts.shape[2]
    if width % 2:
        return "once", parts
    head = parts[:, :_SOME]
    limit = slack * float(np.abs(head).max())
    left, right = np.split(head, 2, axis=2)
    if off(np.abs(left - right)) <= limit:
        return "halves", parts[:, :, : width // 2]
    if off(np.abs(head[:, :, 0::2] - head[:, :, 1::2])) <= limit:
        return "interleaved", parts[:, :, 0::2]
    return "once", parts
