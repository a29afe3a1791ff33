"""The addresses that depend on where the site and its repository are published."""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache

from scripts.files import DIST, ROOT

_GITHUB = re.compile(r"(?:https://|git@|ssh://git@)github\.com[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?")


@cache
def address() -> str:
    """The address of the repository, without a slash at the end; an empty text if unknown.

    REPO_URL says it, or else git's remote `origin`, if that is on GitHub.
    """
    if "REPO_URL" in os.environ:
        return os.environ["REPO_URL"].rstrip("/")
    command = ["git", "remote", "get-url", "origin"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:  # git is not installed
        return ""
    found = _GITHUB.fullmatch(done.stdout.strip())
    return f"https://github.com/{found[1]}" if found else ""


def site() -> str:
    """The address of the published site, with a slash at the end; an empty text if unknown."""
    address = os.environ.get("SITE_URL", "")
    return f"{address.rstrip('/')}/" if address else ""


def install() -> str:
    """The command that installs posenc, as a block of Markdown."""
    if site():
        (wheel,) = DIST.glob("*.whl")
        command = f"python -m pip install {site()}dist/{wheel.name}"
    elif address():
        command = f"python -m pip install git+{address()}"
    else:
        command = "python -m pip install .  # in a copy of the repository"
    return f"\n```bash\n{command}\n```\n"
