"""The encoding matrix of 100 positions by 512 dimensions, as matshow draws it."""

from __future__ import annotations

import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _colors, _matrix, _style
from scripts.figures._matrix import Data, table

__all__ = ["ALT", "CAPTION", "Data", "data", "interactive", "static", "table"]

CAPTION = """
**`matshow` puts position $0$ at the top, and each number in the middle of its cell.** The matrix of
{{ len(positional_encoding(100, 512)) : d }} positions (down) and {{ len(encode(0, 512)) : d }}
dimensions (across). The drawing has $40$ steps of colour; the interactive figure and the CSV have
the full values.
"""
ALT = """
Heatmap of the encoding matrix, {{ len(positional_encoding(100, 512)) : d }} positions by
{{ len(encode(0, 512)) : d }} dimensions, position {{ 0 : d }} at the top. Fine stripes on the left,
with a wavelength of {{ wavelengths(512)[0] : .2f }} positions in the first pair, widen into arcs
towards the right. Within {{ len(positional_encoding(100, 512)) : d }} positions
{{ sum(wavelengths(512) <= 100) : d }} of the {{ len(wavelengths(512)) : d }} pairs finish a turn;
the right third is nearly plain stripes
{{ check: max(max(abs(row)) for row in positional_encoding(100, 512)[:, 342:] - encode(0,
512)[342:]) < 0.25 }}.
"""


def data() -> Data:
    """The numbers of the figure."""
    return _matrix.data(100, 512)


def static(data: Data) -> Figure:
    """The matrix by `matshow`: square cells, here of 2 x 2 dots at 200 dots per inch."""
    figure, ax = _style.canvas(height=2.3)
    figure.set_layout_engine("none")
    figure.set_dpi(200)
    ax.set_position((0.12, 80 / 230, 0.8, 100 / 230))
    image = ax.matshow(data.values, cmap=_matrix.FEW_COLORS, vmin=-1, vmax=1)
    ax.set(xticks=[0, 100, 200, 300, 400, 500], yticks=[0, 50, 99])
    ax.tick_params(bottom=False)
    ax.xaxis.set_label_position("top")
    ax.set(xlabel="dimension", ylabel="position")
    place = figure.add_axes((0.12, 50 / 230, 0.8, 10 / 230), label="<colorbar>")
    _colors.bar(figure, image, _matrix.PLAIN, cax=place, orientation="horizontal")
    return figure


def interactive(data: Data) -> go.Figure:
    """The heatmap in Plotly, ticks above."""
    figure = _matrix.interactive(data, _matrix.PLAIN)
    figure.update_xaxes(side="top")
    figure.update_layout(margin={"t": 72, "b": 16})
    return figure
