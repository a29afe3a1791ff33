"""Similarity over the offset, for four choices of the hands' speeds, and its four formulas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _lines, _style
from scripts.numbers import quantities

CAPTION = """
**Of four choices, only geometric speeds tell near from far on every scale.** There, ten times as
far is less alike at each offset drawn {{ check: all(sum(cos(k * speeds("geometric", 32)) - cos(10 *
k * speeds("geometric", 32))) > 0 for k in range(1, 26)) and all(min([sum(cos(k * speeds(choice,
32)) - cos(10 * k * speeds(choice, 32))) for k in range(1, 26)]) < 0 for choice in ["equal", "even",
"random"]) }}. Similarity of two positions by their offset, for {{ len(speeds("even", 32)) : d }}
hands: blue as computed, dashed by the formula.
"""
ALT = """
Four panels of similarity over offsets {{ 1 : d }} to {{ 250 : d }} on a logarithmic axis, each with
the curve of a formula. Equal speeds: a wave that swings between {{ -1 : d }} and {{ 1 : d }}
without end. Evenly spaced: {{ sum(cos(10 * speeds("even", 32))) / 32 : .2f }} at offset
{{ 10 : d }}, and back at {{ sum(cos(201 * speeds("even", 32))) / 32 : .2f }} at offset
{{ 201 : d }}. In both, the formula's curve lies on the computed one. Random: from offset
{{ 5 : d }} on it wavers about {{ 0 : d }}, up to
{{ sum(cos(147 * speeds("random", 32))) / 32 : .2f }} at offset {{ 147 : d }},
and the formula's curve runs to {{ 0 : d }}. Geometric: a fall from
{{ sum(cos(1 * speeds("geometric", 32))) / 32 : .2f }} through
{{ sum(cos(10 * speeds("geometric", 32))) / 32 : .2f }} at offset {{ 10 : d }} to
{{ sum(cos(200 * speeds("geometric", 32))) / 32 : .2f }} at offset {{ 200 : d }}, in ripples about
a straight line.
"""
CHOICES = ("equal", "even", "random", "geometric")
TITLES = ("all equal", "evenly spaced", "random", "geometric")


@dataclass(frozen=True)
class Data:
    """The mean of the cosines of all hands' turns by offset, and the formula for it."""

    offsets: np.ndarray  # (offsets,)
    computed: np.ndarray  # (choices, offsets)
    formulas: np.ndarray  # (choices, offsets)


def data() -> Data:
    """The numbers of the figure."""
    k = np.arange(1, 251)
    computed = [
        np.cos(np.outer(k, quantities.speeds(choice, 32))).mean(axis=1) for choice in CHOICES
    ]
    dirichlet = (np.sin(65 * k / 64) / np.sin(k / 64) - 1) / 64
    law = 1 - (np.euler_gamma + np.log(k)) / np.log(10_000)
    formulas = [np.cos(k), dirichlet, np.sin(k) / k, law]
    return Data(offsets=k, computed=np.array(computed), formulas=np.array(formulas))


def _panels(data: Data) -> list[list[_lines.Line]]:
    """For each choice, the computed line and that of its formula."""
    panels = []
    for title, computed, formula in zip(TITLES, data.computed, data.formulas, strict=True):
        line = _lines.Line(title, data.offsets, computed)
        name = f"{title}, formula"
        panels.append([line, _lines.Line(name, line.x, formula, color=1, dash=1)])
    return panels


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each offset."""
    return _lines.columns("offset", [line for lines in _panels(data) for line in lines])


def static(data: Data) -> Figure:
    """Four panels that share their axes."""
    figure, axes = _style.canvas(height=4.4, rows=2, columns=2, sharex=True, sharey=True)
    for ax, lines in zip(axes.flat, _panels(data), strict=True):
        computed, formula = _lines.plot(ax, lines)
        computed.set_linewidth(2.4)
        formula.set_linewidth(1)
        _style.logarithmic(ax.xaxis, [1, 10, 100])
        ax.set_title(lines[0].label, loc="left")
        ax.set_yticks([-1, 0, 1])
    for name, color, y in (("computed", 0, -0.55), ("formula", 1, -0.95)):
        axes[1, 1].text(1.1, y, name, color=_style.SERIES[color])
    for ax in axes[1]:
        ax.set_xlabel("offset k")
    for ax in axes[:, 0]:
        ax.set_ylabel("similarity")
    return figure
