"""Dials with hands: pairs of the encoding at their positions, and rotary pairs that turn."""

from __future__ import annotations

from typing import Any

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected, numbered

TURN = 2 * balls.pi
AROUND = [TURN * k / 60 for k in range(61)]


def points(x: Any, y: Any, angles: Any, radius: Any = 1) -> tuple[list, list]:
    """The x and the y of the points at these angles, clockwise from the top."""
    return [x + radius * balls.sin(a) for a in angles], [y + radius * balls.cos(a) for a in angles]


def clock_hands() -> Expected:
    """Hands and faces of the clocks of eight positions at d = 8, in a grid of 2.5 radii."""
    places = {0: 0, 1: 2.5, 2: 5, 3: 7.5, 4: 10, 10: 13.5, 100: 16, 1000: 18.5}
    clocks, faces, hands = [], [], []
    for p, x in places.items():
        for i in range(4):
            sine, cosine = balls.sin(p / ball(10) ** i), balls.cos(p / ball(10) ** i)
            y, name = -2.5 * i, f"pair {i}, position {p}"
            clocks.append((p, i, oracle.wavelengths(8)[i], sine, cosine))
            hands.append((name, [x, x + sine], [y, y + cosine]))
            faces.append((f"{name}, face", *points(x, y, AROUND)))
    shipped = ("position", "pair", "wavelength", "sine", "cosine")
    columns = dict(zip(shipped, zip(*clocks, strict=True), strict=True))
    others = {"columns": list(places.values()), "rows": [0, -2.5, -5, -7.5]}
    others["ringed"] = [p == 10**i for p, i, *_ in clocks]
    return Expected(columns, faces + hands, others=others)


def wave_and_hand() -> Expected:
    """A wave of twelve positions, by degrees: 30 from each position to the next."""

    def turned(degrees: Any, size: Any = 1) -> tuple[Any, Any]:
        cosine, sine = balls.cosine_sine(degrees * balls.pi / 180)
        return size * sine, size * cosine

    fine, size, y = [ball(k) / 8 for k in range(97)], ball("0.42"), ball("-2.1")
    sine, cosine = zip(*(turned(30 * p) for p in fine), strict=True)
    hands, faces = [], []
    for p in range(13):
        tip, around = turned(30 * p, size), [turned(6 * k, size) for k in range(61)]
        hands.append((f"hand {p}", [p, p + tip[0]], [y, y + tip[1]]))
        faces.append((f"face {p}", [p + a for a, _ in around], [y + b for _, b in around]))
    waves = [("sine", fine, sine), ("cosine", fine, cosine), ("same sine", [1, 5], [0.5, 0.5])]
    columns = {"position": fine, "sine": sine, "cosine": cosine}
    return Expected(columns, [*waves, *faces, *hands])


def wall_as_row() -> Expected:
    """Walls of positions 1, 10, 100 at d = 8: clocks of radius 0.6 above two cells each."""
    positions, faces, hands = [1, 10, 100], [], []
    for row, p in enumerate(positions):
        for i in range(4):
            x, y, name = 2 * i + 0.5, -1.4 * row, f"pair {i}, position {p}"
            faces.append((f"{name}, face", *points(x, y, AROUND, 0.6)))
            (across,), (up,) = points(x, y, [p / ball(10) ** i], 0.6)
            hands.append((name, [x, across], [y, up]))
    values = oracle.encode(positions, 8)
    return Expected(
        columns={"position": positions, **numbered("dimension", values)},
        lines=[line for pair in zip(faces, hands, strict=True) for line in pair],
        images=[values],
        others={"levels": [-4.2, -4.9, -5.6]},
    )


def pairs_within_length() -> Expected:
    """Every 32nd clock at d = 512 above its wavelength, and its way through 512 steps."""

    def log10(number: Any) -> Any:
        return balls.log(number) / balls.log(10)

    def circle(wave: Any, turns: list, *, centre: bool = False) -> list:
        """Points at these turns of the clock above `wave`, behind its centre if asked for."""
        x, y = log10(wave), ball("0.5")
        around, up = points(x, y, [TURN * turn for turn in turns], ball("0.21"))
        return [[x] * centre + around, [y] * centre + up]

    pairs, bar = range(0, 256, 32), [[ball("0.55"), log10(512)], [ball("0.1")] * 2]
    waves = [TURN * ball(10) ** (ball(i) / 64) for i in pairs]
    turns = [512 / wave for wave in waves]
    parts = {
        "faces": [circle(wave, [ball(k) / 60 for k in range(61)]) for wave in waves],
        "ways": [circle(512 / t, [min(t, 1) * k / 60 for k in range(61)]) for t in turns],
        "hands": [circle(512 / t, [t], centre=True) for t in turns],
    }
    drawn = zip(("pair {}, face", "pair {}, way", "pair {}"), parts.values(), strict=True)
    lines = [(label.format(i), *part[i // 32]) for label, part in drawn for i in pairs]
    return Expected(
        columns={"pair": pairs, "wavelength": waves, "turns": turns},
        lines=[*lines, ("text", *bar)],
        others={"ticks": [1, 2, 3, 4]},
    )


def shift_matrices() -> Expected:
    """Hands at p and p + 3 on two walls of four clocks, d = 8, and the matrix of the shift by 3."""
    clocks, faces, wedges, hands = [], [], [], []
    for x, p in ((0, 0), (3, 20)):
        for i in range(4):
            y, name = -2.3 * i, f"pair {i}, p = {p}"
            first, last = (ball(at) / 10**i for at in (p, p + 3))  # 10000 ** (2 i / 8)
            clocks.append((p, i, first, last, last - first))
            faces.append((f"{name}, face", *points(x, y, AROUND)))
            across, up = points(x, y, balls.steps(first, last, 61), 0.8)
            wedges.append((f"{name}, wedge", [x, *across, x], [y, *up, y]))
            for at, angle in ((p, first), (p + 3, last)):
                tip = points(x, y, [angle])
                hands.append((f"{name}, hand at {at}", [x, *tip[0]], [y, *tip[1]]))
    names = ("position", "pair", "angle at p", "angle at p + 3", "angle between")
    return Expected(
        columns=dict(zip(names, zip(*clocks, strict=True), strict=True)),
        lines=[*faces, *wedges, *hands],
        images=[oracle.shift_matrix(3, 8)],
        others={"walls": [0, 3], "rows": [0, -2.3, -4.6, -6.9]},
    )
