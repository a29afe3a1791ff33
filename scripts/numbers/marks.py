"""Where authors write something for the build: `{{ }}`, and the line of a figure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

ALL_FIGURES, ALL_NUMBERS = "{{ all_figures() }}", "{{ all_numbers() }}"
ALL_MODELS, INSTALL = "{{ all_models() }}", "{{ install() }}"
ALL_SINUSOIDAL, ALL_ROTARY = "{{ all_sinusoidal() }}", "{{ all_rotary() }}"
ALL_INTERLEAVED, ALL_PROGRAMS = "{{ all_interleaved() }}", "{{ all_programs() }}"
LISTS = (
    *(ALL_FIGURES, ALL_NUMBERS, ALL_MODELS, INSTALL),
    *(ALL_SINUSOIDAL, ALL_ROTARY, ALL_INTERLEAVED, ALL_PROGRAMS),
)
# The numbers of the pages from the first to the last, in the order of the navigation.
NUMBERS_OF = re.compile(r'\{\{ numbers_of\("([\w/.-]+)", "([\w/.-]+)"\) \}\}')
# In a form that Python-Markdown takes. A claim leaves no space behind: "falls {{ check: ... }}."
_CLAIM = "(?:check|tried|proved):"
NUMBER = rf"\{{\{{(?!\s*(?:table\(|{_CLAIM}))(.+?)\}}\}}"
CLAIM = rf"\s*\{{\{{(\s*{_CLAIM}.+?)\}}\}}"
_TABLE = re.compile(r"\{\{\s*(table\(.+)\}\}", re.DOTALL)
FIGURE = re.compile(r"!\[\]\(((?:\.\./)*figures/)(\w+)\.svg\)")
_MARK = re.compile(rf"\{{\{{(?P<source>.+?)\}}\}}|^ *{FIGURE.pattern} *$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^( *)(```+).*?^\1\2|`[^`\n]+`", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Mark:
    """One of an author's marks: a number, a claim, a table, or the name of a figure."""

    kind: str  # number, claim, table, figure
    source: str
    line: int


def is_table(source: str) -> bool:
    """Whether `{{ source }}` is a table."""
    return source.startswith("table(")


def is_claim(source: str) -> bool:
    """Whether `{{ source }}` is a claim."""
    return re.match(_CLAIM, source) is not None


def table(block: str) -> str | None:
    """The source of the table that is all of `block`; None if there is none."""
    found = _TABLE.fullmatch(block.rstrip())
    return found[1] if found else None


def figure(block: str) -> tuple[str, str] | None:
    """The folder and the name of the figure that is all of `block`; None if there is none."""
    found = FIGURE.fullmatch(block.rstrip())
    return (found[1], found[2]) if found else None


def found(text: str) -> Iterator[Mark]:
    """The marks of `text` outside of code, from top to bottom."""
    text = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    for mark in _MARK.finditer(text):
        line = text.count("\n", 0, mark.start()) + 1
        if mark["source"] is None:
            yield Mark("figure", mark[3], line)
        elif mark[0] not in LISTS and not NUMBERS_OF.match(mark[0]):
            source = mark["source"].strip()
            kind = "table" if is_table(source) else "claim" if is_claim(source) else "number"
            yield Mark(kind, source, line)
