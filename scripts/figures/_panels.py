"""Panels side by side or one above the other: what their interactive forms share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from scripts.figures import _style

_DOMAINS = {2: ([0.0, 0.48], [0.52, 1.0]), 3: ([0.0, 0.3], [0.35, 0.65], [0.7, 1.0])}


def interactive(
    panels: Sequence[tuple[str, str, np.ndarray]], *, x: Any, y: Any, limits: list[float], bar: str
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
    scale = {"title": {"text": bar}, "outlinewidth": 0, "thickness": 14}
    colors = {"colorscale": "Viridis", "cmin": limits[0], "cmax": limits[1], "colorbar": scale}
    return figure.update_layout(coloraxis=colors)


def stacked(figure: go.Figure, upper: str, lower: str, *, y: str) -> go.Figure:
    """`figure` with the traces of `y` above those of `y2`, each under its own name."""
    title = {"showarrow": False, "x": 0, "xref": "paper", "yref": "paper", "yanchor": "bottom"}
    return figure.update_layout(
        xaxis={"anchor": "y2"},
        yaxis={"domain": [0.56, 1]},
        yaxis2={"domain": [0, 0.44], "title": {"text": y}},
        annotations=[{"text": upper, "y": 1, **title}, {"text": lower, "y": 0.44, **title}],
        showlegend=False,
    )
