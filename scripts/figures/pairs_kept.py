"""What a rotary model can do if only its fastest pairs turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, plot
from scripts.numbers.quantities import pairs_seeds

CAPTION = """
**The four fastest pairs do the work of RoPE; in a longer text the next four do harm
{{ check: pairs_accuracy("rope", 3, last=True) < pairs_accuracy("rope", 4, last=True) and
pairs_accuracy("rope", 4, last=True) > 0.999 and pairs_accuracy("rope", 4, length=128, last=True) >
pairs_accuracy("rope", 5, length=128, last=True) > pairs_accuracy("rope", 6, length=128, last=True)
> pairs_accuracy("rope", 8, length=128, last=True) }}.** Right answers
in the last eight places: a dot for each of {{ len(pairs_seeds("rope", 4, last=True)) : d }} models,
lines through their means.
"""
ALT = """
Two lines over the number of pairs that turn. At {{ 32 : d }} letters the share rises from
{{ pairs_accuracy("rope", 0, last=True) : .2f }} without a turning pair over
{{ pairs_accuracy("rope", 2, last=True) : .2f }} with {{ 2 : d }} to
{{ pairs_accuracy("rope", 4, last=True) : .2f }} with {{ 4 : d }}, and stays there. At {{ 128 : d }}
letters it rises to {{ pairs_accuracy("rope", 4, length=128, last=True) : .2f }} with {{ 4 : d }}
pairs, and falls to {{ pairs_accuracy("rope", 16, length=128, last=True) : .2f }} with all
{{ 16 : d }}; there the dots of the models lie far apart.
"""
COUNTS = (0, 1, 2, 3, 4, 5, 6, 8, 12, 16)
LABELS = {32: "32 letters, as trained", 128: "128 letters"}
COLORS = (_style.BEFORE, _style.NEW)
TITLES = ("fastest pairs that turn", "share of right answers")


@dataclass(frozen=True)
class Data:
    """Shares of right answers in the last eight places, seed by seed."""

    counts: np.ndarray  # (counts,) pairs that turn
    shares: np.ndarray  # (lengths, counts, seeds)
    means: np.ndarray  # (lengths, counts)


def data() -> Data:
    """The numbers of the figure."""
    shares = np.array(
        [[pairs_seeds("rope", k, length=n, last=True) for k in COUNTS] for n in LABELS]
    )
    return Data(np.array(COUNTS), shares, shares.mean(axis=-1))


def lines(data: Data) -> list[Line]:
    """The mean of each length, then its seeds."""
    seeds = data.shares.shape[-1]
    made = []
    for label, shares, means, color in zip(
        LABELS.values(), data.shares, data.means, COLORS, strict=True
    ):
        made += [
            Line(f"{label}, mean", data.counts, means, color=color),
            Line(
                f"{label}, seeds",
                np.repeat(data.counts, seeds),
                shares.ravel(),
                color=color,
                dash=None,
                mark=".",
            ),
        ]
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each count; one column for each seed at each length."""
    columns = {
        f"{label}, seed {seed}": shares[:, seed]
        for label, shares in zip(LABELS.values(), data.shares, strict=True)
        for seed in range(shares.shape[-1])
    }
    return {TITLES[0]: data.counts, **columns}


def static(data: Data) -> Figure:
    """Both lines in one panel, labelled where they end."""
    figure, ax = _style.canvas(height=3)
    plot(ax, lines(data), width=1.5, size=4)
    ax.set(xlabel=TITLES[0], ylabel=TITLES[1], xlim=(-0.3, 16.3), ylim=(0, 1.04))
    ax.set(xticks=[0, 1, 2, 4, 6, 8, 12, 16], yticks=[0, 0.5, 1])
    for label, means, color in zip(LABELS.values(), data.means, COLORS, strict=True):
        place = {"textcoords": "offset points", "ha": "center", "va": "top"}
        between = means[-3:-1].mean()  # the dots of 8 and of 12 pairs
        ax.annotate(label, (10, between), (0, -5), color=_style.SERIES[color], **place)
    return figure
