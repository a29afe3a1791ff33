"""Checks of a rotary encoding's options and positions."""

from __future__ import annotations

import math
import warnings
from typing import Any

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
        raise ValueError(f"scaling must be None or a scaling of posenc.rotary, got {got}")
    for length in (None, math.inf):
        factor = scaling.attention(length)
        if not 0 < factor < math.inf:
            rule = "give a finite attention factor greater than 0"
            raise ValueError(f"scaling must {rule}, got {float(f'{factor:.3g}')}")
    return scaling


def warn_beyond(points: FloatArray, scaling: Scaling) -> None:
    """Warn of a position at which frequencies depend on the length of the text."""
    limit = scaling.same_until()
    if points.size and points.max() >= limit:
        beyond = f"position {points.max():g} is beyond the {limit:g} positions of training"
        cure = "give length, on which the frequencies depend"
        warnings.warn(f"{beyond}: {cure}", stacklevel=4)
