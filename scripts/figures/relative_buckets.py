"""Which entry of a relative table serves which distance: clipped, and in buckets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.numbers import quantities

CAPTION = """
The entry of a relative table that a key so far behind its query uses. Up to a distance of $16$
every distance has an entry of its own. After that, clipping uses the last entry for all; T5's
buckets widen in equal ratios, and the last one takes all that lies beyond.
"""
ALT = """
Two step curves over the distance on a logarithmic axis, from {{ 1 : d }} to {{ 256 : d }}. They
rise together to entry {{ 16 : d }}. The clipped one stays there. The other climbs in a staircase of
even steps to entry {{ t5_bucket(256) : d }}, which it reaches at distance
{{ min(k for k in range(256) if t5_bucket(k) == 31) : d }}.
"""
SCHEMES = ("clipped at 16", "buckets of T5")


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


def table(data: Data) -> dict[str, np.ndarray]:
    """One row a distance."""
    return {"distance": data.distances, SCHEMES[0]: data.clipped, SCHEMES[1]: data.buckets}


def static(data: Data) -> Figure:
    """Two step lines, the buckets first."""
    figure, ax = _style.canvas(height=2.9)
    for k, entries in enumerate((data.clipped, data.buckets)):
        ax.plot(
            data.distances,
            entries,
            drawstyle="steps-post",
            color=_style.SERIES[k],
            linestyle=_style.DASHES[1 - k],
            label=SCHEMES[k],
        )
    ax.set_xscale("log", base=2)
    ax.set_xticks([1, 4, 16, 64, 256], ["1", "4", "16", "64", "256"])
    ax.set_yticks([0, 8, 16, 24, 32])
    ax.set_xlabel("distance (positions)")
    ax.set_ylabel("entry of the table")
    ax.legend(handles=ax.lines[::-1], loc="upper left", borderpad=0)
    _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with distance and entry in the hover text."""
    figure = go.Figure()
    for k, entries in enumerate((data.clipped, data.buckets)):
        figure.add_scatter(
            x=data.distances,
            y=entries,
            mode="lines",
            name=SCHEMES[k],
            line={
                "shape": "hv",
                "color": _style.PLOTLY_SERIES[k],
                "dash": _style.PLOTLY_DASHES[1 - k],
                "width": 2,
            },
            hovertemplate=f"{SCHEMES[k]}<br>distance %{{x}}<br>entry %{{y}}<extra></extra>",
        )
    figure = _style.layout(figure, x="distance (positions)", y="entry of the table")
    figure.update_xaxes(type="log", tickvals=[1, 4, 16, 64, 256])
    return figure
