"""A copy of the project with two pages, a notebook and two figures, which builds quickly.

What the project has built from the same sources is up to date in the copy too, and the notebook
comes with its output, so that no kernel has to start.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import nbformat
from nbformat import v4

from scripts.files import ROOT

README_FIGURE = "column_waves"
FIGURES = ("square", README_FIGURE)
NAVIGATION = """\
nav:
  - Home: index.md
  - Waves: waves.md
  - Notebook: notebooks/small.ipynb
"""
INDEX = """\
---
description: The start page of a small site.
---

# A small site

Half a turn is {{ pi : .4f }}, the pair $i = 0$ repeats after {{ wavelengths(4)[0] : .2f }}
positions; see [the waves](waves.md#a-section).

![](figures/square.svg)

{{ table(positional_encoding(2, 4), rows=["I", "am"]) : .4f }}
"""
OTHER = "---\ndescription: The page {0}.\n---\n\n# The page {0}\n\n## A section\n\nText.\n"
SQUARE = '''\
"""A square."""

from scripts.figures import _matrix
from scripts.figures._matrix import Data, interactive, static, table

__all__ = ["ALT", "CAPTION", "Data", "data", "interactive", "static", "table"]

CAPTION = """A square of {{ len(range(4)) : d }} positions."""
ALT = """Colours in {{ len(range(4)) : d }} rows."""


def data():
    return _matrix.data(4, 4)
'''
NOTEBOOK = v4.new_notebook(
    cells=[
        v4.new_markdown_cell("# A notebook\n\n$x$", id="a"),
        v4.new_code_cell("print(1 + 1)", id="b", outputs=[v4.new_output("stream", text="2\n")]),
    ],
    metadata={
        "description": "A notebook.",
        "needs": "NumPy",
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    },
)


def write(root: Path) -> None:
    """Write the small project into the new folder `root`."""
    for part in (
        "scripts",
        "posenc",
        "docs/assets",
        "examples/vectors",
        "tests/balls",
        "tests/data",
    ):
        shutil.copytree(ROOT / part, root / part)
    for figure in (root / "scripts" / "figures").glob("[!_]*.py"):
        if figure.stem not in FIGURES:
            figure.unlink()
    names = ("constraints.txt", "pyproject.toml", "README.md", "LICENSE", "CITATION.cff")
    for path in [*ROOT.glob("package*.json"), *map(ROOT.joinpath, names)]:
        shutil.copy2(path, root)
    built_there = {
        "docs/figures": f"{README_FIGURE}.*",
        "docs/vectors/v1": "*",
        "docs/dist": "*",
        ".build": "*s.json",
        ".build/templates": "*",
    }
    for folder, built in built_there.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        for path in (ROOT / folder).glob(built):
            shutil.copy2(path, root / folder)
    for path in [*(ROOT / "tests").glob("*oracle.py"), ROOT / "tests" / "reference.py"]:
        shutil.copy2(path, root / "tests")
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    for name, text in {
        "mkdocs.yml": re.sub(r"^nav:\n(?: .*\n)+", NAVIGATION, settings, flags=re.MULTILINE),
        "tests/__init__.py": "",
        "scripts/figures/square.py": SQUARE,
        "docs/index.md": INDEX,
        "docs/waves.md": OTHER.format("waves"),
        "docs/notebooks/small.ipynb": nbformat.writes(NOTEBOOK),
    }.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    if (ROOT / "node_modules").is_dir():
        (root / "node_modules").symlink_to((ROOT / "node_modules").resolve())
