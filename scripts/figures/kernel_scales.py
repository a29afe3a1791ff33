"""One length scale or all of them: Gaussian Fourier features and the sinusoids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, name, plot

CAPTION = """
**Sinusoids serve all scales, Gaussian frequencies one.** Similarity over distance, as a share of
the largest. Sinusoids at $d = 512$ fall about equally for each factor of ten
{{ tried: all(abs((similarity(k, 512) - similarity(10 * k, 512)) / similarity(0, 512) - log(10) /
log(10000)) < 0.05 for k in [1, 2, 5, 10, 20, 50, 100]) }}; Gaussian ones, in the limit of many,
within one decade.
"""
ALT = """
Three curves that fall over the distance from {{ 1 : d }} to {{ 1000 : ,d }}. The sinusoidal one is
nearly straight, with ripples from about {{ 200 : d }} on:
{{ similarity(10, 512) / similarity(0, 512) : .2f }} at {{ 10 : d }},
{{ similarity(100, 512) / similarity(0, 512) : .2f }} at {{ 100 : d }}. The Gaussian one of
scale {{ 10 : d }} falls from {{ exp(-0.01 / 2) : .2f }} at distance {{ 1 : d }} to
{{ exp(-9 / 2) : .2f }} at {{ 30 : d }}; that of scale {{ 100 : d }} is the same curve, a
decade later.
"""
SCALES = (10, 100)


@dataclass(frozen=True)
class Data:
    """Similarities as a share of the largest."""

    distances: np.ndarray  # (distances,)
    sinusoids: np.ndarray  # (distances,)
    gaussians: np.ndarray  # (scales, distances)


def data() -> Data:
    """The numbers of the figure."""
    distances = np.unique(np.rint(10 ** (np.arange(73) / 24)).astype(int))
    scales = np.array(SCALES)[:, np.newaxis]
    return Data(
        distances=distances,
        sinusoids=np.asarray(posenc.similarity(distances, 512) / posenc.similarity(0, 512)),
        gaussians=np.exp(-((distances / scales) ** 2) / 2),
    )


def lines(data: Data) -> list[Line]:
    """One curve for the sinusoids, one for each scale."""
    names = ("sinusoids", *(f"Gaussian, scale {scale}" for scale in SCALES))
    return [
        Line(name, data.distances, share, color=k, dash=k)
        for k, (name, share) in enumerate(
            zip(names, (data.sinusoids, *data.gaussians), strict=True)
        )
    ]


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the distance, one for each curve."""
    return columns("distance", lines(data))


def static(data: Data) -> Figure:
    """Three curves on a logarithmic axis."""
    figure, ax = _style.canvas(height=2.9)
    plot(ax, lines(data))
    for line, x, y in zip(lines(data), (450, 18, 105), (0.33, 0.3, 0.63), strict=True):
        name(ax, line, x, y)
    _style.logarithmic(ax.xaxis, [1, 10, 100, 1000])
    ax.set(xlabel="distance", ylabel="share of the largest")
    ax.set(yticks=[0, 0.25, 0.5, 0.75, 1], ylim=(-0.05, 1.05))
    return figure
