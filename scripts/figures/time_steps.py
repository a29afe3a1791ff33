"""How alike the middle of a range is to the rest of it: a text, time steps, times below one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
How alike the middle of a range is to every place in it, at $d = 128$: the dot product as a share
of the largest. Positions of a text keep a broad slope. Of a thousand time steps, of which every
tenth is drawn, only the nearest are alike. Times between $0$ and $1$ all look the same. Time is
encoded with the cosines first and $d/2 - 1$ in the exponent.
"""
ALT = """
Three lines over the place in a range, from its start to its end, with a peak of {{ 1 : d }} in
the middle. For a text of positions {{ 0 : d }} to {{ 100 : d }} the line falls slowly, in small
waves, to {{ similarity(50, 128) / similarity(0, 128) : .2f }} at both ends. For time steps from
{{ 0 : d }} to {{ 1000 : ,d }} it falls steeply: a hundredth of the range from the middle it
stands at {{ sum([cos(10 * exp(-2 * i / 126 * log(10000))) for i in range(64)]) / 64 : .2f }}, and
at the ends at
{{ sum([cos(500 * exp(-2 * i / 126 * log(10000))) for i in range(64)]) / 64 : .2f }}. For times
from {{ 0 : d }} to {{ 1 : d }} it is flat,
{{ sum([cos(0.5 * exp(-2 * i / 126 * log(10000))) for i in range(64)]) / 64 : .3f }} at the ends.
"""
NAMES = ("times from 0 to 1", "text, positions 0 to 100", "time steps 0 to 1,000")
_DIFFUSION = posenc.Convention(arrangement="halves", order="cos_first", freq_shift=1)


@dataclass(frozen=True)
class Data:
    """Shares of the largest dot product, over the place in the range."""

    places: np.ndarray  # (101,)
    unscaled: np.ndarray  # (101,)
    text: np.ndarray  # (101,)
    steps: np.ndarray  # (101,)


def data() -> Data:
    """The numbers of the figure."""
    counts = np.arange(101)
    rows = (
        _DIFFUSION.encode(counts / 100, 128),
        posenc.encode(counts, 128),
        _DIFFUSION.encode(counts * 10, 128),
    )
    return Data(counts / 100, *(row @ row[50] / 64 for row in rows))


def table(data: Data) -> dict[str, np.ndarray]:
    """One row a place, one column a line."""
    return {"place": data.places, **dict(zip(NAMES, _lines(data), strict=True))}


def _lines(data: Data) -> tuple[np.ndarray, ...]:
    return data.unscaled, data.text, data.steps


def static(data: Data) -> Figure:
    """Three lines in one panel."""
    figure, ax = _style.canvas(height=3.0)
    for k, (name, line) in enumerate(zip(NAMES, _lines(data), strict=True)):
        ax.plot(data.places, line, color=_style.SERIES[k], ls=_style.DASHES[k], lw=1.4, label=name)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["start", "", "middle", "", "end"])
    ax.set_yticks([0, 0.5, 1])
    ax.set_ylim(0, 1.55)
    ax.margins(x=0.01)
    ax.set_xlabel("place in the range")
    ax.set_ylabel("share of the largest")
    ax.legend(loc="upper left", borderpad=0)
    _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same lines, with place and share in the hover text."""
    figure = go.Figure()
    for k, (name, line) in enumerate(zip(NAMES, _lines(data), strict=True)):
        figure.add_scatter(
            x=data.places,
            y=line,
            mode="lines",
            name=name,
            line={"color": _style.PLOTLY_SERIES[k], "dash": _style.PLOTLY_DASHES[k]},
            hovertemplate=(
                f"{name}<br>%{{x:.0%}} of the range<br>share of the largest %{{y:.3f}}"
                "<extra></extra>"
            ),
        )
    return _style.layout(figure, x="place in the range", y="share of the largest")
