"""What there is on this site, counted."""

from __future__ import annotations

import re
import zipfile

import posenc
from scripts.files import ROOT

_BLOCK = re.compile(r"^( *)```python\n.*?^\1```$", re.DOTALL | re.MULTILINE)


def numbers_on_site() -> int:
    """Numbers on all pages: in the text, in tables, in captions."""
    from scripts.numbers import places  # it evaluates expressions, this one among them
    from scripts.pages import contents

    pages = contents.pages()
    return sum(place.count() for page in pages for place in places.places(page))


def pages_on_site() -> int:
    """Pages in the navigation."""
    from scripts.pages import contents

    return len(contents.pages())


def figures_on_site() -> int:
    """Figures with a module of their own."""
    from scripts import figures

    return len(figures.names())


def code_blocks_on_site() -> int:
    """Blocks of Python on the pages."""
    from scripts.pages import contents

    return sum(len(_BLOCK.findall(page.path.read_text("utf-8"))) for page in contents.pages())


def library_tables() -> int:
    """Arrays that libraries computed, kept to compare with."""
    with zipfile.ZipFile(ROOT / "tests" / "data" / "conventions" / "reference.npz") as arrays:
        return len(arrays.namelist())


def known_conventions() -> int:
    """Names in `posenc.CONVENTIONS`."""
    return len(posenc.CONVENTIONS)
