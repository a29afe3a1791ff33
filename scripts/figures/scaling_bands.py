"""How much each scaling for long texts slows each pair of a head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, plot
from scripts.numbers import quantities

CAPTION = """
**YaRN and Llama {{ 3 : d }} keep the fast pairs, and divide all slow ones by the whole factor
{{ check: all(abs(stretched(name)[i] / stretched("none")[i] - 32) < 1e-6
for name in ["yarn", "llama3"] for i in range(34, 48)) and
stretched("none")[33] < 4095 < stretched("none")[34] and
all(stretched(name)[i] == stretched("none")[i]
for name in ["yarn", "llama3"] for i in range(16)) }}.**
How many times slower each pair of the head turns (dashed: before). Red: pairs with new angles in a
text {{ 131072 / 4096 : .0f }} times as long.
"""
ALT = """
Six panels with a line over the {{ len(stretched("none")) : d }} pairs, from fast to slow. Its
height says how many times slower a pair turns, with ticks at {{ 1 : d }} and {{ 32 : d }}. As
trained: flat at {{ 1 : d }}, red from pair {{ sum(stretched("none") < 4095) : d }} on. Linear: flat
at {{ stretched("linear")[0] / stretched("none")[0] : .0f }}, all pairs divided. NTK: straight from
{{ stretched("ntk")[0] / stretched("none")[0] : .0f }} to
{{ stretched("ntk")[-1] / stretched("none")[-1] : .0f }}, red from pair {{ sum(stretched("none") <
4095) : d }} to the last but one. YaRN:
{{ sum(stretched("yarn") / stretched("none") < 1.000001) : d }} pairs kept, a ramp, and
{{ sum(stretched("yarn") / stretched("none") > 31.999) : d }} divided. Llama {{ 3 : d }}:
{{ sum(stretched("llama3") / stretched("none") < 1.000001) : d }} kept, a shorter ramp, and
{{ sum(stretched("llama3") / stretched("none") > 31.999) : d }} divided. LongRoPE: an uneven climb
from {{ stretched("longrope")[0] / stretched("none")[0] : .2f }} to
{{ stretched("longrope")[-1] / stretched("none")[-1] : .0f }}.
"""
PANELS = {
    "none": "as trained",
    "linear": "linear",
    "ntk": "NTK",
    "yarn": "YaRN",
    "llama3": "Llama 3",
    "longrope": "LongRoPE",
}
FARTHEST, FACTOR = 4095, 32
BANDS = {  # what a panel calls its pairs; a list found by search has no bands
    **dict.fromkeys(PANELS, ("kept", "ramp", "divided")),
    "ntk": ("kept", "slowed", "divided"),
    "longrope": ("", "a number for each pair", ""),
}


@dataclass(frozen=True)
class Data:
    """One line for each scaling."""

    pairs: np.ndarray  # (pairs,)
    slowed: np.ndarray  # (scalings, pairs) how many times slower
    edges: np.ndarray  # (scalings, 2) first pair that is not kept, first that is divided
    unfinished: np.ndarray  # (slow pairs,) pairs that did not finish a turn in training


def data() -> Data:
    """The numbers of the figure."""
    before = quantities.stretched("none")
    slowed = np.array([quantities.stretched(name) / before for name in PANELS])
    kept, divided = slowed < 1 + 1e-6, (slowed > FACTOR - 1e-6) & (slowed < FACTOR + 1e-6)
    edges = np.stack([kept.sum(axis=1), len(before) - divided.sum(axis=1)], axis=1)
    return Data(
        pairs=np.arange(len(before)),
        slowed=slowed,
        edges=edges,
        unfinished=np.flatnonzero(before > FARTHEST),
    )


def panels(data: Data) -> list[list[Line]]:
    """For each scaling the lines before and after, and the pairs with new angles."""
    made = []
    for k, title in enumerate(PANELS.values()):
        before, after = np.ones(len(data.pairs)), data.slowed[k]
        new = data.unfinished[after[data.unfinished] < FACTOR - 1e-6]
        made.append(
            [
                Line(f"before, {title}", data.pairs, before, color=_style.BEFORE, dash=1),
                Line(f"after, {title}", data.pairs, after),
                Line(f"new angles, {title}", new, after[new], color=_style.NEW),
            ]
        )
        if not len(new):
            made[-1].pop()
    return made


def bands(data: Data) -> list[list[tuple[float, str]]]:
    """For each scaling the middle of each band of several pairs, and its name."""
    found = []
    for (first, second), names in zip(data.edges, BANDS.values(), strict=True):
        spans = ((0, first), (first, second), (second, len(data.pairs)))
        named = zip(spans, names, strict=True)
        found.append(
            [((start + end - 1) / 2, name) for (start, end), name in named if end - start > 1]
        )
    return found


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the pair, one for each scaling."""
    return {"pair": data.pairs, **dict(zip(PANELS.values(), data.slowed, strict=True))}


def static(data: Data) -> Figure:
    """Three rows of two panels, with the names of the bands above the line."""
    figure, axes = _style.canvas(height=6.2, rows=3, columns=2, sharex=True, sharey=True)
    for k, (ax, title) in enumerate(zip(axes.ravel(), PANELS.values(), strict=True)):
        plot(ax, panels(data)[k], width=2)
        _style.logarithmic(ax.yaxis, [1, FACTOR])
        inside = data.edges[k][(data.edges[k] > 0) & (data.edges[k] < len(data.pairs))]
        ax.vlines(inside - 0.5, 0.8, 80, colors=_style.INK, linewidth=0.4, alpha=0.6)
        for middle, name in bands(data)[k]:
            ax.text(middle, 90, name, ha="center")
        ax.set_title(title, loc="left", pad=18)
        ax.set(xlim=(-0.5, 47.5), xticks=[0, 16, 32], ylim=(0.8, 80))
    axes[0, 0].text(46.5, 1.4, "new angles", ha="right", color=_style.SERIES[_style.NEW])
    for ax in axes[-1]:
        ax.set_xlabel("pair")
    axes[1, 0].set_ylabel("times slower")
    return figure
