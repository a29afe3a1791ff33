"""What distance alone does to an attention score: rotations, and ALiBi's slopes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, name, plot

CAPTION = """
**Turned keys can look eight back; a slope always prefers the nearest.** Left: dot products at $d =
64$, of sinusoids, or of RoPE's arrows if all are alike, symmetric about the best offset
{{ check: max(abs(similarity(range(65), 64) - similarity(range(0, -65, -1), 64))) < 1e-9 and
max(similarity(range(1, 65), 64)) < similarity(0, 64) }}. Right: what four of ALiBi's eight heads
add.
"""
ALT = """
Two panels over the offset of the key. Left, from {{ -64 : d }} to {{ 64 : d }}: a curve with its
peak at offset {{ 0 : d }}, falling in waves to {{ similarity(64, 64) / similarity(0, 64) : .2f }}
of it at both ends, and the same curve moved to a peak at {{ -8 : d }}. Right, from {{ -64 : d }} to
{{ 0 : d }}: four straight lines that end in {{ 0 : d }}. The steepest starts far below the panel,
the others at {{ -64 / 8 : .0f }}, {{ -64 / 32 : .0f }} and {{ -64 / 128 : .1f }}.
"""
TURNED = 8
KERNELS = ("sinusoidal, or RoPE", "RoPE, key turned")
TITLES = ("dot product, share", "ALiBi, added to the score")
LIMITS = (-16.8, 0.8)  # of the biases


@dataclass(frozen=True)
class Data:
    """Shares of the full dot product, and biases."""

    offsets: np.ndarray  # (offsets,)
    kernels: np.ndarray  # (2, offsets)
    behind: np.ndarray  # (2,) the ends of each bias line
    heads: np.ndarray  # (heads,) of eight, counted from 1
    biases: np.ndarray  # (heads, 2)


def data() -> Data:
    """The numbers of the figure."""
    offsets = np.arange(-64, 65)
    moved = [posenc.similarity(offsets + turn, 64) for turn in (0, TURNED)]
    behind, heads = np.array([-64, 0]), np.array([1, 3, 5, 7])
    return Data(
        offsets=offsets,
        kernels=np.array(moved) / posenc.similarity(0, 64),
        behind=behind,
        heads=heads,
        biases=behind * 2.0 ** -heads[:, np.newaxis],
    )


def panels(data: Data) -> tuple[list[Line], list[Line]]:
    """The kernels, and one line for each head."""
    kernels = [
        Line(name, data.offsets, kernel, color=k, dash=k)
        for k, (name, kernel) in enumerate(zip(KERNELS, data.kernels, strict=True))
    ]
    heads = [
        Line(f"head {head}", data.behind, bias, color=k, dash=k)
        for k, (head, bias) in enumerate(zip(data.heads, data.biases, strict=True))
    ]
    return kernels, heads


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each offset; the biases are straight lines through their slopes."""
    return columns("offset", panels(data)[0])


def static(data: Data) -> Figure:
    """Two panels; the lines have their names beside them."""
    figure, (left, right) = _style.canvas(height=3.4, columns=2)
    for ax, panel, title in zip((left, right), panels(data), TITLES, strict=True):
        plot(ax, panel)
        ax.set_title(title, loc="left", pad=12)
        ax.set_xlabel("offset of the key")
    left.set(xticks=[-64, -32, 0, 32, 64], yticks=[0, 0.5, 1], ylim=(0, 1.4))
    right.set(xticks=[-64, -32, 0], yticks=[-16, -12, -8, -4, 0], ylim=LIMITS)
    kernels, heads = panels(data)
    name(left, kernels[0], 0, 1.24, ha="center")
    name(left, kernels[1], -8, 1.05, ha="center")
    for line, x, y in zip(heads, (-27, -42, -62, -62), (-14.5, -7.2, -3.1, 0.3), strict=True):
        name(right, line, x, y)
    return figure
