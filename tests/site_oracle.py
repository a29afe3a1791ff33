"""The counts of scripts/numbers/counts.py again, in another way."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from tests import oracle, quantity_oracle, reference

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def numbers_on_site() -> int:
    """Count braces line by line outside code, and a table's cells by its shape in the oracle."""
    pages = sum(_numbers(_prose(path.read_text("utf-8"))) for path in _pages())
    return pages + sum(_numbers(text) for path in DOCS.rglob("*.ipynb") for text in _cells(path))


def pages_on_site() -> int:
    """Files of pages, but not the records of decisions."""
    return len(_pages()) + len(list(DOCS.rglob("*.ipynb")))


def figures_on_site() -> int:
    """The figures that have an oracle."""
    return len(list((ROOT / "tests" / "figure_oracles").glob("[!_]*.py")))


def code_blocks_on_site() -> int:
    """Lines that open a block."""
    lines = [line.strip() for path in _pages() for line in path.read_text("utf-8").splitlines()]
    return lines.count("```python")


def library_tables() -> int:
    """The records that say where each array is from."""
    return len(reference.RECORDS)


def known_conventions() -> int:
    """The libraries whose one-dimensional arrays are recorded."""
    return len({reference.library(array) for array in reference.ONE_DIMENSIONAL})


NAMES = {
    function.__name__: function
    for function in (
        code_blocks_on_site,
        figures_on_site,
        known_conventions,
        library_tables,
        numbers_on_site,
        pages_on_site,
    )
}


def counts_the_site(code: str) -> bool:
    """Whether the value of `code` depends on the pages, and not only on the oracle's files."""
    return any(name in code for name in NAMES)


def _pages() -> list[Path]:
    return [path for path in sorted(DOCS.rglob("*.md")) if "decisions" not in path.parts]


def _prose(text: str) -> str:
    """`text` without its blocks of code and its code within lines."""
    kept, fence = [], ""
    for line in text.splitlines():
        mark = line.strip()
        if fence:
            fence = "" if mark == fence else fence
        elif mark.startswith("```"):
            fence = mark[: len(mark) - len(mark.lstrip("`"))]
        else:
            kept.append("".join(line.split("`")[::2]))
    return "\n".join(kept)


def _cells(path: Path) -> list[str]:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    captions = [cell["metadata"].get("figure", {}).get("caption", "") for cell in cells]
    return [*prose, *captions]


def _numbers(text: str) -> int:
    total = sum(_caption_numbers(name) for name in re.findall(r"!\[\]\(.*?(\w+)\.svg\)", text))
    for part in text.split("{{")[1:]:
        code = part.partition("}}")[0].strip()
        if code == "all_figures()":
            total += sum(
                _first_sentence(path) for path in (ROOT / "scripts" / "figures").glob("[!_]*.py")
            )
        elif code.startswith("table("):
            total += cells_of_table(code.rpartition(" : ")[0])
        elif code != "all_numbers()":
            total += 1
    return total


def _caption(path: Path) -> str:
    """The CAPTION of a figure, from its source."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "CAPTION":
            return ast.literal_eval(node.value)
    return ""


def _caption_numbers(name: str) -> int:
    return _caption(ROOT / "scripts" / "figures" / f"{name}.py").count("{{")


def _first_sentence(path: Path) -> int:
    """Numbers before the first full stop that a capital follows."""
    words = _caption(path).split()
    count = 0
    for word, after in zip(words, [*words[1:], "A"], strict=True):
        count += word.startswith("{{") or "{{" in word
        if word[-1] in ".?!" and (after[0].isupper() or after[0] == "$"):
            break
    return count


def cells_of_table(code: str) -> int:
    """The cells of a table, counted without their values where its source shows their number."""
    call: Any = ast.parse(code, mode="eval").body
    body = call.args[0]
    if isinstance(body, ast.List):
        return len(body.elts) * len(body.elts[0].elts)
    names = {"__builtins__": {}, **oracle.NAMES, **quantity_oracle.NAMES}
    if isinstance(body, ast.ListComp) and isinstance(body.elt, ast.List):
        rows = eval(ast.unparse(body.generators[0].iter), names)
        return len(rows) * len(body.elt.elts)
    return int(np.size(eval(ast.unparse(body), names)))
