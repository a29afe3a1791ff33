"""One position in four conventions, as rows of coloured cells with their values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from posenc import CONVENTIONS
from scripts.figures import _colors, _style

CAPTION = """
**A and B hold the same eight numbers in another order, and D is B with its halves exchanged.**
Position $3$ at $d = 8$: A the Annotated Transformer, B Marian in transformers, C tensor2tensor, D
guided-diffusion. C shares only the fastest pair with B; other equal digits are rounded.
"""
ALT = """
Four rows, A to D, of {{ len(encode(3, 8)) : d }} coloured cells with their values. The Annotated
Transformer starts {{ encode(3, 8)[0] : .2f }}, {{ encode(3, 8)[1] : .2f }},
{{ encode(3, 8)[2] : .2f }}; Marian {{ encode(3, 8)[0] : .2f }}, {{ encode(3, 8)[2] : .2f }},
{{ encode(3, 8)[4] : .2f }}; tensor2tensor {{ encode(3, 8)[0] : .2f }},
{{ sin(3 * exp(-log(10000) / 3)) : .2f }}; guided-diffusion starts with the cosines,
{{ encode(3, 8)[1] : .2f }}, {{ encode(3, 8)[3] : .2f }}, {{ encode(3, 8)[5] : .2f }}.
"""
_LIBRARIES = {
    "A": "annotated_transformer",
    "B": "transformers_marian",
    "C": "tensor2tensor",
    "D": "guided_diffusion",
}
SCALE = _colors.Scale(-1, 1)


@dataclass(frozen=True)
class Data:
    """The encoding of one position, a row for each library."""

    dimensions: np.ndarray  # (d_model,)
    values: np.ndarray  # (libraries, d_model)
    strong: np.ndarray  # (libraries, d_model) bool: here the page's letters are hard to read


def data() -> Data:
    """The numbers of the figure."""
    values = np.array([CONVENTIONS[name].encode(3, 8) for name in _LIBRARIES.values()])
    return Data(dimensions=np.arange(8), values=values, strong=_colors.strong(values))


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the dimension, one for each library."""
    rows = zip(_LIBRARIES.values(), data.values, strict=True)
    return {"dimension": data.dimensions, **dict(rows)}


def static(data: Data) -> Figure:
    """The cells with their values."""
    figure, ax = _style.canvas(height=2.6)
    _colors.image(ax, data.values, SCALE)
    for k, row in enumerate(data.values):
        for j, value in enumerate(row):
            ink = _colors.letters(value, strong=data.strong[k, j])
            ax.text(j, k, f"{value:.2f}".replace("-", "−"), color=ink, ha="center", va="center")
    ax.hlines([0.5, 1.5, 2.5], -0.5, 7.5, color=_style.GRID, linewidth=3)
    ax.set_xticks(data.dimensions)
    ax.set_yticks(range(4), list(_LIBRARIES))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel="dimension", ylabel="library")
    return figure
