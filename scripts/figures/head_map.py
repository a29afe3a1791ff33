"""The attention map of a head that looks three positions back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _colors, _style
from scripts.numbers.quantities import head_weights

CAPTION = """
**From the fourth row on, each row looks three columns left of the diagonal; the gain says how
sharply.**
Weights of the head with $W_Q W_K^{\\top} = g\\, M_3$ for
{{ len(head_weights(64, 512, 3, 1)) : d }} positions at $d = 512$, a row for the position that asks.
"""
ALT = """
Two heatmaps of attention weights, {{ len(head_weights(64, 512, 3, 1)) : d }} positions by the same
number, with a dotted diagonal. Both show a bright ridge parallel to the diagonal, three columns to
its left
{{ check: all([argmax(row) for row in head_weights(64, 512, 3, gain)] == [max(p - 3, 0) for p
in range(64)] for gain in [1, 10]) }}.
At gain {{ 1 : d }} the ridge is wide and dim: the weight on its crest is
{{ head_weights(64, 512, 3, 1)[32, 29] : .3f }} in the row of position {{ 32 : d }}. At gain
{{ 10 : d }} it is one cell wide and bright: {{ head_weights(64, 512, 3, 10)[32, 29] : .3f }}.
"""
GAINS = (1, 10)
SCALE = _colors.Scale(0, 1, ticks=(0, 1), title="weight")
DOTTED = _style.DASHES[2]


@dataclass(frozen=True)
class Data:
    """The weights at the two gains, one row for each query."""

    positions: np.ndarray  # (length,)
    low_gain: np.ndarray  # (length, length)
    high_gain: np.ndarray  # (length, length)


def data() -> Data:
    """The numbers of the figure."""
    low, high = (head_weights(64, 512, 3, gain) for gain in GAINS)
    return Data(np.arange(64), low, high)


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each query; one column for each key at each gain."""
    matrices = zip(GAINS, (data.low_gain, data.high_gain), strict=True)
    columns = {f"gain {g}, to {q}": m[:, q] for g, m in matrices for q in data.positions}
    return {"position": data.positions, **columns}


def static(data: Data) -> Figure:
    """Two heatmaps, position 0 at the top left."""
    figure, axes = _style.canvas(height=3.2, columns=2, sharey=True)
    matrices = (data.low_gain, data.high_gain)
    for ax, gain, matrix in zip(axes, GAINS, matrices, strict=True):
        image = _colors.image(ax, matrix, SCALE, aspect="equal")
        ax.plot(data.positions, data.positions, color="white", lw=0.8, ls=DOTTED, label="p = q")
        ax.set_title(f"gain {gain}", pad=5)
        ax.set(xticks=[0, 20, 40, 60], yticks=[0, 20, 40, 60], xlabel="answering position q")
        _style.mark_for_sliders(ax, image)
    _style.mark_for_sliders(axes[1], axes[1].title)  # the gain
    axes[0].set_ylabel("asking position p")
    _colors.bar(figure, image, SCALE, ax=axes, pad=0.02, shrink=0.8)
    return figure
