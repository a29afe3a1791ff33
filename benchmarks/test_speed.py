"""Time and memory of the whole matrix, compared with the sources and with filling an array."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pytest

from benchmarks.conftest import LONG, MIDDLE, SHORT
from benchmarks.implementations import (
    every_column_twice,
    exp_of_log,
    loop,
    rotate_half,
    rotate_neighbours,
    stacked_in_float32,
)
from posenc import Convention, Rotary, _blocks, _phase, identify, positional_encoding

CONTENDERS = {
    "posenc": positional_encoding,
    "posenc in float32": lambda length, d: positional_encoding(length, d, dtype=np.float32),
    "np.ones": lambda length, d: np.ones((length, d)),
    "the NLP course": lambda length, d: exp_of_log(np.arange(length), d),
    "the surfaces notebook": lambda length, d: every_column_twice(np.arange(length), d),
    "the tensor notebook (float32)": lambda length, d: stacked_in_float32(np.arange(length), d),
    "the Gentle Introduction": lambda length, d: loop(np.arange(length), d),
}
SIZES = {SHORT: (50, 128), MIDDLE: (2048, 512), LONG: (32768, 1024)}
ROUNDS = {SHORT: 200, MIDDLE: 10, LONG: 2}
SLOW = ("the Gentle Introduction", "the surfaces notebook")  # the loop takes seconds
ENTRANTS = [
    *((SHORT, name) for name in CONTENDERS),
    *((MIDDLE, name) for name in CONTENDERS if name != SLOW[0]),
    *((LONG, name) for name in CONTENDERS if name not in SLOW),
]
FINE = time.get_clock_info("process_time").resolution < 1e-6  # too coarse on Windows


@pytest.mark.benchmark(timer=time.process_time if FINE else time.perf_counter)
@pytest.mark.parametrize(("size", "name"), ENTRANTS)
@pytest.mark.parametrize("_turn", range(5))  # in turns, so a slow spell affects all of them
def test_time(benchmark, measured, _turn, size, name):
    rounds = 3 if name == "the Gentle Introduction" else ROUNDS[size]
    benchmark.pedantic(CONTENDERS[name], SIZES[size], rounds=rounds, warmup_rounds=size != LONG)
    key = f"time, {name}, {size}"
    measured[key] = min(benchmark.stats.stats.min, measured.get(key, np.inf))


TURNS = {
    "posenc halves": lambda x, positions: Rotary(x.shape[-1]).rotate(x, positions),
    "rotate_half": rotate_half,
    "posenc interleaved": lambda x, positions: Rotary(x.shape[-1], layout="interleaved").rotate(
        x, positions
    ),
    "interleaved pairs": rotate_neighbours,
}
HEADS = {"one head": (1, 4096, 128), "32 heads": (32, 4096, 128), "one position": (32, 1, 128)}


@pytest.mark.benchmark(timer=time.process_time if FINE else time.perf_counter)
@pytest.mark.parametrize("size", HEADS)
@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize("_turn", range(5))
def test_time_of_rotate(benchmark, measured, _turn, size, name):
    x = np.random.default_rng(0).standard_normal(HEADS[size], np.float32)
    options = {"rounds": 200 if size == "one position" else 5, "warmup_rounds": 1}
    benchmark.pedantic(TURNS[name], (x, np.arange(x.shape[-2])), **options)
    key = f"rotate, {name}, {size}"
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
