"""A formula as people would type it: `sqrt(d)`, not the letters of its MathML in a row."""

from __future__ import annotations

import re
import unicodedata
import xml.etree.ElementTree as etree
from html import unescape

_ENTITY = re.compile(r"&(?!(?:lt|gt|amp);)\w+;")  # of HTML, unknown to XML
_MATH = re.compile(r"<math.*?</math>", re.DOTALL)
_SIGNS = {"−": "-", "⁢": "", "⁡": " ", "⋅": "*", "·": "*", "×": "x", "⊤": "T", "≤": "<=", "≥": ">="}


def without_mathml(html: str) -> str:
    """`html` with each inline formula typed, and without the displayed ones."""
    return _MATH.sub(lambda match: _replacement(match[0]), html)


def _replacement(mathml: str) -> str:
    if 'display="block"' in mathml:
        return ""
    root = etree.fromstring(_ENTITY.sub(lambda match: unescape(match[0]), mathml))
    text = re.sub(r"\s+", " ", typed(root)).strip()
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def typed(element: etree.Element) -> str:
    """The formula as text.

    >>> typed(etree.fromstring("<math><msqrt><mi>d</mi></msqrt></math>"))
    'sqrt(d)'
    """
    parts = [typed(child) for child in element]
    match element.tag, parts:
        case "msqrt", _:
            return f"sqrt({''.join(parts)})"
        case "mfrac", [top, bottom]:
            return f"{_grouped(top)}/{_grouped(bottom)}"
        case "msup", [base, power]:
            return f"{base}^{_grouped(power)}"
        case "msub" | "munder", [base, index]:
            return f"{base}_{_grouped(index)}"
        case "msubsup" | "munderover", [base, index, power]:
            return f"{base}_{_grouped(index)}^{_grouped(power)}"
        case "mspace", _:
            return " "
        case _, []:
            return "".join(_character(one) for one in (element.text or "").strip())
        case _:
            return "".join(parts)


def _grouped(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _character(character: str) -> str:
    """A Greek letter by its name, a sign of mathematics as on a keyboard."""
    name = unicodedata.name(character, "")
    if name.startswith("GREEK SMALL LETTER"):
        return f" {name.split()[3].lower()} "
    return _SIGNS.get(character, character)
