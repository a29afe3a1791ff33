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
    """A link to the wheel and the command that installs it, as Markdown for a page of `docs/`."""
    (wheel,) = DIST.glob("*.whl")
    link = f"[`{wheel.name}`](dist/{wheel.name})"
    if site():
        said, place = f"Install {link} from this site:", f"{site()}dist/"
    else:
        said, place = f"Download {link}, and install it from the folder that it is in:", "./"
    return f"\n{said}\n\n```bash\npython -m pip install {place}{wheel.name}\n```\n"
