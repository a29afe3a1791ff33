"""Checks of a rotary encoding's options and positions."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.rotary._scalings import Scaling


def turning_width(head_dim: int, rotary_dim: int | None) -> int:
    """How many features of a head turn."""
    if rotary_dim is None and head_dim % 2:
        raise ValueError(f"head_dim must be even without a rotary_dim, got {head_dim}")
    given = head_dim if rotary_dim is None else rotary_dim
    width = _arguments.integer("rotary_dim", given, least=2)
    if width % 2 or width > head_dim:
        rule = f"rotary_dim must be even and at most head_dim = {head_dim}"
        raise ValueError(f"{rule}, got {width}")
    return width


def usable(scaling: Any) -> Scaling | None:
    """A scaling with a finite attention factor at every length."""
    if scaling is None:
        return None
    if not isinstance(scaling, Scaling) or type(scaling) is Scaling:
        got = _arguments.shown(scaling)
        cure = " (from_config reads a dict of them)" if isinstance(scaling, Mapping) else ""
        raise ValueError(f"scaling must be None or a scaling of posenc.rotary{cure}, got {got}")
    for length in (None, math.inf):
        factor = scaling.attention(length)
        if not 0 < factor < math.inf:
            rule = "give a finite attention factor greater than 0"
            raise ValueError(f"scaling must {rule}, got {float(f'{factor:.3g}')}")
    return scaling


def warn_beyond(points: FloatArray, scaling: Scaling) -> None:
    """Warn, once for each line of code, if a text without a `length` has to be a long one."""
    longest = scaling.longest()
    if points.size and np.abs(points).max() > longest - 1:
        rule = f"length must be given in a text of more than {longest:,g} positions"
        got = f"whose frequencies depend on it ({type(scaling).__name__})"
        warnings.warn(f"{rule}, {got}", stacklevel=4)
