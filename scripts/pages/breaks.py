"""The places at which a line may break inside a long name in code, so that no word is cut."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

CELL, SENTENCE = 20, 30  # characters that fit into a cell, and into a line of a phone
_PLACE = re.compile(r"(?<=[_/(=.\[])(?=[A-Za-z\"'])|(?<=[a-z])(?=[A-Z])")


def pieces(code: str, longest: int) -> list[str]:
    """`code`, cut where a line may break in those of its words that are longer than `longest`."""
    found = [""]
    for word in re.split("( +)", code):
        first, *others = _PLACE.split(word) if len(word) > longest else [word]
        found[-1] += first
        found += others
    return found


class LongNames(Treeprocessor):
    """Puts `<wbr>` into the code of sentences and cells."""

    def run(self, root: ElementTree.Element) -> None:
        cells = (cell for cell in root.iter() if cell.tag in ("td", "th"))
        in_cells = {code for cell in cells for code in cell.iter("code")}
        for code in list(root.iter("code")):
            first, *others = pieces(code.text or "", CELL if code in in_cells else SENTENCE)
            code.text = AtomicString(first)
            for piece in others:
                ElementTree.SubElement(code, "wbr").tail = AtomicString(piece)
