"""A wave of twelve positions, by degrees: 30 from each position to the next."""

from __future__ import annotations

from tests.figure_oracles import Expected
from tests.oracle import mp


def _turned(degrees, size=1):
    """Reach to the right, and height."""
    return size * mp.sin(mp.radians(degrees)), size * mp.cos(mp.radians(degrees))


def expected() -> Expected:
    fine = [mp.mpf(k) / 8 for k in range(97)]
    sine, cosine = zip(*(_turned(30 * p) for p in fine), strict=True)
    size, y, hands, faces = mp.mpf("0.42"), mp.mpf("-2.1"), [], []
    for p in range(13):
        right, up = _turned(30 * p, size)
        hands.append((f"hand {p}", [p, p + right], [y, y + up]))
        around = [_turned(6 * k, size) for k in range(61)]
        faces.append((f"face {p}", [p + a for a, _ in around], [y + b for _, b in around]))
    waves = [("sine", fine, sine), ("cosine", fine, cosine), ("same sine", [1, 5], [0.5, 0.5])]
    shown = {"sine": sine, "cosine": cosine}
    return Expected(
        fields={
            **shown,
            **{"positions": range(13), "fine": fine},
            **{"hand_x": [x for _, x, _ in hands], "hand_y": [y for *_, y in hands]},
            **{"face_x": [x for _, x, _ in faces], "face_y": [y for *_, y in faces]},
        },
        columns={"position": fine, **shown},
        lines=[*waves, *faces, *hands],
    )
