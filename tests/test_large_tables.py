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


def run(program, path):
    """The finished process that fills the file with a program from the page."""
    script = path.parent / "program.py"
    script.write_text(program, "utf-8")
    modules = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": modules}
    command = [sys.executable, script, path]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=env, timeout=PATIENCE
    )


def test_a_file_is_finished_by_a_second_run_after_a_process_died_in_a_piece(tmp_path):
    path = tmp_path / "table.npy"
    deadly = PROGRAM.replace("    table.flush()\n\n\ndef main", f"{HALF_A_PIECE}\n\ndef main")
    assert deadly != PROGRAM
    assert "BrokenProcessPool" in run(deadly, path).stderr
    whole = positional_encoding(100_000, D, dtype=np.float32)
    table = np.lib.format.open_memmap(path, "r+")
    (filled,) = np.nonzero(table[:, 1])
    hardly_shorter = filled[np.abs(whole[filled, -1]).argmin()]  # without its last number
    table[hardly_shorter, -1] = 0
    table.flush()
    second = run(PROGRAM, path)
    assert second.returncode == 0, second.stderr
    assert 1 <= int(second.stdout.split()[0]) <= 25
    assert np.array_equal(np.load(path), whole)
