"""The encodings of three positions, pair by pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, plot

CAPTION = """
**The fast pairs together tell three rows apart, and slow pairs hardly do.** The sines and cosines
of positions $0$, $10$ and $25$ at $d = 128$. The last eight pairs are within a hundredth of sine
{{ encode(0, 128)[-2] : .0f }} and cosine {{ encode(0, 128)[-1] : .0f }} in all three
{{ check: all(max(abs(encode(p, 128)[112:] - encode(0, 128)[112:])) < 0.01 for p in [0, 10,
25]) }}.
"""
ALT = """
Three panels, one above the other, with a line of sines and a line of cosines over
{{ len(frequencies(128)) : d }} pairs. At position {{ 0 : d }} both are flat, at
{{ encode(0, 128)[0] : .0f }} and {{ encode(0, 128)[1] : .0f }}. At position {{ 10 : d }} they start
at {{ encode(10, 128)[0] : .2f }} and {{ encode(10, 128)[1] : .2f }}, at position {{ 25 : d }} at
{{ encode(25, 128)[0] : .2f }} and {{ encode(25, 128)[1] : .2f }}. There they swing up and down on
the left, and come to the flat lines of position {{ 0 : d }} towards the right.
"""

LABELS = {"sine": 1, "cosine": -1}  # above and below the ends of their lines


@dataclass(frozen=True)
class Data:
    """The rows that are drawn, parted into sines and cosines."""

    positions: np.ndarray  # (rows,)
    pairs: np.ndarray  # (pairs,)
    wavelengths: np.ndarray  # (pairs,)
    sines: np.ndarray  # (rows, pairs)
    cosines: np.ndarray  # (rows, pairs)


def data() -> Data:
    """The numbers of the figure."""
    positions = np.array([0, 10, 25])
    rows = posenc.encode(positions, 128)
    return Data(
        positions=positions,
        pairs=np.arange(64),
        wavelengths=posenc.wavelengths(128),
        sines=rows[:, 0::2],
        cosines=rows[:, 1::2],
    )


def panels(data: Data) -> list[list[Line]]:
    """For each position its sines and its cosines."""
    return [_sines_and_cosines(data, k) for k in range(len(data.positions))]


def _sines_and_cosines(data: Data, k: int) -> list[Line]:
    position = f"position {data.positions[k]}"
    kinds = (("sine", data.sines[k], _style.SINE), ("cosine", data.cosines[k], _style.COSINE))
    return [
        Line(f"{position}, {kind}", data.pairs, values, color=color)
        for kind, values, color in kinds
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the pair, two for each position."""
    lines = [line for panel in panels(data) for line in panel]
    return {"pair": data.pairs, **{line.label: line.y for line in lines}}


def static(data: Data) -> Figure:
    """One panel for each position, under one another; each line is named where it ends."""
    figure, axes = _style.canvas(height=4.2, rows=len(data.positions), sharex=True)
    for ax, panel, position in zip(axes, panels(data), data.positions, strict=True):
        plot(ax, panel)
        ax.set_title(f"position {position}", loc="left", pad=3)
        ax.set(xlim=(-1, 63.5), ylim=(-1.15, 1.15), xticks=[0, 16, 32, 48, 63], yticks=[-1, 0, 1])
        for line, (name, across) in zip(panel, LABELS.items(), strict=True):
            ax.annotate(
                name,
                (line.x[-1], line.y[-1]),
                (0, 5 * across),
                textcoords="offset points",
                color=_style.SERIES[line.color],
                ha="right",
                va="bottom" if across > 0 else "top",
            )
    axes[-1].set_xlabel("pair")
    figure.supylabel("value")
    return figure
