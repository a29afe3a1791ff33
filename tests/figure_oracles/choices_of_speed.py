"""The mean cosine of 32 hands over offsets 0 to 250, for four choices of their speeds."""

from __future__ import annotations

from tests.figure_oracles import Expected, floats
from tests.oracle import mp
from tests.quantity_oracle import speeds

TITLES = {
    "equal": "all equal",
    "even": "evenly spaced",
    "random": "random",
    "geometric": "geometric",
}


def expected() -> Expected:
    """One curve for each choice, cosine by cosine."""
    offsets = list(range(251))
    curves = {
        choice: floats([mp.fsum(mp.cos(k * w) for w in speeds(choice, 32)) / 32 for k in offsets])
        for choice in TITLES
    }
    return Expected(
        fields={"offsets": offsets, **curves},
        lines=[(title, offsets, curves[choice]) for choice, title in TITLES.items()],
    )
