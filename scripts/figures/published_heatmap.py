"""The heatmap that ApX prints, above the rows that the formula gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _colors, _panels, _style
from scripts.numbers.quantities import published

CAPTION = r"""
**Row $0$ is right as far as it goes {{ check: max(abs(published("heatmap", 0) - encode(0,
128)[:len(published("heatmap", 0))])) == 0 }}; of rows $1$ and $2$ only the first two cells agree
{{ check: all(sum(abs(published("heatmap", p) - encode(p, 128)[:len(published("heatmap", p))]) <
0.001) == 2 == sum(abs(published("heatmap", p)[:2] - encode(p, 128)[:2]) < 0.001) for p in [1,
2]) }}.** Above, the numbers that the [ApX practice page](sources.md#source-000) prints for its
heatmap of $50 \times 128$: three rows, none complete (hatched or empty: missing).
Below, the same rows by the formula.
"""
ALT = """
Two heatmaps of the positions {{ 0 : d }}, {{ 1 : d }} and {{ 2 : d }} over
{{ len(encode(0, 128)) : d }} dimensions, one above the other, in the same colours. The upper one
is as printed: its rows end after {{ len(published("heatmap", 0)) : d }},
{{ len(published("heatmap", 1)) : d }} and {{ len(published("heatmap", 2)) : d }} cells, and the
cells that are missing on the right are hatched. The lower one, from the formula, is complete. The
first rows agree. In the row of position {{ 1 : d }} the printed values drift to
{{ published("heatmap", 1)[-2] : .2f }} and {{ published("heatmap", 1)[-1] : .2f }}, where the
formula has {{ encode(1, 128)[112] : .4f }} and {{ encode(1, 128)[113] : .4f }}.
"""
NAMES = ("as printed", "by the formula")
SCALE = _colors.Scale(-1, 1, ticks=(-1, 0, 1), title="value")


@dataclass(frozen=True)
class Data:
    """The printed cells one by one, and the complete true rows."""

    position: np.ndarray  # (cells,) of each printed cell
    dimension: np.ndarray  # (cells,)
    printed: np.ndarray  # (cells,)
    formula: np.ndarray  # (cells,) the formula's value for it
    rows: np.ndarray  # (3, 128) the formula's


def data() -> Data:
    """The numbers of the figure."""
    printed = [published("heatmap", row) for row in range(3)]
    lengths = [len(values) for values in printed]
    position = np.repeat(np.arange(3), lengths)
    dimension = np.concatenate([np.arange(length) for length in lengths])
    rows = posenc.positional_encoding(3, 128)
    return Data(position, dimension, np.concatenate(printed), rows[position, dimension], rows)


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each cell that is printed."""
    return {
        "position": data.position,
        "dimension": data.dimension,
        "printed": data.printed,
        "formula": data.formula,
    }


def _images(data: Data) -> tuple[np.ndarray, np.ndarray]:
    """Both heatmaps; a cell that is not printed stays NaN."""
    printed = np.full(data.rows.shape, np.nan)
    printed[data.position, data.dimension] = data.printed
    return printed, data.rows


def static(data: Data) -> Figure:
    """One above the other, with one scale of colours."""
    figure, axes = _style.canvas(height=3.0, rows=2, sharex=True)
    for ax, name, image in zip(axes, NAMES, _images(data), strict=True):
        drawn = _colors.image(ax, image, SCALE)
        ax.patch.set(hatch="////", hatchcolor=_style.INK, hatch_linewidth=0.6)
        ax.set_title(name, loc="left", pad=4)
        ax.set(yticks=[0, 1, 2], ylabel="position")
    axes[-1].set_xlabel("dimension")
    _colors.bar(figure, drawn, SCALE, ax=axes, pad=0.02)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same two, without hover text at cells that are not printed."""
    figure = _panels.stacked(*NAMES)
    for row, name, image in zip((1, 2), NAMES, _images(data), strict=True):
        figure.add_heatmap(
            x=np.arange(128),
            y=[0, 1, 2],
            z=image.astype(np.float32),
            coloraxis="coloraxis",
            hovertemplate=(
                f"{name}<br>position %{{y}}, dimension %{{x}}<br>value %{{z:.4f}}<extra></extra>"
            ),
            row=row,
            col=1,
        )
    _style.layout(figure, x="dimension", y="position", coloraxis=_colors.plotly(SCALE, "c"))
    figure.update_yaxes(autorange="reversed", dtick=1, showgrid=False, zeroline=False)
    return figure.update_xaxes(showgrid=False, zeroline=False)
