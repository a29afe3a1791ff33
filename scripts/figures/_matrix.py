"""An encoding matrix as a picture: what the heatmaps share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

Array = np.ndarray


@dataclass(frozen=True)
class Data:
    """A matrix with what the hover text says of each column."""

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
    image = ax.imshow(data.values, aspect="auto", interpolation="none", vmin=-1, vmax=1)
    ax.set_xlabel("dimension")
    ax.set_ylabel("position")
    bar = figure.colorbar(image, ax=ax, ticks=[-1, -0.5, 0, 0.5, 1], pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label("value", labelpad=4)
    return figure


def interactive(data: Data) -> go.Figure:
    """The heatmap in Plotly, with pair and wavelength in the hover text."""
    about = np.stack([data.pairs, data.wavelengths], axis=-1).astype(np.float32)
    heatmap = go.Heatmap(
        x=data.dimensions,
        y=data.positions,
        z=data.values.astype(np.float32),
        meta=_style.computed(*data.values.shape),
        customdata=np.broadcast_to(about, (*data.values.shape, 2)),
        colorscale="Viridis",
        zmin=-1,
        zmax=1,
        colorbar={"title": {"text": "value"}, "outlinewidth": 0, "thickness": 14},
        hovertemplate=(
            "position %{y}<br>dimension %{x}, pair %{customdata[0]:d}<br>"
            "wavelength %{customdata[1]:,.4~g} positions<br>value %{z:.4f}<extra></extra>"
        ),
    )
    figure = _style.layout(go.Figure(heatmap), x="dimension", y="position")
    figure.update_yaxes(autorange="reversed")
    return figure
