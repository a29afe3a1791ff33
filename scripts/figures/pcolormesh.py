"""The encoding matrix of 50 positions by 512 dimensions, as pcolormesh draws it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _colors, _matrix, _style
from scripts.figures._matrix import Array, table

__all__ = ["ALT", "CAPTION", "Data", "data", "interactive", "static", "table"]

CAPTION = """
**`pcolormesh` numbers the edges of cells: row $0$ lies between $0$ and $1$.** The matrix of
{{ len(positional_encoding(50, 512)) : d }} positions and {{ len(encode(0, 512)) : d }} dimensions,
its position axis turned downward. The drawing has $40$ steps of colour; the interactive figure and
the CSV have the full values.
"""
ALT = """
Heatmap of the encoding matrix, {{ len(positional_encoding(50, 512)) : d }} positions by
{{ len(encode(0, 512)) : d }} dimensions, position {{ 0 : d }} at the top. Compared with width
{{ len(encode(0, 128)) : d }}, the same pattern is spread over four times as many columns. Within
{{ len(positional_encoding(50, 512)) : d }} positions {{ sum(wavelengths(512) <= 50) : d }} of the
{{ len(wavelengths(512)) : d }} pairs finish a turn; the right third of the picture is nearly
plain stripes
{{ check: max(max(abs(row)) for row in positional_encoding(50, 512)[:, 342:] - encode(0,
512)[342:]) < 0.15 }}.
"""


@dataclass(frozen=True)
class Data(_matrix.Data):
    """The matrix, and where its cells begin and end."""

    position_edges: Array  # (length + 1,)
    dimension_edges: Array  # (d_model + 1,)


def data() -> Data:
    """The numbers of the figure."""
    matrix = _matrix.data(50, 512)
    return Data(**vars(matrix), position_edges=np.arange(51), dimension_edges=np.arange(513))


def static(data: Data) -> Figure:
    """The matrix by `pcolormesh`, at 200 dots per inch: a cell is 2 dots wide and 8 high."""
    figure, ax = _style.canvas(height=2.7)
    figure.set_layout_engine("none")
    figure.set_dpi(200)
    ax.set_position((0.0875, 45 / 270, 0.8, 200 / 270))
    mesh = ax.pcolormesh(
        data.dimension_edges,
        data.position_edges,
        data.values,
        cmap=_matrix.FEW_COLORS,
        vmin=-1,
        vmax=1,
        rasterized=True,
    )
    ax.set(xlim=(0, 512), ylim=(50, 0), xticks=[0, 128, 256, 384, 512])
    ax.set(xlabel="dimension", ylabel="position")
    place = figure.add_axes((0.9, 45 / 270, 0.015, 200 / 270), label="<colorbar>")
    _colors.bar(figure, mesh, _matrix.PLAIN, cax=place)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same cells in Plotly, between their edges."""
    figure = _matrix.interactive(data, _matrix.PLAIN)
    about = np.stack([data.dimensions, data.pairs, data.wavelengths], axis=-1).astype(np.float32)
    rows = data.positions.astype(np.int8)[:, None]
    figure.update_traces(
        x=data.dimension_edges,
        y=data.position_edges,
        customdata=np.broadcast_to(about, (*data.values.shape, 3)),
        hovertext=np.broadcast_to(rows, data.values.shape),
        hovertemplate=(
            "position %{hovertext}<br>dimension %{customdata[0]:d}, pair %{customdata[1]:d}<br>"
            "wavelength %{customdata[2]:,.4~g} positions<br>value %{z:.4f}<extra></extra>"
        ),
    )
    return figure
