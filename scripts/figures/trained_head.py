"""Scores of trained heads between rows of the encoding, beside those of the shift matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot
from scripts.numbers.quantities import built_score, trained_scores

CAPTION = """
**Trained heads score places as the head built by hand does: highest three back.** The mean of
{{ len(trained_scores("sinusoidal", 3)) : d }} trained heads, between lowest and highest, and the
head of $M_3$ times the best gain. The mean over the keys is subtracted
{{ check: all(argmax([trained_scores("sinusoidal", k)[head] for k in range(32)]) == 3 for head in
range(20)) and argmax([built_score(k) for k in range(32)]) == 3 }}.
"""
ALT = """
Two lines over the offsets {{ 0 : d }} to {{ 31 : d }}, the first between two dotted ones that
enclose all trained heads. Both rise to a peak at {{ 3 : d }}: the mean of the trained heads to
{{ sum(trained_scores("sinusoidal", 3)) / len(trained_scores("sinusoidal", 3)) : .1f }}, the head
built by hand to {{ built_score(3) : .1f }}. Farther back, both swing around low values.
"""
OFFSETS = range(32)


@dataclass(frozen=True)
class Data:
    """Scores by the places from the query back to the key."""

    offsets: np.ndarray  # (offsets,)
    trained: np.ndarray  # (offsets,) the mean of all heads
    lowest: np.ndarray  # (offsets,)
    highest: np.ndarray  # (offsets,)
    built: np.ndarray  # (offsets,)


def data() -> Data:
    """The numbers of the figure."""
    heads = np.array([trained_scores("sinusoidal", offset) for offset in OFFSETS])
    return Data(
        offsets=np.array(OFFSETS),
        trained=heads.mean(axis=1),
        lowest=heads.min(axis=1),
        highest=heads.max(axis=1),
        built=np.array([built_score(offset) for offset in OFFSETS]),
    )


def lines(data: Data) -> list[Line]:
    """The trained heads with their range, and the head built by hand."""
    shown = [
        ("trained", data.trained, 0, 0),
        ("lowest", data.lowest, 0, 2),
        ("highest", data.highest, 0, 2),
        ("built by hand", data.built, _style.BEFORE, 1),
    ]
    return [
        Line(name, data.offsets, scores, color=color, dash=dash)
        for name, scores, color, dash in shown
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the offset, one for each line."""
    return columns("places back", lines(data))


def static(data: Data) -> Figure:
    """All lines in one panel, labelled beside their peaks."""
    figure, ax = _style.canvas(height=2.9)
    plot(ax, lines(data), width=1.3)
    ax.set(xlabel="places from the query back to the key", ylabel="score")
    ax.set(xlim=(0, 31), xticks=[0, 3, 10, 20, 31], yticks=[-10, -5, 0, 5])
    for line, place in (("trained", (14, -2)), ("built by hand", (24, -16))):
        (shown,) = [one for one in lines(data) if one.label == line]
        color = _style.SERIES[shown.color]
        peak = (3, shown.y[3])
        ax.annotate(line, peak, place, textcoords="offset points", color=color)
    return figure
