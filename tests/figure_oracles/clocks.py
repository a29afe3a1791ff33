"""Dials with hands: pairs of the encoding at their positions."""

from __future__ import annotations

from typing import Any

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected, numbered, of_curves

TURN = 2 * balls.pi
AROUND = [TURN * k / 60 for k in range(61)]


def points(
    x: Any, y: Any, angles: Any, radius: Any = 1, *, centre: bool = False
) -> tuple[list, list]:
    """The x and the y of the points at these angles, clockwise from the top."""
    across, up = ([radius * wave(a) for a in angles] for wave in (balls.sin, balls.cos))
    return [x] * centre + [x + a for a in across], [y] * centre + [y + b for b in up]


def clock_hands() -> Expected:
    """Hands and faces of the clocks of eight positions at d = 8, in a grid of 2.5 radii."""
    places = {0: 0, 1: 2.5, 2: 5, 3: 7.5, 4: 10, 10: 13.5, 100: 16, 1000: 18.5}
    clocks, faces, hands = [], [], []
    for p, x in places.items():
        for i in range(4):
            angle, y, name = p / ball(10) ** i, -2.5 * i, f"pair {i}, position {p}"
            clocks.append((p, i, oracle.wavelengths(8)[i], balls.sin(angle), balls.cos(angle)))
            hands.append((name, *points(x, y, [angle], centre=True)))
            faces.append((f"{name}, face", *points(x, y, AROUND)))
    shipped = ("position", "pair", "wavelength", "sine", "cosine")
    columns = dict(zip(shipped, zip(*clocks, strict=True), strict=True))
    return Expected(columns, faces + hands, others={"ringed": [p == 10**i for p, i, *_ in clocks]})


def wave_and_hand() -> Expected:
    """A wave of twelve positions, and a clock for every whole one."""
    fine, y = [ball(k) / 8 for k in range(97)], ball("-2.1")
    sine, cosine = points(0, 0, [TURN * p / 12 for p in fine])
    hands, faces = [], []
    for p in range(13):
        hands.append((f"hand {p}", *points(p, y, [TURN * p / 12], ball("0.42"), centre=True)))
        faces.append((f"face {p}", *points(p, y, AROUND, ball("0.42"))))
    waves, level = {"sine": sine, "cosine": cosine}, ("same sine", [1, 5], [0.5, 0.5])
    return of_curves("position", fine, waves, level, *faces, *hands)


def wall_as_row() -> Expected:
    """Walls of positions 1, 10, 100 at d = 8: clocks of radius 0.6 above two cells each."""
    positions, clocks = [1, 10, 100], []
    for row, p in enumerate(positions):
        for i in range(4):
            at, name = (2 * i + 0.5, -1.4 * row), f"pair {i}, position {p}"
            clocks.append((f"{name}, face", *points(*at, AROUND, 0.6)))
            clocks.append((name, *points(*at, [p / ball(10) ** i], 0.6, centre=True)))
    values = oracle.encode(positions, 8)
    columns = {"position": positions, **numbered("dimension", values)}
    return Expected(columns, clocks, [values], others={"levels": [-4.2, -4.9, -5.6]})


def pairs_within_length() -> Expected:
    """Every 32nd clock at d = 512 above its wavelength, and its way through 512 steps."""

    def log10(number: Any) -> Any:
        return balls.log(number) / balls.log(10)

    pairs, shares = range(0, 256, 32), [ball(k) / 60 for k in range(61)]
    waves = [TURN * ball(10) ** (ball(i) / 64) for i in pairs]
    turns, parts = [512 / wave for wave in waves], {"faces": [], "ways": [], "hands": []}
    for i, wave, turn in zip(pairs, waves, turns, strict=True):
        dial = {"x": log10(wave), "y": ball("0.5"), "radius": ball("0.21")}
        way = [TURN * min(turn, 1) * share for share in shares]
        parts["faces"].append((f"pair {i}, face", *points(angles=AROUND, **dial)))
        parts["ways"].append((f"pair {i}, way", *points(angles=way, **dial)))
        parts["hands"].append((f"pair {i}", *points(angles=[TURN * turn], centre=True, **dial)))
    text = ("text", [ball("0.55"), log10(512)], [ball("0.1")] * 2)
    return Expected(
        columns={"pair": pairs, "wavelength": waves, "turns": turns},
        lines=[*(line for part in parts.values() for line in part), text],
        others={"ticks": [1, 2, 3, 4]},
    )


def shift_matrices() -> Expected:
    """Hands at p and p + 3 on two walls of four clocks, d = 8, and the matrix of the shift by 3."""
    clocks, faces, wedges, hands = [], [], [], []
    for x, p in ((0, 0), (3, 20)):
        for i in range(4):
            at, name = (x, -2.3 * i), f"pair {i}, p = {p}"
            first, last = (ball(k) / 10**i for k in (p, p + 3))  # 10000 ** (2 i / 8)
            clocks.append((p, i, first, last, last - first))
            faces.append((f"{name}, face", *points(*at, AROUND)))
            across, up = points(*at, balls.steps(first, last, 61), 0.8)
            wedges.append((f"{name}, wedge", [x, *across, x], [at[1], *up, at[1]]))
            for k, angle in ((p, first), (p + 3, last)):
                hands.append((f"{name}, hand at {k}", *points(*at, [angle], centre=True)))
    names = ("position", "pair", "angle at p", "angle at p + 3", "angle between")
    columns = dict(zip(names, zip(*clocks, strict=True), strict=True))
    return Expected(columns, [*faces, *wedges, *hands], [oracle.shift_matrix(3, 8)])
