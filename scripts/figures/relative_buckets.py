"""Which entry of a relative table serves which distance: clipped, and in buckets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot
from scripts.numbers import quantities

CAPTION = """
**Buckets are fine for near keys and coarse for far ones.** The entry that a key uses, by its
distance behind the query: clipped at $16$, or as in T5's decoder, where $16$ to $18$ share one,
then $19$ and $20$ {{ check: t5_bucket(16) == t5_bucket(18) < t5_bucket(19) == t5_bucket(20) <
t5_bucket(21) }}.
"""
ALT = """
Two step curves over the distance on a logarithmic axis, from {{ 1 : d }} to {{ 256 : d }}. They
rise together to entry {{ 16 : d }}
{{ check: all(t5_bucket(k) == k for k in range(17)) }}.
The clipped one stays there. The other climbs in steps,
some longer and some shorter, to entry {{ t5_bucket(256) : d }}, which it reaches at distance
{{ min(k for k in range(256) if t5_bucket(k) == 31) : d }}.
"""
SCHEMES = ("clipped at 16", "buckets of T5")
TICKS = [1, 4, 16, 64, 256]


@dataclass(frozen=True)
class Data:
    """Entries by distance."""

    distances: np.ndarray  # (distances,)
    clipped: np.ndarray  # (distances,)
    buckets: np.ndarray  # (distances,)


def data() -> Data:
    """The numbers of the figure."""
    distances = np.arange(1, 257)
    return Data(
        distances=distances,
        clipped=np.minimum(distances, 16),
        buckets=np.array([quantities.t5_bucket(int(k)) for k in distances]),
    )


def lines(data: Data) -> list[Line]:
    """One step line for each scheme."""
    clipped, buckets = SCHEMES
    x = data.distances
    return [
        Line(clipped, x, data.clipped, dash=1, step="post"),
        Line(buckets, x, data.buckets, color=1, step="post"),
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each distance."""
    return columns("distance", lines(data))


def static(data: Data) -> Figure:
    """Two step lines, each named beside its end."""
    figure, ax = _style.canvas(height=2.9)
    plot(ax, lines(data))
    _style.logarithmic(ax.xaxis, TICKS)
    ax.set(xlabel="distance (positions)", ylabel="entry of the table", yticks=[0, 8, 16, 24, 32])
    for k, (name, y) in enumerate(zip(SCHEMES, (18, 29), strict=True)):
        ax.text(60 if k == 0 else 20, y, name, color=_style.SERIES[k])
    return figure
