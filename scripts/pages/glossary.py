"""Links from the first use of each term on a page to its definition in the glossary.

docs/assets/site/terms.js shows the definition where the term stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scripts import files
from scripts.pages import tags

PAGE = "notation.md"
# Lists, and the glossary itself.
WITHOUT = {PAGE, "api.md", "api-rotary.md", "gallery.md", "numbers.md", "sources.md"}
_ENTRY = re.compile(r"^\*\*(.+?)\*\* \{: #([\w-]+) \}$", re.MULTILINE)
_EVERYDAY = {"position", "scaling", "turn"}  # used in other senses as well, or known to all
_TAG = re.compile(r'(<[^<>"]*(?:"[^"]*"[^<>"]*)*>)')
_NAME = re.compile(r'<(/?)([\w-]+)(?:.*?\bclass="([^"]*)")?', re.DOTALL)
_PROSE = {"p", "li"}
_NO_PROSE = {"a", "button", "code", "data", "figure", "header", "math", "pre", "summary", "svg"}
_NO_PROSE_CLASSES = {"admonition-title", "nb-download", "thumb"}


def linked(html: str, address: str) -> str:
    """`html` with links to the glossary, which is at `address`."""
    pattern, anchors = _terms()
    used: set[str] = set()

    def link(found: re.Match[str]) -> str:
        anchor = anchors[str(found.lastgroup)]
        if anchor in used:
            return found[0]
        used.add(anchor)
        return f'<a class="term" href="{address}#{anchor}">{found[0]}</a>'

    return "".join(pattern.sub(link, part) if prose else part for part, prose in _parts(html))


def entries() -> dict[str, str]:
    """The anchor of each name in the glossary: `frequency` for `Frequency`."""
    text = files.page_text(files.ROOT / "docs" / PAGE).partition("## Glossary")[2]
    return {
        name: anchor
        for names, anchor in _ENTRY.findall(text)
        for name in names.split(", ")
        if not name.startswith("of ") and name.lower() not in _EVERYDAY
    }


@cache
def _terms() -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern with one group for each name, longest first, and the anchor of each group."""
    names = sorted(entries().items(), key=lambda entry: -len(entry[0]))
    anchors = {f"term{number}": anchor for number, (_, anchor) in enumerate(names)}
    forms = (f"(?P<term{number}>{_forms(name)})" for number, (name, _) in enumerate(names))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])"), anchors


def _forms(name: str) -> str:
    """A pattern for singular and plural, at the start of a sentence and within.

    >>> _forms("Frequency")
    '[Ff]requenc(?:y|ies)'
    """
    rest = re.escape(name[1:]).replace(r"\ ", r"\s+")
    plural = f"{rest[:-1]}(?:y|ies)" if rest.endswith("y") else f"{rest}(?:e?s)?"
    return f"[{name[0].upper()}{name[0].lower()}]{plural}"


def _parts(html: str) -> Iterator[tuple[str, bool]]:
    """Tags and texts of `html`, and whether each is prose that may have links."""
    opened: list[tuple[str, bool, bool]] = [("", False, True)]  # name, in prose, allowed
    for part in _TAG.split(html):
        found = _NAME.match(part)
        if not found:
            yield part, opened[-1][1] and opened[-1][2]
            continue
        closing, name, classes = found.groups()
        if closing:
            if any(one[0] == name for one in opened):
                while opened.pop()[0] != name:
                    pass
        elif name not in tags.VOID and not part.endswith("/>"):
            _, prose, allowed = opened[-1]
            no_prose = name in _NO_PROSE or _NO_PROSE_CLASSES & set((classes or "").split())
            opened.append((name, prose or name in _PROSE, allowed and not no_prose))
        yield part, False
