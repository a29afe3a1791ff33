"""Every sixth of 48 pairs: turns to offset 4,095, and to 131,040 after three scalings."""

from __future__ import annotations

from tests import rotary_oracle
from tests.figure_oracles import Expected, np
from tests.oracle import mp
from tests.quantity_oracle import stretched_similarity

TRAINED = {"original_max_position_embeddings": 4096}
NAMES = {
    "as trained": ("none", None),
    "linear": ("linear", {"type": "linear", "factor": 32}),
    "NTK": ("ntk", {"type": "ntk", "factor": 32}),
    "YaRN": ("yarn", {"type": "yarn", "factor": 32, **TRAINED}),
}


def expected() -> Expected:
    pairs, turn = range(5, 48, 6), 2 * mp.pi
    trained = [4095 / turn * rotary_oracle.plain(10_000, 96)[i] for i in pairs]
    faces, met, new, hands, turns, apart = [], [], [], [], [], []
    for row, (name, (short, scaling)) in enumerate(NAMES.items()):
        speeds = rotary_oracle.frequencies(96, 10_000, scaling)
        turns.append([131_040 / turn * speeds[i] for i in pairs])
        lost, before = (1 - stretched_similarity(1, each) for each in (short, "none"))
        apart.append(mp.sqrt(lost / before))
        for k, (i, seen, end) in enumerate(zip(pairs, trained, turns[-1], strict=True)):
            x, y, label = 2.6 * k, -3.3 * row - (0.9 if row else 0), f"pair {i}, {name}"
            faces.append((f"{label}, face", *_arc(x, y, 0, 1)))
            met.append((f"{label}, met", *_arc(x, y, 0, min(seen, 1))))
            if seen < 1 and end > seen + mp.mpf(10) ** -9:
                new.append((f"{label}, new", *_arc(x, y, seen, min(end, 1))))
            sine, cosine = mp.sin(turn * end), mp.cos(turn * end)
            hands.append((f"{label}, hand", [x, x + 0.7 * sine], [y, y + 0.7 * cosine]))
    ends = np.array(turns)
    longer = {f"longer, {name}": line for name, line in zip(NAMES, turns, strict=True)}
    return Expected(
        fields={
            "pairs": pairs,
            "trained": trained,
            "turns": turns,
            "sines": [[mp.sin(turn * end) for end in line] for line in turns],
            "cosines": [[mp.cos(turn * end) for end in line] for line in turns],
            "met": [turn * min(seen, 1) for seen in trained],
            "reached": turn * np.minimum(ends, 1),
            "apart": apart,
            "columns": [2.6 * k for k in range(8)],
            "rows": [0, -4.2, -7.5, -10.8],
        },
        columns={"pair": pairs, "in training": trained, **longer},
        lines=[*faces, *met, *new, *hands],
    )


def _arc(x, y, start, end):  # type: ignore[no-untyped-def]
    angles = [2 * mp.pi * (start + (end - start) * k / 60) for k in range(61)]
    return [x + mp.sin(angle) for angle in angles], [y + mp.cos(angle) for angle in angles]
