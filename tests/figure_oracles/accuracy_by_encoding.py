"""The last eight places of texts of three lengths, seed by seed, from the text of the results."""

from __future__ import annotations

from tests import result_oracle
from tests.figure_oracles import Expected

LABELS = {
    "none": "none",
    "sinusoidal": "sinusoids",
    "learned": "table",
    "rope": "RoPE",
    "alibi": "ALiBi",
    "t5": "T5",
}


def expected() -> Expected:
    shares = {
        n: [list(result_oracle.accuracy_seeds(name, n, last=True)) for name in LABELS]
        for n in (32, 64, 128)
    }
    counts = [len(seeds) for seeds in shares[32]]
    rows = [row for row, count in enumerate(counts) for _ in range(count)]
    heights = [
        [row - 0.28 + 0.56 * seed / (count - 1) for seed in range(count)]
        for row, count in enumerate(counts)
    ]
    lines, means = [], []
    for found in shares.values():
        means.append([sum(seeds) / len(seeds) for seeds in found])
        for row, (label, seeds) in enumerate(zip(LABELS.values(), found, strict=True)):
            lines.append((f"{label}, seeds", seeds, heights[row]))
            lines.append((f"{label}, mean", [means[-1][row]] * 2, [row - 0.4, row + 0.4]))
    flat = {n: [share for seeds in found for share in seeds] for n, found in shares.items()}
    return Expected(
        fields={
            "rows": rows,
            "heights": [height for one in heights for height in one],
            "shares": list(flat.values()),
            "means": means,
        },
        columns={"encoding": rows, **{f"{n} letters": one for n, one in flat.items()}},
        lines=lines,
    )
