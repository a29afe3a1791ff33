"""Time and memory of the whole matrix, compared with the sources and with filling an array."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pytest

from benchmarks.conftest import LONG, SHORT
from benchmarks.implementations import every_column_twice, exp_of_log, loop, stacked_in_float32
from posenc import Convention, _blocks, _phase, identify, positional_encoding

CONTENDERS = {
    "posenc": positional_encoding,
    "np.ones": lambda length, d_model: np.ones((length, d_model)),
    "source 001": lambda length, d_model: exp_of_log(np.arange(length), d_model),
    "source 002": lambda length, d_model: every_column_twice(np.arange(length), d_model),
    "source 003": lambda length, d_model: stacked_in_float32(np.arange(length), d_model),
    "source 004": lambda length, d_model: loop(np.arange(length), d_model),
}
SIZES = {SHORT: (50, 128), "2048 x 512": (2048, 512), LONG: (32768, 1024)}
ROUNDS = {SHORT: 200, "2048 x 512": 10, LONG: 2}
ENTRANTS = [
    *((SHORT, name) for name in CONTENDERS),
    *(("2048 x 512", name) for name in CONTENDERS if name != "source 004"),  # a loop takes seconds
    *((LONG, name) for name in ("posenc", "np.ones", "source 001")),
]
FINE = time.get_clock_info("process_time").resolution < 1e-6  # too coarse on Windows


@pytest.mark.benchmark(timer=time.process_time if FINE else time.perf_counter)
@pytest.mark.parametrize(("size", "name"), ENTRANTS)
@pytest.mark.parametrize("_turn", range(5))  # in turns, so a slow spell affects all of them
def test_time(benchmark, measured, _turn, size, name):
    rounds = 3 if name == "source 004" else ROUNDS[size]
    benchmark.pedantic(CONTENDERS[name], SIZES[size], rounds=rounds, warmup_rounds=size != LONG)
    key = f"time, {name}, {size}"
    measured[key] = min(benchmark.stats.stats.min, measured.get(key, np.inf))


TABLES = {
    "the paper's": lambda: Convention().table(4096, 1024).astype(np.float32),
    "backward": lambda: (
        Convention(angle_scale=-1, start=-2000).table(4096, 1024).astype(np.float32)
    ),
    "random": lambda: np.random.default_rng(0).standard_normal((4096, 1024), np.float32),
}


@pytest.mark.benchmark(timer=time.process_time if FINE else time.perf_counter)
@pytest.mark.parametrize("name", TABLES)
def test_time_of_identify(benchmark, measured, name):
    benchmark.pedantic(identify, (TABLES[name](),), rounds=3, warmup_rounds=1)
    measured[f"time, identify {name}, 4096 x 1024"] = benchmark.stats.stats.min


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("length", [4096, 32768])
def test_peak_memory(measured, length, dtype):
    _phase.exact_frequencies.cache_clear()
    _blocks._first_block.cache_clear()
    tracemalloc.start()
    try:
        matrix = positional_encoding(length, 1024, dtype=dtype)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    name = f"{length} x 1024, {np.dtype(dtype).name}"
    measured[f"peak memory / output, {name}"] = peak / matrix.nbytes
