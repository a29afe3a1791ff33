"""A binary counter beside the columns of the encoding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

import posenc
from scripts.figures import _style

CAPTION = """
Left: the positions $0$ to $31$ in binary, lowest bit first; dark is $0$, bright is $1$. Each bit
blinks half as often as the one before. Right: the encoding at $d = 10$ and $n = 32$, one pair for
each bit. Each pair waves half as fast as the one before, and nothing jumps.
"""
ALT = """
Two heatmaps over {{ len(positional_encoding(32, 10)) : d }} positions, side by side. Left: five
bits; the lowest changes at every position, the highest once, at position {{ 16 : d }}. Right: ten
columns of the encoding in five pairs, with wavelengths of
{{ wavelengths(10, base=32)[0] : .1f }}, {{ wavelengths(10, base=32)[1] : .1f }},
{{ wavelengths(10, base=32)[2] : .1f }}, {{ wavelengths(10, base=32)[3] : .1f }} and
{{ wavelengths(10, base=32)[4] : .1f }} positions; their colours change gradually.
"""


@dataclass(frozen=True)
class Data:
    """Two matrices over the same positions."""

    positions: np.ndarray  # (length,)
    bits: np.ndarray  # (bits,)
    periods: np.ndarray  # (bits,) positions per blink, on and off
    counter: np.ndarray  # (length, bits)
    dimensions: np.ndarray  # (d_model,)
    values: np.ndarray  # (length, d_model)
    pairs: np.ndarray  # (d_model,)
    wavelengths: np.ndarray  # (d_model,)


def data() -> Data:
    """The numbers of the figure."""
    positions, bits = np.arange(32), np.arange(5)
    return Data(
        positions=positions,
        bits=bits,
        periods=2 ** (bits + 1),
        counter=positions[:, None] >> bits & 1,
        dimensions=np.arange(10),
        values=posenc.positional_encoding(32, 10, base=32),
        pairs=np.arange(10) // 2,
        wavelengths=np.repeat(posenc.wavelengths(10, base=32), 2),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each bit, one for each dimension."""
    bits = {f"bit {b}": data.counter[:, b] for b in data.bits}
    values = {f"dimension {j}": data.values[:, j] for j in data.dimensions}
    return {"position": data.positions, **bits, **values}


def static(data: Data) -> Figure:
    """Two heatmaps, position 0 at the top."""
    figure, axes = _style.canvas(height=3.9, columns=2, sharey=True, width_ratios=[1, 2])
    drawn = ((data.counter, 0, "binary counter", "bit"), (data.values, -1, "encoding", "dimension"))
    for ax, (matrix, low, title, label) in zip(axes, drawn, strict=True):
        image = ax.imshow(matrix, aspect="auto", interpolation="none", vmin=low, vmax=1)
        ax.set_title(title, loc="left")
        ax.set_xlabel(label)
    axes[0].set_xticks(data.bits)
    axes[1].set_xticks(data.dimensions)
    axes[0].set_yticks([0, 8, 16, 24, 31])
    axes[0].set_ylabel("position")
    bar = figure.colorbar(image, ax=axes, ticks=[-1, 0, 1], pad=0.02)
    bar.outline.set_visible(False)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same heatmaps, with period or wavelength in the hover text."""
    figure = make_subplots(
        cols=2,
        shared_yaxes=True,
        column_widths=[1, 2],
        horizontal_spacing=0.06,
        subplot_titles=("binary counter", "encoding"),
    )
    about = np.stack([data.pairs, data.wavelengths], axis=-1).astype(np.float32)
    shared = {"y": data.positions, "colorscale": "Viridis", "zmax": 1}
    counter = go.Heatmap(
        x=data.bits,
        z=data.counter,
        customdata=np.broadcast_to(data.periods, data.counter.shape),
        zmin=0,
        showscale=False,
        hovertemplate=(
            "position %{y}<br>bit %{x}, repeats every %{customdata} positions<br>"
            "value %{z}<extra></extra>"
        ),
        **shared,
    )
    encoding = go.Heatmap(
        x=data.dimensions,
        z=data.values.astype(np.float32),
        customdata=np.broadcast_to(about, (*data.values.shape, 2)),
        zmin=-1,
        colorbar={"outlinewidth": 0, "thickness": 14, "tickvals": [-1, 0, 1]},
        hovertemplate=(
            "position %{y}<br>dimension %{x}, pair %{customdata[0]:d}<br>"
            "wavelength %{customdata[1]:,.4~g} positions<br>value %{z:.4f}<extra></extra>"
        ),
        **shared,
    )
    figure.add_trace(counter, row=1, col=1)
    figure.add_trace(encoding, row=1, col=2)
    _style.layout(figure, x="bit", y="position", margin={"l": 60, "r": 16, "t": 32, "b": 48})
    figure.update_xaxes(title_text="dimension", row=1, col=2)
    figure.update_yaxes(autorange="reversed")
    return figure
