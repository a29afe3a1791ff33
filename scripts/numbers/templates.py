"""Text with `{{ }}` that becomes text without markup: the alt texts of figures."""

from __future__ import annotations

import html
import re

from scripts.numbers import claims, expressions, marks


def plain(template: str) -> str:
    """`template` with its numbers, and without its claims, which must be true."""
    text = " ".join(template.split())
    for claim in re.findall(marks.CLAIM, text):
        claims.claim(claim)
    text = re.sub(marks.CLAIM, "", text)
    return html.unescape(re.sub(marks.NUMBER, lambda mark: expressions.number(mark[1]).text, text))
