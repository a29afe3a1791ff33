"""The last eight places if few pairs turn, seed by seed, from the text of the results."""

from __future__ import annotations

from tests import result_oracle
from tests.figure_oracles import Expected

COUNTS = (0, 1, 2, 3, 4, 5, 6, 8, 12, 16)
LABELS = {32: "32 letters, as trained", 128: "128 letters"}


def expected() -> Expected:
    columns, lines, shares = {"fastest pairs that turn": COUNTS}, [], []
    for n, label in LABELS.items():
        rows = [list(result_oracle.pairs_seeds("rope", k, length=n, last=True)) for k in COUNTS]
        shares.append(rows)
        columns |= {f"{label}, seed {s}": [row[s] for row in rows] for s in range(10)}
        lines.append((f"{label}, mean", COUNTS, [sum(row) / 10 for row in rows]))
        places = [k for k in COUNTS for _ in range(10)]
        lines.append((f"{label}, seeds", places, [share for row in rows for share in row]))
    means = [y for label, _, y in lines if label.endswith("mean")]
    return Expected(
        fields={"counts": COUNTS, "shares": shares, "means": means}, columns=columns, lines=lines
    )
