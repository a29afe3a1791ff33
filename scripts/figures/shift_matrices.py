"""The matrix that shifts every position by two, and the one that shifts it back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

import posenc
from scripts.figures import _colors, _style

CAPTION = """
The matrices $M_2$ and $M_{-2}$ at $d = 16$. Away from the blocks on the diagonal every entry is
{{ shift_matrix(2, 16)[0, 2] : .0f }}. Each block is the rotation of one pair. The
blocks at the top left turn far, those at the bottom right hardly at all.
The sines change sides from one
matrix to the other.
"""
ALT = """
Two heatmaps of {{ len(shift_matrix(2, 16)) : d }} by {{ len(shift_matrix(2, 16)) : d }} entries,
for the offsets {{ 2 : d }} and {{ -2 : d }}. Only the two-by-two blocks on the diagonal differ
from {{ shift_matrix(2, 16)[0, 2] : .0f }}. The first block of the first matrix holds
{{ shift_matrix(2, 16)[0, 0] : .3f }} on its diagonal, {{ shift_matrix(2, 16)[0, 1] : .3f }} above
and {{ shift_matrix(2, 16)[1, 0] : .3f }} below; its last block is close to the identity
{{ check: shift_matrix(2, 16)[0, 1] > 0.9 and shift_matrix(2, 16)[14, 15] < 0.001 }},
with
{{ shift_matrix(2, 16)[15, 15] : .6f }} on the diagonal. In the second matrix the two entries off
the diagonal have changed places in each block
{{ check: all(shift_matrix(2, 16)[2 * i, 2 * i + 1] == shift_matrix(-2, 16)[2 * i + 1, 2 * i] >
0 for i in range(8)) }}.
"""
SCALE = _colors.Scale(-1, 1, ticks=(-1, 0, 1))


@dataclass(frozen=True)
class Data:
    """Both matrices, and the pair of each dimension for the hover text."""

    offsets: np.ndarray  # (2,)
    dimensions: np.ndarray  # (d_model,)
    pairs: np.ndarray  # (d_model,) pair index of each dimension
    forward: np.ndarray  # (d_model, d_model)
    back: np.ndarray  # (d_model, d_model)


def data() -> Data:
    """The numbers of the figure."""
    return Data(
        offsets=np.array([2, -2]),
        dimensions=np.arange(16),
        pairs=np.arange(16) // 2,
        forward=posenc.shift_matrix(2, 16),
        back=posenc.shift_matrix(-2, 16),
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the row, one for each column of each matrix."""
    columns = {
        f"k = {k}, column {j}": matrix[:, j]
        for k, matrix in zip(data.offsets, (data.forward, data.back), strict=True)
        for j in data.dimensions
    }
    return {"row": data.dimensions, **columns}


def static(data: Data) -> Figure:
    """The two matrices side by side."""
    figure, axes = _style.canvas(height=3.5, columns=2, sharey=True)
    for ax, k, matrix in zip(axes, data.offsets, (data.forward, data.back), strict=True):
        image = _colors.image(ax, matrix, SCALE, aspect="equal")
        ax.set_title(_title(k), pad=5)
        ax.set(xticks=[0, 4, 8, 12], yticks=[0, 4, 8, 12], xlabel="column")
        _style.mark_for_sliders(ax, image, ax.title)
    axes[0].set_ylabel("row")
    _colors.bar(figure, image, SCALE, ax=axes, pad=0.02, shrink=0.8)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same matrices, with the entry and its pairs in the hover text."""
    figure = make_subplots(cols=2, shared_yaxes=True, horizontal_spacing=0.06)
    shape = data.forward.shape
    about = np.stack(
        [np.broadcast_to(data.pairs[:, None], shape), np.broadcast_to(data.pairs, shape)], axis=-1
    )
    for k, matrix in zip(data.offsets, (data.forward, data.back), strict=True):
        figure.add_heatmap(
            x=data.dimensions,
            y=data.dimensions,
            z=matrix.astype(np.float32),
            customdata=about,
            showscale=bool(k > 0),
            hovertemplate=(
                f"offset {k}<br>row %{{y}}, of pair %{{customdata[0]}}<br>"
                "column %{x}, of pair %{customdata[1]}<br>value %{z:.4f}<extra></extra>"
            ),
            row=1,
            col=1 if k > 0 else 2,
            **_colors.plotly(SCALE),
        )
    _style.layout(figure, x=[f"column, {_title(k)}" for k in data.offsets], y="row")
    figure.update_xaxes(showgrid=False)
    return figure.update_yaxes(autorange="reversed", showgrid=False)


def _title(offset: int) -> str:
    return f"k = {offset}".replace("-", "\N{MINUS SIGN}")
