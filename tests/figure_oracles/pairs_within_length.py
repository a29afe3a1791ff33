"""Every 32nd clock at d = 512 above its wavelength, and its way through 512 steps."""

from __future__ import annotations

from typing import Any

from tests import balls
from tests.balls import ball
from tests.figure_oracles import Expected


def expected() -> Expected:
    pairs, bar = (
        range(0, 256, 32),
        [[ball("0.55"), _log10(512)], [ball("0.1")] * 2],
    )
    waves = [2 * balls.pi * ball(10) ** (ball(i) / 64) for i in pairs]
    turns = [512 / wave for wave in waves]
    parts = {
        "faces": [_circle(wave, [ball(k) / 60 for k in range(61)]) for wave in waves],
        "ways": [_circle(512 / t, [min(t, 1) * k / 60 for k in range(61)]) for t in turns],
        "hands": [_circle(512 / t, [t], centre=True) for t in turns],
    }
    fields = {"pairs": pairs, "wavelengths": waves, "turns": turns, **parts}
    drawn = zip(("pair {}, face", "pair {}, way", "pair {}"), parts.values(), strict=True)
    lines = [(label.format(i), *part[i // 32]) for label, part in drawn for i in pairs]
    return Expected(
        fields={**fields, "bar": bar, "ticks": [1, 2, 3, 4]},
        columns={"pair": pairs, "wavelength": waves, "turns": turns},
        lines=[*lines, ("text", *bar)],
    )


def _circle(wave, turns, *, centre=False):
    """Points at these turns of the clock above `wave`, behind its centre if asked for."""
    x, y, radius = _log10(wave), ball("0.5"), ball("0.21")
    around = [x + radius * balls.sin(2 * balls.pi * turn) for turn in turns]
    up = [y + radius * balls.cos(2 * balls.pi * turn) for turn in turns]
    return [[x] * centre + around, [y] * centre + up]


def _log10(number: Any) -> Any:
    return balls.log(number) / balls.log(10)
