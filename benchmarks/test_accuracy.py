"""The largest error of each implementation at the same positions, against the 50-digit oracle."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.implementations import every_column_twice, exp_of_log, loop, stacked_in_float32
from posenc import encode, positional_encoding
from tests import oracle

WIDTHS = (2, 6, 64, 512, 1024, 4096)
random = np.random.default_rng(2017)
POSITIONS = {
    "integers": np.append(random.integers(0, 2**24, 99), 2**24),
    "fractions": np.append(random.uniform(0, 2**20, 99), 2**20 - 0.1),
}


def row_by_row(positions, d_model, dtype=np.float64):
    """Compute each position's row of the matrix; its bits depend on neither start nor length."""
    rows = [positional_encoding(1, d_model, start=p, dtype=dtype) for p in positions]
    return np.concatenate(rows)


IMPLEMENTATIONS = {
    "encode": encode,
    "positional_encoding": row_by_row,
    "encode in float32": lambda positions, d: encode(positions, d, dtype=np.float32),
    "positional_encoding in float32": lambda positions, d: row_by_row(positions, d, np.float32),
    "the NLP course (exp of log)": exp_of_log,
    "the surfaces notebook": every_column_twice,
    "the tensor notebook (float32)": stacked_in_float32,
    "the Gentle Introduction": loop,
}


@pytest.mark.parametrize("kind", POSITIONS)
@pytest.mark.parametrize("d_model", WIDTHS)
def test_error(measured, d_model, kind):
    positions = POSITIONS[kind]
    exact = oracle.encode(positions, d_model)
    for name, function in IMPLEMENTATIONS.items():
        if kind == "fractions" and name.startswith("positional_encoding"):
            continue  # it takes only integers
        key = f"error, {name}, {kind}"
        error = oracle.largest_error(function(positions, d_model), exact)
        measured[key] = max(error, measured.get(key, 0.0))
