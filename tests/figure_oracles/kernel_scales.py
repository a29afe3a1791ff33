"""Similarity over distance: mean cosines, and a Gaussian."""

from __future__ import annotations

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    distances = sorted({balls.nearest(ball(10) ** (ball(j) / 24)) for j in range(73)})
    sinusoids = [
        balls.total(balls.cos(k * w) for w in oracle.frequencies(512)) / 256 for k in distances
    ]
    gaussians = [
        [balls.exp(-ball(k * k) / (2 * scale * scale)) for k in distances] for scale in (10, 100)
    ]
    lines = [
        ("sinusoids", distances, sinusoids),
        ("Gaussian, scale 10", distances, gaussians[0]),
        ("Gaussian, scale 100", distances, gaussians[1]),
    ]
    return Expected(
        fields={"distances": distances, "sinusoids": sinusoids, "gaussians": gaussians},
        columns={"distance": distances, **labelled(lines)},
        lines=lines,
    )
