"""Share of right answers at the end of a text, for each encoding, length and seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, plot
from scripts.numbers.quantities import accuracy_seeds

CAPTION = """
**Four encodings solve the task as trained {{ check: sum(accuracy(name, 32, last=True) > 0.99 for
name in ["none", "sinusoidal", "learned", "rope", "alibi", "t5"]) == 4 }}; in longer texts only RoPE
and T5's buckets keep most answers right, on average {{ check: all(accuracy(name, n, last=True) >
0.5 for name in ["rope", "t5"] for n in [64, 128]) and all(accuracy(name, n, last=True) < 0.5 for
name in ["none", "sinusoidal", "learned", "alibi"] for n in [64, 128]) }}.** A dot for each trained
model: right answers in the last eight places. Upright: the mean. A guess is right in
{{ 1 / 16 : .0% }} of the cases.
"""
ALT = """
Three panels, for {{ 32 : d }}, {{ 64 : d }} and {{ 128 : d }} letters, with a row of dots for each
encoding. Means from left to right: none {{ accuracy("none", 32, last=True) : .2f }},
{{ accuracy("none", 64, last=True) : .2f }}, {{ accuracy("none", 128, last=True) : .2f }};
sinusoids {{ accuracy("sinusoidal", 32, last=True) : .2f }},
{{ accuracy("sinusoidal", 64, last=True) : .2f }},
{{ accuracy("sinusoidal", 128, last=True) : .2f }}; table
{{ accuracy("learned", 32, last=True) : .2f }}, {{ accuracy("learned", 64, last=True) : .2f }},
{{ accuracy("learned", 128, last=True) : .2f }}; RoPE {{ accuracy("rope", 32, last=True) : .2f }},
{{ accuracy("rope", 64, last=True) : .2f }}, {{ accuracy("rope", 128, last=True) : .2f }}; ALiBi
{{ accuracy("alibi", 32, last=True) : .2f }}, {{ accuracy("alibi", 64, last=True) : .2f }},
{{ accuracy("alibi", 128, last=True) : .2f }}; T5 {{ accuracy("t5", 32, last=True) : .2f }},
{{ accuracy("t5", 64, last=True) : .2f }}, {{ accuracy("t5", 128, last=True) : .2f }}. RoPE spreads
widest in the last panel.
"""
NAMES = {
    "none": ("none", _style.BEFORE),
    "sinusoidal": ("sinusoids", 0),
    "learned": ("table", 1),
    "rope": ("RoPE", 2),
    "alibi": ("ALiBi", 3),
    "t5": ("T5", 4),
}
LABELS = [f"    {label}" for label, _ in NAMES.values()]  # room for larger letters on a phone
LENGTHS = (32, 64, 128)
TITLES = ("32, as trained", "64 letters", "128 letters")
TICKS, TICK_LABELS = [0, 0.5, 1], ["0", "½", "1"]
SHARE = "share of right answers"
APART = 0.28  # half of the height over which the seeds of a row are spread
MEAN = 0.4  # half of the height of a mean


@dataclass(frozen=True)
class Data:
    """The seeds of each encoding at each length, and where they stand."""

    rows: np.ndarray  # (seeds of all encodings,) number of the encoding
    heights: np.ndarray  # (seeds of all encodings,)
    shares: np.ndarray  # (lengths, seeds of all encodings)
    means: np.ndarray  # (lengths, encodings)


def data() -> Data:
    """The numbers of the figure."""
    found = [[accuracy_seeds(name, length, last=True) for name in NAMES] for length in LENGTHS]
    counts = [len(seeds) for seeds in found[0]]
    apart = [np.linspace(-APART, APART, count) for count in counts]
    rows = np.repeat(np.arange(len(NAMES)), counts)
    return Data(
        rows=rows,
        heights=rows + np.concatenate(apart),
        shares=np.array([np.concatenate(one) for one in found]),
        means=np.array([[seeds.mean() for seeds in one] for one in found]),
    )


def panels(data: Data) -> list[list[Line]]:
    """For each length, the seeds of an encoding as dots and their mean as an upright line."""
    return [
        [
            line
            for row, (label, color) in enumerate(NAMES.values())
            for line in (
                Line(
                    f"{label}, seeds",
                    shares[data.rows == row],
                    data.heights[data.rows == row],
                    color=color,
                    dash=None,
                    mark=".",
                ),
                Line(
                    f"{label}, mean",
                    means[[row, row]],
                    row + MEAN * np.array([-1, 1]),
                    color=color,
                ),
            )
        ]
        for shares, means in zip(data.shares, data.means, strict=True)
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each model; one column for the encoding's number, and one for each length."""
    shares = zip(LENGTHS, data.shares, strict=True)
    return {"encoding": data.rows, **{f"{length} letters": one for length, one in shares}}


def static(data: Data) -> Figure:
    """One panel for each length, one row for each encoding."""
    figure, axes = _style.canvas(height=3.1, columns=3, sharey=True)
    for ax, lines, title in zip(axes, panels(data), TITLES, strict=True):
        plot(ax, lines, width=1.8, size=5)
        ax.grid(False, axis="y")
        _style.grid(ax, "x")
        ax.set_title(title, loc="left")
        ax.set(xlim=(-0.06, 1.06), xlabel="share right")
        ax.set_xticks(TICKS, TICK_LABELS)
    axes[0].set_yticks(range(len(NAMES)), LABELS)
    axes[0].invert_yaxis()
    return figure
