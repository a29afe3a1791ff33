"""Similarity of two positions by their offset, and the law that the base sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, plot

CAPTION = """
**Up to a tenth of the base and to $1{,}000$, each tenfold offset
costs about the same share of the full similarity.**
{{ check: all(abs((similarity(k, 512, base=n) - similarity(10 * k, 512, base=n)) / 256 - log(10) /
log(n)) < 0.3 * log(10) / log(n) for n in [1000, 10000, 100000, 1000000] for k in range(1, 101) if
100 * k <= n) }}
Marks: exact, at $d = 512$; lines: the law $1 - (\\gamma + \\ln k) / \\ln n$. At offset
{{ 100 : d }} a larger base keeps more
{{ check: similarity(100, 512, base=1000) < similarity(100, 512) < similarity(100, 512,
base=100000) < similarity(100, 512, base=1000000) }}.
"""
ALT = """
Marks along straight lines that fall over the offset, from {{ 1 : d }} to {{ 1000 : ,d }} on a
logarithmic axis; those of base {{ 1000 : ,d }} scatter in the last third, up to
{{ similarity(1000, 512, base=1000) / 256 - 1 + (euler_gamma + log(1000)) / log(1000) : .2f }} above
their line. At offset {{ 100 : d }} the similarity is
{{ similarity(100, 512, base=1000) / similarity(0, 512) : .2f }} for base {{ 1000 : ,d }},
{{ similarity(100, 512) / similarity(0, 512) : .2f }} for {{ 10000 : ,d }},
{{ similarity(100, 512, base=100000) / similarity(0, 512) : .2f }} for {{ 100000 : ,d }} and
{{ similarity(100, 512, base=1000000) / similarity(0, 512) : .2f }} for {{ 1000000 : ,d }}.
"""
COLORS = (0, _style.PAPER_BASE, 2, 3)
SLIDER = 2  # which base docs/assets/sliders/base.js changes; that of the paper stays


@dataclass(frozen=True)
class Data:
    """Similarities as a share of the largest, exact and by the law."""

    bases: np.ndarray  # (bases,)
    offsets: np.ndarray  # (offsets,)
    similarities: np.ndarray  # (bases, offsets)
    line_offsets: np.ndarray  # (2,)
    line_similarities: np.ndarray  # (bases, 2)


def data() -> Data:
    """The numbers of the figure."""
    bases = np.array([1000, 10_000, 100_000, 1_000_000])
    offsets = np.unique(np.rint(10 ** (np.arange(73) / 24)).astype(int))
    ends = np.array([1, 1000])
    exact = [posenc.similarity(offsets, 512, base=base) for base in bases]
    return Data(
        bases=bases,
        offsets=offsets,
        similarities=np.array(exact) / posenc.similarity(0, 512),
        line_offsets=ends,
        line_similarities=1 - (np.euler_gamma + np.log(ends)) / np.log(bases)[:, np.newaxis],
    )


def lines(data: Data) -> list[Line]:
    """For each base the law, and dots for the exact similarities."""
    made = []
    for k, base in enumerate(data.bases):
        name, law, exact = f"base {base:,}", data.line_similarities[k], data.similarities[k]
        color, mark = COLORS[k], "osD^"[k]
        made += [
            Line(f"{name}, law", data.line_offsets, law, color=color),
            Line(name, data.offsets, exact, color=color, dash=None, mark=mark),
        ]
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each base."""
    shares = zip(data.bases, data.similarities, strict=True)
    return {"offset": data.offsets, **{f"base {base}": share for base, share in shares}}


def static(data: Data) -> Figure:
    """Dots along lines, which are named where they end."""
    figure, ax = _style.canvas(height=3.5)
    drawn = plot(ax, lines(data), width=0.9, size=3)
    _style.logarithmic(ax.xaxis, [1, 10, 100, 1000])
    ax.set(xlabel="offset (positions)", ylabel="share of the full similarity", xlim=(0.9, 10_000))
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    names = [
        ax.text(1120, law[-1], f"base {base:,}", va="center", color=line.get_color())
        for base, law, line in zip(data.bases, data.line_similarities, drawn[::2], strict=True)
    ]
    _style.mark_for_sliders(ax, *drawn[2 * SLIDER : 2 * SLIDER + 2], names[SLIDER])
    return figure
