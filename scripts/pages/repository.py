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
    """A link to the wheel and the line that installs it, as Markdown for a page of `docs/`.

    From the site's own index, pip takes no other package of this name, and finds no NumPy.
    """
    (wheel,) = DIST.glob("*.whl")
    link = f"[`{wheel.name}`](dist/{wheel.name})"
    pip = "python -m pip install"
    if site():
        said = f"This line installs {link} from the site, in CI, Docker and (after `!`) Colab:"
        line = f"{pip} numpy && {pip} --index-url {site()}simple/ posenc"
    else:
        said = f"Download {link}, and install it from the folder that it is in:"
        line = f"{pip} ./{wheel.name}"
    return f"\n{said}\n\n```bash\n{line}\n```\n"
