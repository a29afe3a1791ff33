"""Rows of the encoding matrix as walls of clocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

CAPTION = """
Each clock is one pair of the encoding at $d = 8$: the hand's reach to the right is the sine, its
height the cosine. Each line of clocks is one position, so one row of the matrix. Every hand starts
upright and turns clockwise. Follow the diagonal that starts with pair $0$ at $p = 1$, and compare.
"""
ALT = """
Four lines of four clocks with one hand each. The lines are positions {{ 0 : d }}, {{ 1 : d }},
{{ 10 : d }} and {{ 100 : d }}; the columns are pairs with wavelengths of
{{ wavelengths(8)[0] : .2f }}, {{ wavelengths(8)[1] : .1f }}, {{ wavelengths(8)[2] : .0f }} and
{{ wavelengths(8)[3] : ,.0f }} positions. At position {{ 0 : d }} all hands point up. At position
{{ 1 : d }} only the first has clearly moved
{{ check: encode(1, 8)[0] > 0.8 and max(abs(encode(1, 8)[2::2])) < 0.1 }},
to {{ encode(1, 8)[0] : .2f }} right and
{{ encode(1, 8)[1] : .2f }} up; at position {{ 10 : d }} the second stands there, at position
{{ 100 : d }} the third.
"""


@dataclass(frozen=True)
class Data:
    """One clock for each position and pair, laid out in a grid."""

    positions: np.ndarray  # (clocks,)
    pairs: np.ndarray  # (clocks,)
    wavelengths: np.ndarray  # (clocks,)
    sines: np.ndarray  # (clocks,)
    cosines: np.ndarray  # (clocks,)
    hand_x: np.ndarray  # (clocks, 2) from the centre to the tip
    hand_y: np.ndarray
    face_x: np.ndarray  # (clocks, 61) once around
    face_y: np.ndarray
    columns: np.ndarray  # (pairs,) where the clocks of each pair stand
    rows: np.ndarray  # (shown positions,) where the clocks of each position stand


def data() -> Data:
    """The numbers of the figure."""
    shown, pairs = np.array([0, 1, 10, 100]), np.arange(4)
    columns, rows = 2.5 * pairs, -2.5 * np.arange(4)
    hands = posenc.encode(shown, 8).reshape(-1, 2)
    x, y = np.tile(columns, 4), np.repeat(rows, 4)
    around = 2 * np.pi * np.arange(61) / 60
    return Data(
        positions=np.repeat(shown, 4),
        pairs=np.tile(pairs, 4),
        wavelengths=np.tile(posenc.wavelengths(8), 4),
        sines=hands[:, 0],
        cosines=hands[:, 1],
        hand_x=np.stack([x, x + hands[:, 0]], axis=1),
        hand_y=np.stack([y, y + hands[:, 1]], axis=1),
        face_x=x[:, None] + np.sin(around),
        face_y=y[:, None] + np.cos(around),
        columns=columns,
        rows=rows,
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each clock."""
    return {
        "position": data.positions,
        "pair": data.pairs,
        "wavelength": data.wavelengths,
        "sine": data.sines,
        "cosine": data.cosines,
    }


def _pairs(data: Data) -> list[tuple[int, float]]:
    return list(zip(data.pairs[:4].tolist(), data.wavelengths[:4].tolist(), strict=True))


def _wavelength(value: float) -> str:
    """Three digits of the first ones, and all before the point, so that no two look alike."""
    return f"λ = {value:.3g}" if value < 100 else f"λ = {value:,.0f}"


def static(data: Data) -> Figure:
    """All clocks in one plane, pairs named above and positions at the left."""
    figure, ax = _style.canvas(height=5.9)
    hands = []
    for k, (i, p) in enumerate(zip(data.pairs, data.positions, strict=True)):
        name = f"pair {i}, position {p}"
        face, color = f"{name}, face", _style.SERIES[i]
        ax.plot(data.face_x[k], data.face_y[k], "-", color=_style.GRID, lw=1.2, label=face)
        hands += ax.plot(
            data.hand_x[k], data.hand_y[k], "-o", color=color, lw=2, ms=5, markevery=[1], label=name
        )
    ax.set_aspect("equal", anchor="E")
    ax.set_xticks(data.columns, [f"pair {i}\n{_wavelength(w)}" for i, w in _pairs(data)])
    ax.set_yticks(data.rows, [f"p = {p}" for p in data.positions[::4]])
    ax.xaxis.tick_top()
    for label in ax.get_xticklabels():
        label.set_linespacing(1.6)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    _style.mark_for_sliders(ax, *hands[-4:], ax.get_yticklabels()[-1])  # the last position moves
    return figure


def interactive(data: Data) -> go.Figure:
    """The same clocks, with position, pair, sine and cosine at the tip of the hand."""
    figure = go.Figure()
    for k, (i, p) in enumerate(zip(data.pairs, data.positions, strict=True)):
        name = f"pair {i}, position {p}"
        figure.add_scatter(
            x=data.face_x[k],
            y=data.face_y[k],
            mode="lines",
            name=f"{name}, face",
            line={"color": "var(--fig-grid)", "width": 1.5},
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=data.hand_x[k],
            y=data.hand_y[k],
            mode="lines+markers",
            name=name,
            line={"color": _style.PLOTLY_SERIES[i], "width": 2.5},
            marker={"size": [0, 8], "opacity": 1, "color": _style.PLOTLY_SERIES[i]},
            hovertemplate=(
                f"position {p}<br>pair {i}, dimensions {2 * i} and {2 * i + 1}<br>"
                f"wavelength {data.wavelengths[k]:,.4g} positions<br>"
                f"sine {data.sines[k]:.4f}, cosine {data.cosines[k]:.4f}<extra></extra>"
            ),
        )
    _style.layout(figure, x="", y="", showlegend=False, margin={"l": 60, "r": 8, "t": 48, "b": 8})
    bare = {"showgrid": False, "zeroline": False}
    names = [f"pair {i}<br>{_wavelength(w)}" for i, w in _pairs(data)]
    figure.update_xaxes(tickvals=data.columns, ticktext=names, side="top", **bare)
    figure.update_yaxes(
        tickvals=data.rows,
        ticktext=[f"p = {p}" for p in data.positions[::4]],
        scaleanchor="x",
        **bare,
    )
    return figure
