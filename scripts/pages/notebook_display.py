"""Shows a notebook's figures as SVG, PNG and JSON while the site is built.

The build installs this in the kernel before the first cell. The notebooks do not mention it:
readers who download one get Jupyter's figures.
"""

from __future__ import annotations

import base64
from itertools import count
from typing import Any

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
from matplotlib.figure import Figure
from plotly.io.base_renderers import MimetypeRenderer

from scripts.figures import _style
from scripts.render import plotly_json, png, svg

_CLEAR = "rgba(0,0,0,0)"
_numbers = count(1)


def install(shell: Any) -> None:
    """Make `shell` show figures as the site does."""
    # The import prepares the shell for Matplotlib, which would take back what follows.
    from matplotlib_inline.config import InlineBackend

    settings: Any = {
        **_style.RC,
        "axes.facecolor": "none",
        "figure.facecolor": "none",
        "figure.figsize": (6.4, 3.2),
        "figure.constrained_layout.use": True,
    }
    mpl.rcParams.update(settings)
    InlineBackend.instance().figure_formats = set()  # no PNG beside the HTML
    shell.display_formatter.formatters["text/html"].for_type(Figure, figure_html)
    pio.renderers["posenc"] = Renderer()
    pio.renderers.default = "posenc"


class Renderer(MimetypeRenderer):  # type: ignore[misc]
    """Plotly's `figure.show()` as HTML."""

    def to_mimebundle(self, fig_dict: dict[str, Any]) -> dict[str, str]:
        kinds = [trace["type"] for trace in fig_dict["data"]]
        if kinds != ["surface"]:
            raise TypeError(f"a notebook's Plotly figure must be one surface, got {kinds}")
        (surface,) = fig_dict["data"]
        surface["z"] = _decoded(surface["z"])
        figure = go.Figure(fig_dict)
        return {"text/html": figure_html(as_seen_from_above(figure), themed(figure))}


def figure_html(drawing: Figure, interactive: go.Figure | None = None) -> str:
    """A figure that needs nothing else; `pages.notebooks` takes it apart and adds the words."""
    name = f"notebook-figure-{next(_numbers)}"
    text = svg.themed(drawing, name, "A figure.", "A figure.")
    content = base64.b64encode(text.encode()).decode()
    picture = base64.b64encode(png.picture(drawing)).decode()
    image = f'<img alt="" src="data:image/svg+xml;base64,{content}" data-png="{picture}">'
    if interactive is None:
        return f'<figure class="pf">{image}</figure>'
    content = plotly_json.text(interactive).replace("</", "<\\/")
    return (
        f'<figure class="pf" data-bundle="gl3d">{image}'
        f'<script type="application/json">{content}</script></figure>'
    )


def as_seen_from_above(figure: go.Figure) -> Figure:
    """The surface of a Plotly figure as a heatmap, with the names of its axes."""
    (surface,) = figure.data
    scene = figure.layout.scene
    drawing = Figure()
    ax = drawing.subplots()
    image = ax.imshow(
        surface.z, aspect="auto", interpolation="none", vmin=surface.cmin, vmax=surface.cmax
    )
    ax.set(xlabel=scene.xaxis.title.text, ylabel=scene.yaxis.title.text)
    bar = drawing.colorbar(image, ticks=[-1, 0, 1], pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label(scene.zaxis.title.text)
    return drawing


def themed(figure: go.Figure) -> go.Figure:
    """`figure` with the page's colours, and numbers as fine as a screen can show (float32)."""
    (surface,) = figure.data
    surface.z = surface.z.astype(np.float32)
    axis = {
        "backgroundcolor": _CLEAR,
        "gridcolor": _style.CSS[_style.GRID],
        "zerolinecolor": _style.CSS[_style.GRID],
    }
    figure.update_layout(paper_bgcolor=_CLEAR, plot_bgcolor=_CLEAR)
    figure.update_layout(margin={"l": 0, "r": 0, "t": 28, "b": 0})
    figure.update_scenes(xaxis=axis, yaxis=axis, zaxis=axis)
    figure.update_scenes(camera={"eye": {"x": -1.6, "y": -1.6, "z": 1}, "center": {"z": -0.15}})
    return figure


def _decoded(values: dict[str, str]) -> np.ndarray:
    """An array as Plotly packs it."""
    shape = [int(size) for size in values["shape"].split(",")]
    return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).reshape(shape)
