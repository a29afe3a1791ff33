"""The mean cosine of 32 hands over offsets 1 to 250, and its formula, for four choices."""

from __future__ import annotations

from tests import balls
from tests.balls import ball
from tests.figure_oracles import Expected, labelled
from tests.quantity_oracle import speeds

FORMULAS = {
    "equal": ("all equal", balls.cos),
    "even": ("evenly spaced", lambda k: (balls.sin(k + k / 64) / balls.sin(k / 64) - 1) / 64),
    "random": ("random", balls.sinc),
    "geometric": ("geometric", lambda k: 1 - (balls.euler + balls.log(k)) / (4 * balls.log(10))),
}


def expected() -> Expected:
    offsets, lines = range(1, 251), []
    for choice, (title, formula) in FORMULAS.items():
        mean = [balls.total(balls.cos(k * w) for w in speeds(choice, 32)) / 32 for k in offsets]
        lines.append((title, offsets, mean))
        lines.append((f"{title}, formula", offsets, [formula(ball(k)) for k in offsets]))
    curves = [curve for _, _, curve in lines]
    return Expected(
        fields={"offsets": offsets, "computed": curves[::2], "formulas": curves[1::2]},
        columns={"offset": offsets, **labelled(lines)},
        lines=lines,
    )
