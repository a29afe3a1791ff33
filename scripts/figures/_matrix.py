"""Data and renderings that the heatmaps of an encoding matrix share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _colors, _style

Array = np.ndarray
SCALE = _colors.Scale(-1, 1, ticks=(-1, 0, 1), title="value")
PLAIN = replace(SCALE, plain=True)
# For wide matrices in static drawings: steps of 0.05 take three quarters of the bytes of 64 steps
FEW_COLORS = mpl.colormaps[_style.COLORMAP].resampled(40)


@dataclass(frozen=True)
class Data:
    """A matrix, and the pair and wavelength of each column for the hover text."""

    positions: Array  # (length,)
    dimensions: Array  # (d_model,)
    values: Array  # (length, d_model)
    pairs: Array  # (d_model,) pair index of each dimension
    wavelengths: Array  # (d_model,) positions per turn


def data(length: int, d_model: int, *, base: float = 10_000.0) -> Data:
    """The matrix of `length` positions by `d_model` dimensions."""
    return Data(
        positions=np.arange(length),
        dimensions=np.arange(d_model),
        values=posenc.positional_encoding(length, d_model, base=base),
        pairs=np.arange(d_model) // 2,
        wavelengths=np.repeat(posenc.wavelengths(d_model, base=base), 2),
    )


def table(data: Data) -> dict[str, Array]:
    """One column for the position, one for each dimension."""
    columns = {f"dimension {j}": data.values[:, j] for j in data.dimensions}
    return {"position": data.positions, **columns}


def static(data: Data, *, height: float = 3.2) -> Figure:
    """The heatmap in Matplotlib, position 0 at the top."""
    figure, ax = _style.canvas(height=height)
    image = _colors.image(ax, data.values, SCALE)
    ax.set(xlabel="dimension", ylabel="position")
    _colors.bar(figure, image, SCALE, ax=ax, pad=0.02)
    return figure


def interactive(data: Data, scale: _colors.Scale = SCALE) -> go.Figure:
    """The heatmap in Plotly, with pair and wavelength in the hover text."""
    about = np.stack([data.pairs, data.wavelengths], axis=-1).astype(np.float32)
    heatmap = go.Heatmap(
        x=data.dimensions,
        y=data.positions,
        z=data.values.astype(np.float32),
        meta=_style.computed(*data.values.shape),
        customdata=np.broadcast_to(about, (*data.values.shape, 2)),
        hovertemplate=(
            "position %{y}<br>dimension %{x}, pair %{customdata[0]:d}<br>"
            "wavelength %{customdata[1]:,.4~g} positions<br>value %{z:.4f}<extra></extra>"
        ),
        **_colors.plotly(scale),
    )
    figure = _style.layout(go.Figure(heatmap), x="dimension", y="position")
    return figure.update_yaxes(autorange="reversed")
