"""Hands and faces of the clocks of eight positions at d = 8, in a grid of 2.5 radii."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected
from tests.oracle import mp

PLACES = {0: 0, 1: 2.5, 2: 5, 3: 7.5, 4: 10, 10: 13.5, 100: 16, 1000: 18.5}
SHIPPED = ("position", "pair", "wavelength", "sine", "cosine")


def expected() -> Expected:
    around = [2 * mp.pi * k / 60 for k in range(61)]
    clocks, faces, hands = [], [], []
    for p, x in PLACES.items():
        for i in range(4):
            angle = p / mp.mpf(10) ** i  # 10000 ** (2 i / 8)
            y = -2.5 * i
            clock = {
                "positions": p,
                "pairs": i,
                "wavelengths": oracle.wavelengths(8)[i],
                "sines": mp.sin(angle),
                "cosines": mp.cos(angle),
                "hand_x": [x, x + mp.sin(angle)],
                "hand_y": [y, y + mp.cos(angle)],
                "face_x": [x + mp.sin(turn) for turn in around],
                "face_y": [y + mp.cos(turn) for turn in around],
                "ringed": angle == 1,
            }
            clocks.append(clock)
            name = f"pair {i}, position {p}"
            faces.append((f"{name}, face", clock["face_x"], clock["face_y"]))
            hands.append((name, clock["hand_x"], clock["hand_y"]))
    fields = {key: [clock[key] for clock in clocks] for key in clocks[0]}
    places = {"columns": list(PLACES.values()), "rows": [0, -2.5, -5, -7.5]}
    columns = {name: fields[f"{name}s"] for name in SHIPPED}
    return Expected(fields={**fields, **places}, columns=columns, lines=faces + hands)
