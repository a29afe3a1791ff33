"""The program of the page on large tables fills a file piece by piece."""

import os
import re
import subprocess
import sys

import numpy as np

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
    assert np.array_equal(np.load(path), whole)
    table = np.lib.format.open_memmap(path, "r+")
    table[np.abs(whole[:, -1]).argmin(), -1] = 0  # hardly shorter without its last number
    table.flush()
    assert run(PROGRAM, path, folder=tmp_path).stdout == "1 pieces to fill\n"
    assert np.array_equal(np.load(path), whole)
