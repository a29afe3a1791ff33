"""Builds of small projects, each in a new process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def environment(root: Path) -> dict[str, str]:
    """An empty PATH: no npm that could download anything, no git."""
    known = {"REPO_URL": "https://github.com/a/b", "SITE_URL": "https://site.example/"}
    return {"PATH": f"{root}/nothing", "HOME": str(root), "LANG": "C.UTF-8", **known}


def build(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The finished build of the project at `root`."""
    return subprocess.run(
        [sys.executable, "-m", "scripts.build", *arguments],
        cwd=root,
        env=environment(root),
        capture_output=True,
        text=True,
        check=False,
    )
