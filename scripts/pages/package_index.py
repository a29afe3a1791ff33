"""The site as an index of packages, with one package and one file, for `pip install --index-url`.

The form is PEP 503's: a page with a link for each package, and a page of the package with a link
for each file, whose hash pip compares.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from scripts.pages import policy

FOLDER = "simple"  # below the site
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="pypi:repository-version" content="1.0">
<meta name="robots" content="noindex">
<title>{title}</title>
</head>
<body>
<a href="{address}"{also}>{text}</a>
</body>
</html>
"""
_PYTHON = ' data-requires-python="&gt;=3.11"'  # tests compare it with pyproject.toml


def pages(site: Path) -> dict[str, bytes]:
    """The pages of the index for the wheel in the folder `site`, by their paths there."""
    (wheel,) = site.glob("dist/*.whl")
    package, _, _ = wheel.name.partition("-")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    address = f"../../dist/{wheel.name}#sha256={digest}"
    files = _page(f"Files of {package}", address, wheel.name, _PYTHON)
    made = {
        f"{FOLDER}/index.html": _page("Packages", f"{package}/", package),
        f"{FOLDER}/{package}/index.html": files,
    }
    return {name: policy.with_policy(page).encode() for name, page in made.items()}


def _page(title: str, address: str, text: str, also: str = "") -> str:
    return _PAGE.format(title=title, address=address, text=text, also=also)
