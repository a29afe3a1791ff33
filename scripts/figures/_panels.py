"""Interactive figures of several panels, side by side or one above the other."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.subplots import make_subplots


def stacked(upper: str, lower: str) -> go.Figure:
    """Two empty panels, one above the other, with their names above them at the left."""
    names = (upper, lower)
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.12, subplot_titles=names)
    return figure.update_annotations(x=0, xanchor="left")
