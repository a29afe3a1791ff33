"""The angle between two random directions, in spaces of four widths."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log, pi

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot

CAPTION = """
**In a wide space, two random directions stand nearly at right angles.** The angle is
typically $1/\\sqrt{d}$ radians away from $90$ degrees, {{ 180 / pi / sqrt(512) : .1f }} degrees at
$d = 512$.
"""
ALT = """
Four curves of likelihood over the angle from {{ 0 : d }} to {{ 180 : d }} degrees, for the widths
{{ 2 : d }}, {{ 8 : d }}, {{ 64 : d }} and {{ 512 : d }}. For width {{ 2 : d }} all angles are
equally likely. The other curves are bells around {{ 90 : d }} degrees, each higher and narrower
than the one before
{{ check: sin(pi / 3) ** (8 - 2) > sin(pi / 3) ** (64 - 2) > sin(pi / 3) ** (512 - 2) }}.
{{ 10 : d }} degrees away from the middle, the curve of width {{ 64 : d }} has
{{ cos(pi / 18) ** 62 : .2f }} of its height, that of width {{ 512 : d }} only
{{ cos(pi / 18) ** 510 : .4f }}.
"""


@dataclass(frozen=True)
class Data:
    """One curve for each width."""

    widths: np.ndarray  # (widths,)
    degrees: np.ndarray  # (angles,)
    likely: np.ndarray  # (widths, angles) density, per degree


def data() -> Data:
    """The density of the angle a is proportional to sin(a) ** (d - 2)."""
    widths, degrees = np.array([2, 8, 64, 512]), np.arange(1, 180)
    sines = np.sin(np.radians(degrees))
    scale = [lgamma(d / 2) - lgamma((d - 1) / 2) - log(pi) / 2 + log(pi / 180) for d in widths]
    likely = [np.exp(s + (d - 2) * np.log(sines)) for d, s in zip(widths, scale, strict=True)]
    return Data(widths, degrees, np.array(likely))


def lines(data: Data) -> list[Line]:
    """One curve for each width."""
    return [
        Line(f"d = {d}", data.degrees, curve, color=k)
        for k, (d, curve) in enumerate(zip(data.widths, data.likely, strict=True))
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the angle, one for each width."""
    return columns("angle in degrees", lines(data))


def static(data: Data) -> Figure:
    """The curves, each with its width beside it."""
    figure, ax = _style.canvas(height=2.6)
    drawn = lines(data)
    plot(ax, drawn)
    for line, at in zip(drawn, (18, 108, 97, 93), strict=True):
        place = {"textcoords": "offset points", "color": _style.SERIES[line.color]}
        ax.annotate(line.label, (at, line.y[at - 1]), (4, 4), **place)
    ax.set(xlabel="angle in degrees", ylabel="likelihood per degree")
    ax.set(xlim=(0, 180), ylim=(0, 0.17), xticks=[0, 45, 90, 135, 180], yticks=[0, 0.05, 0.1, 0.15])
    return figure
