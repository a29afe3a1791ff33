"""A piece of a table has the bits of the whole table, and needs only its share of memory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from posenc import positional_encoding
from scripts.files import ROOT

D = 64
PAGES = "".join(path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md")))
(PROGRAM,) = (
    block for block in re.findall(r"```python\n(.+?)```", PAGES, re.S) if "__main__" in block
)
PATIENCE = 1200  # seconds, for a program that hangs; it needs 10 on an idle machine
HALF_A_PIECE = """
    import os
    accident = path.with_suffix(".accident")
    if first == 3 * rows and not accident.exists():
        accident.touch()
        table[first + count // 2 : first + count] = 0
        os._exit(1)
"""


def encoding(block_info):
    first, last = block_info[None]["array-location"][0]
    return positional_encoding(last - first, D, start=first, dtype=np.float32)


@pytest.fixture(name="da")
def dask_array():
    return pytest.importorskip(
        "dask.array", reason="dask is not installed: `make test` brings it", exc_type=ImportError
    )


def lazy(da, length, rows):
    """A Dask table of `length` rows in chunks of `rows`, which computes nothing yet."""
    sizes = tuple(min(rows, length - first) for first in range(0, length, rows))
    return da.map_blocks(
        encoding, chunks=(sizes, (D,)), dtype=np.float32, meta=np.empty((0, 0), np.float32)
    )


def run(program, *arguments, folder):
    """The finished process of a program from the page, in a separate Python process."""
    script = folder / "program.py"
    script.write_text(program, "utf-8")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
        timeout=PATIENCE,
    )


def test_a_file_is_finished_by_a_second_run_after_a_process_died_in_a_piece(tmp_path):
    path = tmp_path / "table.npy"
    deadly = PROGRAM.replace("    table.flush()\n\n\ndef main", f"{HALF_A_PIECE}\n\ndef main")
    assert deadly != PROGRAM
    first = run(deadly, path, folder=tmp_path)
    assert "BrokenProcessPool" in first.stderr
    second = run(PROGRAM, path, folder=tmp_path)
    assert second.returncode == 0, second.stderr
    missing = int(second.stdout.split()[0])
    assert 1 <= missing <= 25
    whole = positional_encoding(100_000, D, dtype=np.float32)
    assert np.array_equal(np.load(path, mmap_mode="r"), whole)
    table = np.lib.format.open_memmap(path, "r+")
    table[np.abs(whole[:, -1]).argmin(), -1] = 0  # hardly shorter without its last number
    table.flush()
    assert run(PROGRAM, path, folder=tmp_path).stdout == "1 pieces to fill\n"
    assert run(PROGRAM, path, folder=tmp_path).stdout == "0 pieces to fill\n"


def test_a_table_of_dask_chunks_has_the_bits_of_the_whole(da):
    table = lazy(da, 10_000, 1024)
    assert (table.shape, table.dtype, table.numblocks) == ((10_000, D), np.float32, (10, 1))
    whole = positional_encoding(10_000, D, dtype=np.float32)
    assert np.array_equal(table.compute(scheduler="threads"), whole)


def test_a_row_of_a_table_larger_than_memory_costs_one_chunk(da):
    table = lazy(da, 2**32, 2**16)
    assert table.nbytes > 10**12
    position = 2**31 + 5
    row = table[position].compute(scheduler="synchronous")
    wanted = positional_encoding(1, D, start=position, dtype=np.float32)[0]
    assert np.array_equal(row, wanted)


def test_chunks_go_to_disk_and_come_back_without_the_whole_in_memory(da, tmp_path):
    length, rows = 2**17, 2**12
    table = lazy(da, length, rows)
    positional_encoding(192, D)  # fill the caches before the count begins
    tracemalloc.start()
    try:
        with pytest.importorskip("dask").config.set(scheduler="synchronous"):
            da.to_npy_stack(tmp_path, table, axis=0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < table.nbytes / 4
    files = sorted(tmp_path.glob("*.npy"), key=lambda path: int(path.stem))
    assert len(files) == length // rows
    for k, path in enumerate(files):
        piece = np.load(path, mmap_mode="r")
        wanted = positional_encoding(rows, D, start=k * rows, dtype=np.float32)
        assert np.array_equal(piece, wanted)
    stored = da.from_npy_stack(tmp_path)
    assert stored.shape == (length, D)
    assert np.array_equal(
        stored[70_000].compute(scheduler="synchronous"),
        positional_encoding(1, D, start=70_000, dtype=np.float32)[0],
    )
