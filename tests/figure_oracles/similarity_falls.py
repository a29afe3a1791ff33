"""The dot product by offset at d = 512 and 128, by the recurrence of the cosine."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected


def expected() -> Expected:
    offsets, widths = range(1, 301), [512, 128]
    shares = [[total / (d // 2) for total in _cosine_sums(d, len(offsets))] for d in widths]
    slope = oracle.mp.log(10_000)
    law = [1 - (oracle.mp.euler + oracle.mp.log(k)) / slope for k in offsets]
    lines = []
    for d, share in zip(widths, shares, strict=True):
        lines += [(f"d = {d}", offsets, share), (f"law, d = {d}", offsets, law)]
    return Expected(
        fields={"widths": widths, "offsets": offsets, "shares": shares, "law": law},
        columns={"offset": offsets, "d = 512": shares[0], "d = 128": shares[1], "law": law},
        lines=lines,
    )


def _cosine_sums(d_model, count):
    """The sums of cos(k w) for k = 1 to `count`; the next is 2 cos(w) cos(k w) - cos((k - 1) w)."""
    totals = [oracle.mp.zero] * count
    for frequency in oracle.frequencies(d_model):
        before, now = oracle.mp.one, oracle.mp.cos(frequency)
        twice = 2 * now
        for k in range(count):
            totals[k] += now
            before, now = now, twice * now - before
    return totals
