"""Colour maps and the bars that explain them, in both renderings from one `Scale`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from scripts.figures import _style

_SIGNED = (
    (0.0, _style.NEGATIVE),
    (0.5, "rgba(58,111,216,0)"),
    (0.5, "rgba(217,98,43,0)"),
    (1.0, _style.POSITIVE),
)


@dataclass(frozen=True)
class Scale:
    """The values at both ends of the colour map, and the labels of its bar."""

    low: float
    high: float
    ticks: Sequence[float] = ()  # without ticks there is no bar
    title: str = ""
    plain: bool = False  # viridis even for signed values, as the documents have it that we show

    @property
    def signed(self) -> bool:
        """Whether zero is in the middle, and so without a colour."""
        return self.low == -self.high and not self.plain


def image(ax: Axes, matrix: np.ndarray, scale: Scale, *, aspect: Any = "auto") -> AxesImage:
    """Draw `matrix` in Matplotlib, one cell for each value, row 0 at the top."""
    cmap = _style.SIGNED if scale.signed else _style.COLORMAP
    limits: dict[str, Any] = {"vmin": scale.low, "vmax": scale.high}
    return ax.imshow(matrix, aspect=aspect, interpolation="none", cmap=cmap, **limits)


def strong(values: np.ndarray) -> np.ndarray:
    """Whether a cell from -1 to 1 has so much colour that the page's letters are hard to read.

    >>> strong(np.array([-0.95, -0.8, 0.0, 0.7, 0.8]))
    array([ True, False, False, False,  True])
    """
    return (values < -0.9) | (values > 0.78)


def letters(value: float, *, strong: bool) -> str:
    """The colour of letters on a cell of a signed `image`."""
    if not strong:
        return _style.INK
    return "white" if value < 0 else "black"


def bar(figure: Figure, drawn: ScalarMappable, scale: Scale, **place: Any) -> None:
    """Add the bar of `drawn` in Matplotlib; `place` are options of `Figure.colorbar`."""
    made = figure.colorbar(drawn, ticks=scale.ticks, **place)
    made.outline.set_visible(False)
    if made.solids:  # as a picture even with few colours: between single areas, seams show
        made.solids.set_rasterized(True)
    if scale.title:
        made.set_label(scale.title)


def plotly(scale: Scale, letter: str = "z") -> dict[str, Any]:
    """The same scale and bar for a Plotly heatmap or, with the letter "c", for its colour axis."""
    limits = {f"{letter}min": scale.low, f"{letter}max": scale.high}
    colors = {"colorscale": _SIGNED if scale.signed else "Viridis"}
    if not scale.ticks:
        return {**colors, "showscale": False, **limits}
    bar = {"outlinewidth": 0, "thickness": 14, "tickvals": scale.ticks}
    if scale.title:
        bar["title"] = {"text": scale.title, "side": "right"}
    return {**colors, "colorbar": bar, **limits}
