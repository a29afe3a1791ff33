"""The colours of figures in the site's two schemes, from the site's stylesheet."""

from __future__ import annotations

import re

from scripts.files import DOCS

LIGHT, DARK = "default", "slate"  # as the theme calls them
_STYLESHEET = DOCS / "assets" / "site" / "style.css"
_RULE = re.compile(r"\[data-md-color-scheme=(default|slate)\]\s*\{([^}]*--fig-1[^}]*)\}")
_COLOR = re.compile(r"(--fig-[\w-]+):\s*([^;}]+)")
_INK = {LIGHT: "#1f2328", DARK: "#e2e4e9"}
_PAPER = {LIGHT: "#fff", DARK: "#1e2129"}


def colors(scheme: str) -> dict[str, str]:
    """What the CSS colours of a figure stand for outside of any page: `var(--fig-1)`: #3d6bc9."""
    named = {f"var({name})": value for name, value in _variables(scheme).items()}
    return {"currentColor": _INK[scheme], **named}


def style(scheme: str, *, used_in: str = "") -> str:
    """The declarations that give an element the scheme, with its ink and paper.

    If `used_in` is given, only the variables that stand in this text.
    """
    variables = _variables(scheme).items()
    kept = [(name, value) for name, value in variables if not used_in or f"({name})" in used_in]
    declared = "".join(f"{name}:{value};" for name, value in kept)
    return f"{declared}color:{_INK[scheme]};background:{_PAPER[scheme]}"


def _variables(scheme: str) -> dict[str, str]:
    rules = dict(_RULE.findall(_STYLESHEET.read_text("utf-8")))
    return {name: value.strip() for name, value in _COLOR.findall(rules[scheme])}
