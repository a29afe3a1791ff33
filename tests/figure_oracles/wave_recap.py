"""Sines of 4 pi p, 2 pi p, 2 p and p for 0 <= p <= 8, at positions and between them."""

from __future__ import annotations

from tests.figure_oracles import Expected
from tests.oracle import mp


def expected() -> Expected:
    positions, fine = range(9), [k / 32 for k in range(257)]
    waves = {"sin 4πp": 4 * mp.pi, "sin 2πp": 2 * mp.pi, "sin 2p": mp.mpf(2), "sin p": mp.mpf(1)}
    fields = {"values": [], "fine_values": []}
    lines = []
    for name, w in waves.items():
        fields["values"].append([mp.sin(w * p) for p in positions])
        fields["fine_values"].append([mp.sin(w * p) for p in fine])
        lines.append((name, fine, fields["fine_values"][-1]))
        lines.append((f"{name}, positions", positions, fields["values"][-1]))
    return Expected(
        fields={
            **fields,
            "frequencies": list(waves.values()),
            "wavelengths": [2 * mp.pi / w for w in waves.values()],
            "positions": positions,
            "fine_positions": fine,
        },
        columns={"position": fine, **dict(zip(waves, fields["fine_values"], strict=True))},
        lines=lines,
    )
