"""Every 32nd clock at d = 512 above its wavelength, and its way through 512 steps."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected

mp = oracle.mp


def expected() -> Expected:
    pairs = range(0, 256, 32)
    waves = [2 * mp.pi * mp.power(10, mp.mpf(i) / 64) for i in pairs]
    bar = ([mp.mpf("0.55"), mp.log10(512)], [mp.mpf("0.1")] * 2)
    parts = {"face": [], "arc": [], "hand": []}
    for wave in waves:
        angle, centre = 2 * mp.pi * 512 / wave, mp.log10(wave)
        for name, end in (("face", 2 * mp.pi), ("arc", min(angle, 2 * mp.pi))):
            parts[name].append([_point(centre, end * k / 60) for k in range(61)])
        parts["hand"].append([(centre, mp.mpf("0.5")), _point(centre, angle)])
    drawn = {name: [tuple(zip(*one, strict=True)) for one in all_] for name, all_ in parts.items()}
    labels = {"face": "pair {}, face", "arc": "pair {}, way", "hand": "pair {}"}
    turns = [512 / wave for wave in waves]
    return Expected(
        fields={
            **{"pairs": pairs, "wavelengths": waves, "turns": turns},
            **{f"{name}_x": [x for x, _ in lines] for name, lines in drawn.items()},
            **{f"{name}_y": [y for _, y in lines] for name, lines in drawn.items()},
            **{"text_x": bar[0], "text_y": bar[1], "ticks": [1, 2, 3, 4]},
        },
        columns={"pair": pairs, "wavelength": waves, "turns": turns},
        lines=[
            *((labels[name].format(i), *drawn[name][k]) for name in parts for k, i in enumerate(pairs)),
            ("text", *bar),
        ],
    )


def _point(x, angle):
    radius = mp.mpf("0.21")
    return x + radius * mp.sin(angle), mp.mpf("0.5") + radius * mp.cos(angle)
