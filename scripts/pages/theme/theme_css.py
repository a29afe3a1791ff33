"""The theme's stylesheets without rules for parts that the site does not have.

A rule goes only if it needs a class that is in no page and that no script so much as mentions, or
a direction of text or a colour of the theme that no page has. So a rule for a part that a script
adds stays. Some rules go because of what they cost: see _COSTLY.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import tinycss2

_FIXED = ("dir", "data-md-color-primary", "data-md-color-accent")  # no script changes these
_VALUE = re.compile(rf"({'|'.join(_FIXED)})=[\"']?([\w-]+)[\"']?")
_CLASSES = re.compile(r"\bclass=[\"']([^\"']*)[\"']")
# With these, browsers compute the style of the whole page again when the theme's script adds a
# class to <html> and, for a moment, an attribute to <body>, as it does at the start of every page.
# Every table of the site has a class, and a new colour scheme may fade in.
_COSTLY = ("table:not([class])", "[data-md-color-switching]")
_WORD, _VARIABLE, _USED = (
    re.compile(pattern) for pattern in (r"[\w-]+", r"--[\w-]+", r"var\(\s*(--[\w-]+)")
)


@dataclass(frozen=True)
class Needs:
    """What the pages, scripts and stylesheets of a site mention."""

    words: set[str]  # among them the classes
    values: set[tuple[str, str]]  # of attributes that no script changes
    variables: set[str]


def needs(pages: Iterable[str], others: Iterable[str]) -> Needs:
    """What these `pages`, and `others` (scripts and stylesheets), may need of a theme."""
    words, values, used = set[str](), set[tuple[str, str]](), set[str]()
    for page in pages:
        words.update(" ".join(_CLASSES.findall(page)).split())
        values.update(_VALUE.findall(page))
        used.update(_VARIABLE.findall(page))
    for text in others:
        words.update(_WORD.findall(text))
        used.update(_VARIABLE.findall(text))
    return Needs(words, values, used)


def pruned(sheets: dict[str, str], needs: Needs) -> dict[str, str]:
    """The `sheets`, by name, with only what a site with these `needs` may use."""
    words, values = needs.words, needs.values
    made = {name: _Pruner(words, values, None).sheet(text) for name, text in sheets.items()}
    before: dict[str, str] = {}
    while made != before:  # only a dropped variable may use another one
        before = made
        needed = needs.variables.union(*(_USED.findall(text) for text in before.values()))
        pruner = _Pruner(words, values, needed)
        made = {name: pruner.sheet(text) for name, text in before.items()}
    return made


class _Pruner:
    """Drops rules that need other classes than `words` or other values than `values`.

    It also drops variables, except those named in `used`; None keeps all.
    """

    def __init__(
        self, words: set[str], values: set[tuple[str, str]], used: set[str] | None
    ) -> None:
        self.words, self.values, self.used = words, values, used

    def sheet(self, text: str) -> str:
        rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        return "".join(self._rules(rules))

    def _rules(self, rules: list[Any]) -> Iterator[str]:
        for rule in rules:
            if _checked(rule).type == "qualified-rule":
                selectors = [s for s in _selectors(rule.prelude) if self._may_match(s)]
                if selectors:
                    yield f"{','.join(map(_text, selectors))}{{{self._declarations(rule.content)}}}"
            elif rule.lower_at_keyword in ("media", "supports"):
                inside = tinycss2.parse_rule_list(rule.content, skip_whitespace=True)
                if kept := "".join(self._rules(inside)):
                    yield f"@{rule.at_keyword}{_text(rule.prelude)}{{{kept}}}"
            else:
                yield rule.serialize()

    def _may_match(self, selector: list[Any]) -> bool:
        """Whether some page may have such an element; classes within :not() do not count."""
        for one, other in pairwise(selector):
            if one == "." and other.type == "ident" and other.value not in self.words:
                return False
        if any(part in _text(selector) for part in _COSTLY):
            return False
        texts = [_text(token.content) for token in selector if token.type == "[] block"]
        found = [match.groups() for match in map(_VALUE.fullmatch, texts) if match]
        return self.values.issuperset(found)

    def _declarations(self, content: list[Any]) -> str:
        parts = tinycss2.parse_blocks_contents(content, skip_whitespace=True)
        return ";".join(_checked(part).serialize() for part in parts if self._is_used(part))

    def _is_used(self, part: Any) -> bool:
        variable = part.type == "declaration" and part.name.startswith("--")
        return self.used is None or not variable or part.name in self.used


def _selectors(prelude: list[Any]) -> Iterator[list[Any]]:
    """The selectors that the commas of `prelude` separate."""
    selector: list[Any] = []
    for token in prelude:
        if token == ",":
            yield selector
            selector = []
        else:
            selector.append(token)
    yield selector


def _checked(part: Any) -> Any:
    """The rule or declaration `part`; a ValueError if it cannot be read."""
    if part.type == "error":
        raise ValueError(f"the theme's stylesheet cannot be read: {part.message}")
    return part


def _text(tokens: list[Any]) -> str:
    return str(tinycss2.serialize(tokens))
