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
DOCS, FIGURES = ROOT / "docs", ROOT / "scripts" / "figures"
_FIGURE, _CLAIM = r"!\[\]\(.*?(\w+)\.svg\)", r"\{\{ (check|tried|proved):"


def numbers_on_site() -> int:
    """Count braces line by line outside code, and a table's cells by its shape in the oracle."""
    return sum(_numbers(text) for _, text in _texts("caption"))


def numbers_without_proof() -> int:
    """Calls of `directions` between braces; those in a table count once for each row."""
    total = 0
    for code in re.findall(r"\{\{ (.*?) \}\}", "\n".join(text for _, text in _texts())):
        rows = re.search(r" for \w+ in \[(.*?)\]", code)
        total += code.count("directions(") * (rows[1].count(",") + 1 if rows else 1)
    return total


def claims_on_site(kind: str = "") -> int:
    """Pieces between braces that begin with the word of a claim, in prose, captions, alt texts."""
    texts = [text for _, text in _texts("caption", "alt")]
    shown = [name for text in texts for name in re.findall(_FIGURE, text)]
    texts += [_words(name, part) for name in shown for part in ("CAPTION", "ALT")]
    return sum(kind in ("", found) for text in texts for found in re.findall(_CLAIM, text))


def pages_on_site() -> int:
    """Files of pages, but not the records of decisions."""
    return len(_pages()) + len(list(DOCS.rglob("*.ipynb")))


def figures_on_site() -> int:
    """The figures that some page shows."""
    return len({name for _, text in _texts() for name in re.findall(_FIGURE, text)})


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


def approved_formulas() -> int:
    """Displayed formulas whose page and TeX the list has."""
    return sum(formula in _approved() for formula in _formulas())


def approved_statements() -> int:
    """Statements within sentences whose page and TeX the list has."""
    return sum(statement in _approved() for statement in _statements())


def evaluated_formulas() -> int:
    """The other displayed formulas."""
    return len(_formulas()) - approved_formulas()


def evaluated_statements() -> int:
    """The other statements within sentences."""
    return len(_statements()) - approved_statements()


def planted_errors() -> int:
    """Lines that begin an error."""
    return _planted().count("[[error]]")


def caught_errors() -> int:
    """The errors, but not those that say why no check sees them."""
    return planted_errors() - sum(line.startswith("beyond = ") for line in _planted())


def counts_the_site(code: str) -> bool:
    """Whether the value of `code` depends on the pages, and not only on the oracle's files."""
    return any(name in code for name in NAMES)


def _pages() -> list[Path]:
    return [path for path in sorted(DOCS.rglob("*.md")) if "decisions" not in path.parts]


def _prose(text: str) -> str:
    """`text` without its blocks of code and its code within lines."""
    text = re.sub(r"(?ms)^ *(```+)[^`\n]*\n.*?^ *\1$", "", text)
    return "\n".join("".join(line.split("`")[::2]) for line in text.splitlines())


def _texts(*words: str) -> list[tuple[str, str]]:
    """Each page below docs/, and its prose; that of a notebook with these words of its figures."""
    found = [(path.name, _prose(path.read_text("utf-8"))) for path in _pages()]
    for path in DOCS.rglob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        figures = [cell["metadata"].get("figure", {}) for cell in cells]
        prose += [figure.get(word, "") for figure in figures for word in words]
        found.append((path.relative_to(DOCS).as_posix(), "\n".join(prose)))
    return found


def _formulas() -> list[tuple[str, str]]:
    """Page and TeX of what stands between two double dollar signs."""
    return [(page, _one_line(tex)) for page, text in _texts() for tex in text.split("$$")[1::2]]


def _statements() -> list[tuple[str, str]]:
    """Page and TeX of what stands between two dollar signs, with something on both sides of a sign.

    A letter before the sign is only given a value.
    """
    found = []
    for page, text in _texts():
        for tex in "".join(text.split("$$")[::2]).split("$")[1::2]:
            before, *sides = re.split(r"[=<>]|\\(?:le|ge|ll|approx)(?![a-z])", tex)
            if sides and sides[-1].strip() and not before.strip(" \\'").isalpha():
                found.append((page, _one_line(tex)))
    return found


def _approved() -> list[tuple[str, str]]:
    """Page and TeX of each entry of the list."""
    text = (ROOT / "tests" / "data" / "approved_formulas.toml").read_text("utf-8")
    return re.findall(r"""^page = "(.*)"\ntex = '(.*)'$""", text, re.M)


def _planted() -> list[str]:
    folder = ROOT / "tests" / "data" / "planted"
    return [line for path in folder.iterdir() for line in path.read_text("utf-8").splitlines()]


def _one_line(tex: str) -> str:
    return " ".join(tex.split())


_CLAIMS = ("check:", "tried:", "proved:")
_NO_NUMBERS = ("all_", "numbers_of(", "install(", *_CLAIMS)


def _numbers(text: str) -> int:
    shown = [_words(name, "CAPTION") for name in re.findall(_FIGURE, text)]
    total = sum(map(_numbers, shown))
    for part in text.split("{{")[1:]:
        code = part.partition("}}")[0].strip()
        if code.startswith("table("):
            total += _cells(code.rpartition(" : ")[0])
        elif not code.startswith(_NO_NUMBERS):
            total += 1
    return total


def _words(figure: str, part: str) -> str:
    """The CAPTION or the ALT of a figure, from its source."""
    source = (FIGURES / f"{figure}.py").read_text("utf-8")
    return re.findall(rf'^{part} = r?"""(.*?)"""', source, re.MULTILINE | re.DOTALL)[0]


def _cells(code: str) -> int:
    """The cells of a table: those that its source lists, or else its values."""
    body: Any = ast.parse(code, mode="eval").body.args[0]
    if isinstance(body, ast.List):
        return len(body.elts) * len(body.elts[0].elts)
    names = {"__builtins__": {}, **oracle.NAMES, **quantity_oracle.NAMES}
    if isinstance(body, ast.ListComp) and isinstance(body.elt, ast.List):
        return len(eval(ast.unparse(body.generators[0].iter), names)) * len(body.elt.elts)
    return int(np.size(eval(ast.unparse(body), names)))


NAMES = {  # what an expression may call
    name: value
    for name, value in globals().items()
    if callable(value) and value.__module__ == __name__ and name[0] != "_"
}
