"""The lists of scores from the text of the results, and exact similarities by offset."""

from __future__ import annotations

from tests import result_oracle
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    offsets = range(32)
    heads = [sorted(result_oracle.trained_scores("sinusoidal", k)) for k in offsets]
    fields = {
        "offsets": offsets,
        "trained": [sum(scores) / len(scores) for scores in heads],
        "lowest": [scores[0] for scores in heads],
        "highest": [scores[-1] for scores in heads],
        "built": [result_oracle.built_score(k) for k in offsets],
    }
    labels = {
        "trained": "trained",
        "lowest": "lowest",
        "highest": "highest",
        "built": "built by hand",
    }
    lines = [(label, offsets, fields[name]) for name, label in labels.items()]
    return Expected(fields=fields, columns={"places back": offsets, **labelled(lines)}, lines=lines)
