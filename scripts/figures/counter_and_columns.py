"""A binary counter beside the columns of the encoding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _colors, _style

CAPTION = """
**The encoding is a binary counter without jumps.** Left: positions in binary, lowest bit first;
coloured cells are $1$. Right: the encoding at $d = 10$ and $n = 32$. From bit to bit, and from pair
to pair, the speed halves {{ check: max(abs(wavelengths(10, base=32)[1:] / wavelengths(10,
base=32)[:-1] - 2)) < 1e-12 }}.
"""
ALT = """
Two heatmaps over {{ len(positional_encoding(32, 10)) : d }} positions, side by side. Left: five
bits; the lowest changes at every position, the highest once, at position {{ 16 : d }}. Right: ten
columns of the encoding in five pairs, with wavelengths of {{ wavelengths(10, base=32)[0] : .1f }},
{{ wavelengths(10, base=32)[1] : .1f }}, {{ wavelengths(10, base=32)[2] : .1f }},
{{ wavelengths(10, base=32)[3] : .1f }} and {{ wavelengths(10, base=32)[4] : .1f }} positions; the
slower a pair, the more gradually its colours change.
"""
TITLES = ("binary counter", "encoding")
# A zero has no colour.
BITS, VALUES = _colors.Scale(-1, 1), _colors.Scale(-1, 1, ticks=(-1, 0, 1))


@dataclass(frozen=True)
class Data:
    """Two matrices over the same positions."""

    positions: np.ndarray  # (length,)
    bits: np.ndarray  # (bits,)
    periods: np.ndarray  # (bits,) positions per blink, on and off
    counter: np.ndarray  # (length, bits)
    dimensions: np.ndarray  # (d_model,)
    values: np.ndarray  # (length, d_model)
    pairs: np.ndarray  # (d_model,)
    wavelengths: np.ndarray  # (d_model,)


def data() -> Data:
    """The numbers of the figure."""
    positions, bits = np.arange(32), np.arange(5)
    return Data(
        positions=positions,
        bits=bits,
        periods=2 ** (bits + 1),
        counter=positions[:, None] >> bits & 1,
        dimensions=np.arange(10),
        values=posenc.positional_encoding(32, 10, base=32),
        pairs=np.arange(10) // 2,
        wavelengths=np.repeat(posenc.wavelengths(10, base=32), 2),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each bit, one for each dimension."""
    bits = {f"bit {b}": data.counter[:, b] for b in data.bits}
    values = {f"dimension {j}": data.values[:, j] for j in data.dimensions}
    return {"position": data.positions, **bits, **values}


def static(data: Data) -> Figure:
    """Two heatmaps, position 0 at the top."""
    figure, axes = _style.canvas(height=3.9, columns=2, sharey=True, width_ratios=[1, 2])
    _colors.image(axes[0], data.counter, BITS)
    encoding = _colors.image(axes[1], data.values, VALUES)
    for ax, title in zip(axes, TITLES, strict=True):
        ax.set_title(title, loc="left")
    axes[0].set(xlabel="bit", xticks=data.bits)
    axes[1].set(xlabel="dimension", xticks=data.dimensions)
    axes[0].set(ylabel="position", yticks=[0, 8, 16, 24, 31])
    _colors.bar(figure, encoding, VALUES, ax=axes, pad=0.02)
    return figure
