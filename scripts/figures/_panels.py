"""Interactive figures of several panels, side by side or one above the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from scripts.figures import _colors, _style

_DOMAINS = {2: ([0.0, 0.48], [0.52, 1.0]), 3: ([0.0, 0.3], [0.35, 0.65], [0.7, 1.0])}


def heatmaps(
    panels: Sequence[tuple[str, str, np.ndarray]], *, x: Any, y: Any, scale: _colors.Scale
) -> go.Figure:
    """One panel for each (title, hover text, matrix), from left to right."""
    figure = _style.layout(go.Figure(), x="", y="")
    for k, (title, hover, matrix) in enumerate(panels):
        axis = f"x{k + 1}"
        figure.add_heatmap(
            x=x,
            y=y,
            z=matrix.astype(np.float32),
            xaxis=axis,
            coloraxis="coloraxis",
            hovertemplate=f"{hover}<extra></extra>",
        )
        place = {"domain": _DOMAINS[len(panels)][k], "title": {"text": title}}
        figure.update_layout({axis.replace("x", "xaxis"): place})
    figure.update_xaxes(showgrid=False, zeroline=False, ticks="")
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False, ticks="")
    return figure.update_layout(coloraxis=_colors.plotly(scale, "c"))


def stacked(upper: str, lower: str) -> go.Figure:
    """Two empty panels, one above the other, with their names above them at the left."""
    names = (upper, lower)
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.12, subplot_titles=names)
    return figure.update_annotations(x=0, xanchor="left")
