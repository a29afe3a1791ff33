"""Kills builds at random moments, and looks at what each kill leaves behind.

`make kills` edits a small project back and forth between two texts. It kills the build of each
edit, with its workers, at a random moment. After that, `site/` must be one of the two sites in
whole, and the next build must give the bytes that an undisturbed build gives.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.folders import Files, contents
from tests import small_project
from tests.builds import environment

# A change in the stylesheet makes the figures and the notebook stale too.
EDITS = {
    "docs/index.md": ("Half a turn", "One half of a turn"),
    "scripts/figures/square.py": ("A square", "One square"),
    "docs/notebooks/small.ipynb": ("1 + 1", "1 + 2"),
    "docs/assets/site/style.css": ("", "\n/* changed */\n"),
    "posenc/__init__.py": ("", "\n# changed\n"),
}


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills", description=__doc__)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        small_project.write(root)
        return kill_builds(root, count=options.count, chance=random.Random(options.seed))


def kill_builds(root: Path, *, count: int, chance: random.Random) -> int:
    """Kill `count` builds; return 1 after the first that leaves something wrong."""
    originals = {name: (root / name).read_text("utf-8") for name in EDITS}
    sites, seconds = {}, 0.0
    for changed in (True, False):
        _edit(root, originals, changed=changed)
        began = time.perf_counter()
        _built(root)
        seconds = time.perf_counter() - began
        sites[changed] = contents(root / "site")
    assert sites[True] != sites[False]
    print(f"an undisturbed build takes {seconds:.1f} s", flush=True)
    outcomes: Counter[str] = Counter()
    changed = True
    while outcomes.total() - outcomes["finished before the kill"] < count:
        _edit(root, originals, changed=changed)
        moment = chance.uniform(0, seconds)
        outcome = _killed(root, moment, sites, changed=changed)
        began = time.perf_counter()
        said = _built(root)
        right = contents(root / "site") == sites[changed]
        print(f"kill after {moment:5.2f} s: {outcome}; {said}, {right=}", flush=True)
        outcomes[outcome] += 1
        if outcome.startswith("broken") or not right:
            return 1
        changed = not changed
    print(", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items())))
    print(f"all {outcomes.total()} next builds gave the bytes of an undisturbed build")
    return 0


def _edit(root: Path, originals: dict[str, str], *, changed: bool) -> None:
    for name, (old, new) in EDITS.items():
        text = originals[name]
        assert old in text
        edited = text.replace(old, new, 1) if old else text + new
        (root / name).write_text(edited if changed else text, "utf-8")


def _started(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "scripts.build"],
        cwd=root,
        env=environment(root),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def _built(root: Path) -> str:
    """Build without a kill; the last line that the build says about its work."""
    process = _started(root)
    output, _ = process.communicate()
    assert process.returncode == 0, output
    return next(line for line in output.splitlines() if line.startswith("done in"))


def _killed(root: Path, moment: float, sites: dict[bool, Files], *, changed: bool) -> str:
    """Start a build, kill its process group after `moment` seconds, and name what is left."""
    process = _started(root)
    try:
        process.communicate(timeout=moment)
        return "finished before the kill"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    folder, aside = root / "site", root / ".build" / "site-before"
    if not folder.exists() and aside.exists():
        return "between the two moves" if contents(aside) == sites[not changed] else "broken: moved"
    left = contents(folder)
    if left == sites[not changed]:
        return "left the earlier site"
    return "left the new site" if left == sites[changed] else "broken: a mixture"


if __name__ == "__main__":
    sys.exit(main())
