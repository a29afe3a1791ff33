"""The package's docstrings as Markdown, for mkdocstrings: examples as code, names as links."""

from __future__ import annotations

import re
from typing import Any

import griffe

import posenc

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)
_NAME = re.compile(r"`(?:posenc\.)?(\w+)`")
_POWER = re.compile(r"(?<=\d)\*\*(\d+)(?=[^`]*(?:`[^`]*`[^`]*)*\Z)")  # outside of code
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Extension(griffe.Extension):
    """Rewrites every docstring of the package once it has been read."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Griffe's event for a package with all its modules."""
        _rewrite(pkg)


def markdown(docstring: str, own: str) -> str:
    """`docstring` with its examples fenced and the public names in it linked, `own` apart."""
    fenced = _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", docstring)

    def linked(found: re.Match[str]) -> str:
        name = found[1]
        known = name in posenc.__all__ and name != own
        return f"[{found[0]}][posenc.{name}]" if known else found[0]

    prose, *examples = re.split(r"(?=^```pycon$)", fenced, maxsplit=1, flags=re.MULTILINE)
    prose = _POWER.sub(lambda power: power[1].translate(_RAISED), prose)
    return "".join([_NAME.sub(linked, prose), *examples])


def _rewrite(owner: griffe.Object) -> None:
    for member in owner.members.values():
        if isinstance(member, griffe.Object):
            if member.docstring:
                member.docstring.value = markdown(member.docstring.value, member.name)
            _rewrite(member)
