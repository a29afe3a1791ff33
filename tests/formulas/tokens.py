"""The tokens of a formula's TeX, without commands that only lay it out."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\d+(?:\{,\}\d{3})*(?:\.\d+)?|\\[A-Za-z]+|[^\s.\\]")
_MATRIX = re.compile(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", re.DOTALL)
_REWRITTEN = (  # in this order
    (r"&&\s*\\text\{[^{}]*\}", ""),  # a remark at the end of a line
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


def tokens(tex: str) -> list[str]:
    r"""The tokens from left to right.

    >>> tokens(r"\left|\sin 2i\right| \le 1{,}000 , \quad\text{and}\quad x_p^\top.")[:5]
    ['\\lbar', '\\sin', '2', 'i', '\\rbar']
    """
    tex = _MATRIX.sub(_with_cells, tex)
    for pattern, replacement in _REWRITTEN:
        tex = re.sub(pattern, replacement, tex)
    if r"\int" in tex:
        tex = re.sub(r"(?<![A-Za-z\\])d(?=[a-z](?![A-Za-z]))", r"\\differential ", tex)
    return _TOKEN.findall(tex)


def _with_cells(matrix: re.Match[str]) -> str:
    """Cells and rows under names that differ from those of aligned lines."""
    return matrix[0].replace("&", r"\cell ").replace(r"\\", r"\row ")
