"""A wave of twelve positions, by degrees: 30 from each position to the next."""

from __future__ import annotations

from tests import balls
from tests.balls import ball
from tests.figure_oracles import Expected, outlines


def _turned(degrees, size=1):
    cosine, sine = balls.cosine_sine(degrees * balls.pi / 180)
    return size * sine, size * cosine


def expected() -> Expected:
    fine, size, y = [ball(k) / 8 for k in range(97)], ball("0.42"), ball("-2.1")
    sine, cosine = zip(*(_turned(30 * p) for p in fine), strict=True)
    shown, lines = {"sine": sine, "cosine": cosine}, {"hand": [], "face": []}
    for p in range(13):
        tip, around = _turned(30 * p, size), [_turned(6 * k, size) for k in range(61)]
        lines["hand"].append((f"hand {p}", [p, p + tip[0]], [y, y + tip[1]]))
        circle = [p + a for a, _ in around], [y + b for _, b in around]
        lines["face"].append((f"face {p}", *circle))
    waves = [("sine", fine, sine), ("cosine", fine, cosine), ("same sine", [1, 5], [0.5, 0.5])]
    fields = {**shown, "positions": range(13), "fine": fine}
    fields |= outlines("hand", lines["hand"]) | outlines("face", lines["face"])
    drawn = [*waves, *lines["face"], *lines["hand"]]
    return Expected(fields=fields, columns={"position": fine, **shown}, lines=drawn)
