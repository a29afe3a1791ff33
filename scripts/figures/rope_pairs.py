"""The four pairs of one head, turned to the positions of a query and a key, and their products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from posenc import Rotary
from scripts.figures import _arrows, _style

CAPTION = """
**Each pair turns at its own speed, and the score is the sum of their products.** A query
at $p = 5$ and a key at $q = 2$; $\\lambda$ is the wavelength in positions.
"""
ALT = """
{{ len(frequencies(8)) : d }} dials side by side, with wavelengths of {{ wavelengths(8)[0] : .2f }},
{{ wavelengths(8)[1] : .1f }}, {{ wavelengths(8)[2] : .0f }} and
{{ wavelengths(8)[3] : ,.0f }} positions. Each has two arrows and the wedge between them. Below them
stand the products {{ 0.7 * sin(3) - 0.3 * cos(3) : .2f }},
{{ 0.6 * sin(0.3) + 0.5 * cos(0.3) : .2f }}, {{ 0.8 * cos(0.03) - 0.3 * sin(0.03) : .2f }} and
{{ 0.7 * sin(0.003) + 0.2 * cos(0.003) : .2f }}, and their sum, {{ 0.7 * sin(3) - 0.3 * cos(3)
+ 0.6 * sin(0.3) + 0.5 * cos(0.3) + 0.8 * cos(0.03) - 0.3 * sin(0.03)
+ 0.7 * sin(0.003) + 0.2 * cos(0.003) : .2f }}.
"""
KEY = np.array([-0.3, 0.7, 0.5, 0.6, 0.8, -0.3, 0.2, 0.7])  # the query points up in each pair
HEAD = Rotary(8, layout="interleaved")


@dataclass(frozen=True)
class Data(_arrows.Data):
    """The dials of the pairs."""

    wavelengths: np.ndarray  # (pairs,)
    score: np.ndarray  # ()


def data() -> Data:
    """The numbers of the figure."""
    turned = HEAD.rotate(np.tile([1.0, 0.0], 4), 5), HEAD.rotate(KEY, 2)
    drawn = _arrows.dials(2.6 * np.arange(4), *(one.reshape(4, 2) for one in turned))
    score = np.array(turned[0] @ turned[1])
    return Data(**drawn, wavelengths=HEAD.wavelengths(), score=score)


def _names(data: Data) -> list[str]:
    return [f"pair {i}" for i in range(len(data.wavelengths))]


def _above(data: Data) -> list[str]:
    """Three digits of the first ones, and all before the point, so that no two look alike."""
    shown = [f"{each:.3g}" if each < 100 else f"{each:,.0f}" for each in data.wavelengths]
    return [f"{name}\nλ = {wave}" for name, wave in zip(_names(data), shown, strict=True)]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each pair."""
    pairs = np.arange(len(data.wavelengths))
    return {"pair": pairs, "wavelength": data.wavelengths, "product": data.products}


def _below(data: Data) -> list[tuple[float, str]]:
    sums = [*data.products, data.score]
    places = [*data.columns, data.columns[-1] + 2.3]
    words = [f"{value:.2f}".replace("-", "−") for value in sums]
    return list(zip(places, words, strict=True))


def static(data: Data) -> Figure:
    """Pairs above the dials, products below, and their sum at the right."""
    figure, ax = _style.canvas(height=2.3)
    shades, hands = _arrows.draw(ax, _arrows.lines(data, _names(data)))
    for x, name in zip(data.columns, _above(data), strict=True):
        _arrows.above(ax, x, name)
    below = [ax.text(x, -1.3, text, ha="center", va="top") for x, text in _below(data)]
    ax.text(_below(data)[-1][0], -0.9, "sum", ha="center", va="bottom")
    ax.set(xlim=(-1.3, 11.1))
    _style.mark_for_sliders(ax, *shades, *hands, *below)
    return figure
