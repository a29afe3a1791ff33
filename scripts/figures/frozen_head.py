"""Where a trained head with a learned table looks, in a text twice as long as in training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _colors, _style
from scripts.numbers.quantities import trained_map

CAPTION = """
**From position $32$ on, the head stares at one place, position $28$
{{ check: all(argmax(row) == 28 for row in trained_map("learned")[32:]) }}.** A row for each
position that asks; dotted, the trained length.
"""
ALT = """
A heatmap of attention weights, {{ 64 : d }} positions by {{ 64 : d }}. Up to row {{ 31 : d }} a
mostly bright line, with gaps, runs parallel to the diagonal, three columns to its left. From row
{{ 32 : d }} on it is upright: all rows look at column {{ 28 : d }}.
"""
SCALE = _colors.Scale(0, 1, ticks=(0, 1), title="weight")
TICKS = [0, 16, 28, 48, 63]
LENGTH = 32  # in training
TRAINED = "end of the trained length"


@dataclass(frozen=True)
class Data:
    """The first head's weights, one row for each position of the text with which the page opens."""

    positions: np.ndarray  # (length,)
    weights: np.ndarray  # (length, length)
    edge: np.ndarray  # (2,) behind the trained length
    ends: np.ndarray  # (2,) of the axes


def data() -> Data:
    """The numbers of the figure."""
    found = trained_map("learned")
    length = len(found)
    edge, ends = np.array([LENGTH - 0.5] * 2), np.array([-0.5, length - 0.5])
    return Data(np.arange(length), found, edge, ends)


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each position that asks; one column for each that it looks at."""
    columns = {f"to {k}": data.weights[:, k] for k in data.positions}
    return {"position": data.positions, **columns}


def static(data: Data) -> Figure:
    """A heatmap, position 0 at the top left, with the trained length dotted."""
    figure, ax = _style.canvas(width=4.6, height=3.6)
    image = _colors.image(ax, data.weights, SCALE, aspect="equal")
    for x, y in ((data.edge, data.ends), (data.ends, data.edge)):
        ax.plot(x, y, color="white", lw=0.8, ls=_style.DASHES[2], label=TRAINED)
    ax.set(xticks=TICKS, yticks=TICKS, xlabel="position looked at", ylabel="position that asks")
    ax.set(xlim=data.ends, ylim=data.ends[::-1])
    _colors.bar(figure, image, SCALE, ax=ax, pad=0.02, shrink=0.8)
    return figure
