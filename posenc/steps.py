"""The sinusoidal encoding of diffusion time steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc.conventions import Convention, Order


def time_steps(
    steps: npt.ArrayLike,
    d_model: int,
    *,
    order: Order = "cos_first",
    freq_shift: float = 0.0,
    scale: float = 1.0,
    base: float = 10_000.0,
    dtype: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Encoding of diffusion time steps of shape `(...)`, as shape `(..., d_model)`.

    In halves, with the angles `scale * t * base ** (-i / (d_model // 2 - freq_shift))`; an odd
    width ends with a column of zeros. The defaults are Stable Diffusion's; DDPM has sines first
    and `freq_shift` 1 (Ho et al. 2020; diffusers, `get_timestep_embedding`).

    Raises as `posenc.Convention.encode` does.

    >>> time_steps([0, 999], 4).round(4)
    array([[ 1.    ,  1.    ,  0.    ,  0.    ],
           [ 0.9996, -0.8445, -0.0265, -0.5356]])
    """
    kind = Convention(
        layout="halves",
        order=order,
        freq_shift=freq_shift,
        angle_scale=_arguments.finite("scale", scale, zero=False),
        base=base,
        odd="pad",
    )
    points = _arguments.reals("steps", steps)
    try:
        return kind.encode(points, d_model, dtype=dtype)
    except ValueError as error:
        raise ValueError(str(error).replace("angle_scale", "scale")) from None
