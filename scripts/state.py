"""What each stage of the build was made from, so that a stage can tell whether it must run."""

from __future__ import annotations

import json
import os
from importlib.metadata import version
from typing import Any

from scripts import files
from scripts.files import DOCS, FIGURES, NUMBERS, ROOT, SITE, VENDOR, WORK

_NOTES = WORK / "notes.json"
_NO_NOTES: dict[str, Any] = {"assets": None, "figures": {}, "numbers": None, "site": None}
_LIBRARIES = (
    *("numpy", "matplotlib", "plotly"),
    *("mkdocs", "mkdocs-material", "math-core", "mkdocs-jupyter"),
    *("mkdocstrings-python", "black"),  # the package's page
)


def notes() -> dict[str, Any]:
    """What the stages of the last build noted, by stage; nothing if that cannot be read."""
    try:
        notes: dict[str, Any] = json.loads(_NOTES.read_text("utf-8"))
        return {**_NO_NOTES, **notes, "figures": dict(notes["figures"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {**_NO_NOTES, "figures": {}}


def save(notes: dict[str, Any]) -> None:
    """Keep `notes` for the next build."""
    files.write(_NOTES, json.dumps(notes, indent=1, sort_keys=True).encode())


def figure_names() -> list[str]:
    """The names of all figures, without importing one."""
    folder = ROOT / "scripts" / "figures"
    return sorted(path.stem for path in folder.glob("[!_]*.py"))


def figure_inputs(name: str) -> str:
    """A hash of all that the figure `name` is made from."""
    scripts = ROOT / "scripts"
    paths = [
        scripts / "figures" / f"{name}.py",
        *(scripts / "figures").glob("_*.py"),
        *files.below(scripts / "figures" / "data"),  # what a caption's quantities may read too
        *files.below(scripts / "render", "*.py"),
        *files.below(scripts / "numbers", "*.py"),
        scripts / "pages" / "extension.py",
        DOCS / "assets" / "site" / "style.css",  # the palette
        *files.below(ROOT / "posenc", "*.py"),
    ]
    return files.digest(paths, *(version(library) for library in _LIBRARIES[:3]))


def notebook_inputs() -> str:
    """What the outputs of the notebooks depend on, the notebooks apart."""
    scripts = ROOT / "scripts"
    paths = [
        *(scripts / "pages" / part for part in ("notebook_display.py", "notebooks.py")),
        *files.below(scripts / "render", "*.py"),
        scripts / "figures" / "_style.py",
        DOCS / "assets" / "site" / "style.css",
        *files.below(ROOT / "posenc", "*.py"),
    ]
    return files.digest(paths, *(version(library) for library in _LIBRARIES))


def is_current(name: str, notes: dict[str, Any]) -> bool:
    """Whether the files of the figure `name` are there, and what its inputs give."""
    note = notes["figures"].get(name)
    outputs = [FIGURES / f"{name}{ending}" for ending in (".svg", ".json", ".csv", ".py.txt")]
    return (
        note is not None
        and all(path.is_file() for path in outputs)
        and note == {"inputs": figure_inputs(name), "outputs": files.digest(outputs)}
    )


def numbers() -> list[str]:
    """Hashes of what the table of all numbers is made from, and of the table."""
    scripts, tests = ROOT / "scripts", ROOT / "tests"
    sources = [
        *files.below(DOCS, "*.md"),
        *files.below(DOCS, "*.ipynb"),
        *files.below(ROOT / "posenc", "*.py"),
        *files.below(scripts, "*.py"),
        *files.below(scripts / "figures" / "data"),
        *tests.glob("*oracle*.py"),
        *files.below(tests / "figure_oracles", "*.py"),
        *files.below(tests / "data"),
        ROOT / "mkdocs.yml",
    ]
    table = [NUMBERS] if NUMBERS.is_file() else []
    return [files.digest(sources, version("numpy"), version("mpmath")), files.digest(table)]


def assets() -> list[str]:
    """Hashes of what the front-end parts are made from, and of the parts."""
    sources = [ROOT / "package-lock.json", ROOT / "scripts" / "browser" / "vendor.py"]
    return [files.digest(sources, version("fonttools")), files.digest(files.below(VENDOR))]


def site() -> list[str]:
    """Hashes of what the site is made from, and of the site."""
    sources = [
        *files.below(DOCS),
        *files.below(ROOT / "posenc", "*.py"),
        *files.below(ROOT / "scripts"),
        ROOT / "mkdocs.yml",
    ]
    libraries = (version(library) for library in _LIBRARIES)
    return [
        files.digest(sources, os.environ.get("SITE_URL", ""), *libraries),
        files.digest(files.below(SITE)) if SITE.exists() else "",
    ]
