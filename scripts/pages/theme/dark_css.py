"""The dark scheme of readers without JavaScript, for whom the theme's script cannot choose one."""

from __future__ import annotations

import re
from collections.abc import Iterable

NAME = "dark.css"  # loaded by pages whose reader has no JavaScript and a dark system
_LIGHT, _DARK = "[data-md-color-scheme=default]", "[data-md-color-scheme=slate]"
_RULE = re.compile(r"[^{}]*\{[^{}]*\}")


def of(theme: Iterable[str], own: Iterable[str]) -> str:
    """The rules for the dark scheme, turned into rules for a page that is marked as light.

    Without the script, all pages are marked so. Pages load the result after the stylesheets of the
    `theme`, whose rules it overrides by its place, and before the site's `own`, whose rules for the
    light scheme it overrides by naming the element. The rules are for screens, as paper is white.
    """
    dark = [*_turned(theme, ":where(body)"), *_turned(own, "body")]
    return f"@media screen{{{''.join(dark)}}}"


def _turned(sheets: Iterable[str], element: str) -> list[str]:
    rules = (rule for sheet in sheets for rule in _RULE.findall(sheet))
    return [rule.replace(_DARK, element + _LIGHT) for rule in rules if _DARK in rule]
