"""The mean cosine of 32 hands over offsets 0 to 250, for four choices of their speeds."""

from __future__ import annotations

from tests.figure_oracles import Expected, labelled
from tests.oracle import mp
from tests.quantity_oracle import speeds

TITLES = {
    "equal": "all equal",
    "even": "evenly spaced",
    "random": "random",
    "geometric": "geometric",
}


def expected() -> Expected:
    offsets = range(251)
    curves = {
        choice: [mp.fsum(mp.cos(k * w) for w in speeds(choice, 32)) / 32 for k in offsets]
        for choice in TITLES
    }
    lines = [(title, offsets, curves[choice]) for choice, title in TITLES.items()]
    return Expected(
        fields={"offsets": offsets, **curves},
        columns={"offset": offsets, **labelled(lines)},
        lines=lines,
    )
