"""What distance alone does to an attention score: rotations, and ALiBi's slopes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

import posenc
from scripts.figures import _style

CAPTION = """
What the offset of a key from its query does to the score. Left: dot products at $d = 64$, as a
share of the largest. Two sinusoidal encodings give a symmetric curve, and so does RoPE for an equal
query and key; RoPE with a key turned by eight positions looks eight back. Right: the numbers that
four of ALiBi's eight heads add to the score, for keys behind the query. They fall without end.
"""
ALT = """
Two panels over the offset of the key. Left, from {{ -64 : d }} to {{ 64 : d }}: a curve with its
peak at offset {{ 0 : d }}, falling to {{ similarity(64, 64) / similarity(0, 64) : .2f }} of it on
both sides, and the same curve moved to a peak at {{ -8 : d }}. Right, from {{ -64 : d }} to
{{ 0 : d }}: four straight lines that end in {{ 0 : d }}. The steepest starts far below the panel,
the others at {{ -64 / 8 : .0f }}, {{ -64 / 32 : .0f }} and {{ -64 / 128 : .1f }}.
"""
TURNED = 8
KERNELS = ("sinusoidal, or RoPE", "RoPE, key turned")


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


def table(data: Data) -> dict[str, np.ndarray]:
    """One row an offset; the biases are straight lines through their slopes."""
    return {"offset": data.offsets, **dict(zip(KERNELS, data.kernels, strict=True))}


def static(data: Data) -> Figure:
    """Two panels, a legend in each."""
    figure, (left, right) = _style.canvas(height=3.4, columns=2)
    for k, (name, share) in enumerate(zip(KERNELS, data.kernels, strict=True)):
        left.plot(
            data.offsets, share, color=_style.SERIES[k], linestyle=_style.DASHES[k], label=name
        )
    for k, (head, bias) in enumerate(zip(data.heads, data.biases, strict=True)):
        color, dash = _style.SERIES[k], _style.DASHES[k]
        right.plot(data.behind, bias, color=color, linestyle=dash, label=f"head {head}")
    left.set_title("dot product, share", loc="left")
    left.set_xticks([-64, -32, 0, 32, 64])
    left.set_yticks([0.4, 0.6, 0.8, 1])
    left.set_ylim(0.25, 1.3)
    right.set_title("ALiBi, added to the score", loc="left")
    right.set_xticks([-64, -32, 0])
    right.set_yticks([-16, -12, -8, -4, 0])
    right.set_ylim(-16.8, 0.8)
    for ax in (left, right):
        ax.set_xlabel("offset of the key")
        ax.legend(loc="upper left" if ax is left else "lower left", borderpad=0)
        _style.grid(ax)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with the offset and the value in the hover text."""
    titles = ("dot product, share", "ALiBi, added to the score")
    figure = make_subplots(cols=2, subplot_titles=titles, horizontal_spacing=0.12)
    lines = [(name, data.offsets, y, 1) for name, y in zip(KERNELS, data.kernels, strict=True)]
    for head, bias in zip(data.heads, data.biases, strict=True):
        lines.append((f"head {head}", data.behind, bias, 2))
    for k, (name, x, y, column) in enumerate(lines):
        style = k if column == 1 else k - len(KERNELS)
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            name=name,
            line={
                "color": _style.PLOTLY_SERIES[style],
                "dash": _style.PLOTLY_DASHES[style],
                "width": 2,
            },
            hovertemplate=f"{name}<br>offset of the key %{{x}}<br>%{{y:.3f}}<extra></extra>",
            row=1,
            col=column,
        )
    _style.layout(figure, x="offset of the key", y="", margin={"l": 40, "r": 16, "t": 60, "b": 48})
    figure.update_layout(legend={"y": -0.22, "yanchor": "top"})
    grid = "var(--fig-grid)"
    figure.update_xaxes(title_text="offset of the key", gridcolor=grid, zerolinecolor=grid)
    figure.update_yaxes(gridcolor=grid, zerolinecolor=grid)
    figure.update_yaxes(range=[-16.8, 0.8], row=1, col=2)
    return figure
