"""The statements of a formula, as tokens of TeX without commands that only lay it out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

RELATIONS = ("=", "<", ">", r"\le", r"\ge", r"\approx", r"\ll")
_OPENED, _CLOSED = ("(", "{", r"\begin"), (")", "}", r"\end")
_TOKEN = re.compile(r"\d+(?:\{,\}\d{3})*(?:\.\d+)?|\\[A-Za-z]+|[^\s.\\]")
_MATRIX = re.compile(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", re.DOTALL)
_REWRITTEN = (  # in this order
    (r"\\text\{for every \}\s*\w", ""),  # the points are random anyway
    (r"\\text\{([^{}]*):\}", r"\\label{\1}"),
    (r"\\text\{ is the identity\}", "= I"),
    (r"\\text\{(identity|value)\}", r"\\mathrm{\1}"),
    (r"\\text\{(?:and|since) ?\}", ","),
    (r"\\(?:begin|end)\{aligned\}|&|\{\}", " "),
    (r"\\\\\s*(?=[=+<>-]|\\(?:le|ge|approx)\b)", " "),  # a line that goes on
    (r"\\\\", r" \\line "),
    (r"\\left\||\\lVert|\\lvert", r"\\lbar "),
    (r"\\right\||\\rVert|\\rvert", r"\\rbar "),
    (r"\\?\|([^|]*?)\\?\|", r"\\lbar \1\\rbar "),
    (r"\\(?:(?:left|right|bigl|bigr|textstyle|quad|qquad)(?![A-Za-z])|[,;:! ])", " "),
    (r"\\mathrm\{d\}", r"\\d "),
)


@dataclass(frozen=True)
class Statement:
    """Sides with relations between them; a bare expression has one side and no relation."""

    sides: tuple[list[str], ...]  # the tokens of each
    relations: tuple[str, ...]
    label: str  # the words before it, such as "T5"

    @property
    def compares_sizes(self) -> bool:
        """Whether it is a condition such as 0 <= i < d/2."""
        return bool(self.relations) and not {"=", r"\approx"} & set(self.relations)

    @property
    def approximates(self) -> bool:
        """Whether it holds only up to a tolerance."""
        return r"\approx" in self.relations


def statements(tex: str) -> list[Statement]:
    """The statements of a formula, which commas and lines divide."""
    return [_statement(part) for part, _ in _divided(tokens(tex), (",", r"\line")) if part]


def tokens(tex: str) -> list[str]:
    r"""The tokens from left to right.

    >>> tokens(r"\left|\sin 2i\right| \le 1{,}000 , \quad\text{and}\quad x_p^\top.")[:5]
    ['\\lbar', '\\sin', '2', 'i', '\\rbar']
    """
    # Cells and rows get names that differ from those of aligned lines.
    tex = _MATRIX.sub(lambda one: one[0].replace("&", r"\cell ").replace(r"\\", r"\row "), tex)
    for pattern, replacement in _REWRITTEN:
        tex = re.sub(pattern, replacement, tex)
    if r"\int" in tex:
        tex = re.sub(r"(?<![A-Za-z\\])d(?=[a-z](?![A-Za-z]))", r"\\differential ", tex)
    return _TOKEN.findall(tex)


def _statement(found: list[str]) -> Statement:
    label = ""
    if found[0] == r"\label":
        end = found.index("}")
        label, found = "".join(found[2:end]), found[end + 1 :]
    parts = list(_divided(found, RELATIONS))
    return Statement(tuple(part for part, _ in parts), tuple(sign for _, sign in parts[:-1]), label)


def _divided(found: list[str], signs: tuple[str, ...]) -> Iterator[tuple[list[str], str]]:
    """The parts between `signs` outside of brackets, each with the sign behind it."""
    part: list[str] = []
    depth = 0
    for token in found:
        depth += (token in _OPENED) - (token in _CLOSED)
        if token in signs and depth == 0:
            yield part, token
            part = []
        else:
            part.append(token)
    yield part, ""
