"""The package's docstrings as Markdown, for mkdocstrings: examples as code, names as links."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import griffe

import posenc

HOMES = (posenc, posenc.rotary, posenc.rotary.axes)  # of classes that the pages show
EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)
_NAME = re.compile(r"`(?P<package>posenc\.)?(?P<name>\w+)`")
_POWER = re.compile(r"(?<=\d)\*\*(\d+)(?=[^`]*(?:`[^`]*`[^`]*)*\Z)")  # outside of code
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Extension(griffe.Extension):
    """Rewrites every docstring of the package after Griffe has read it."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Griffe's event for a package with all its modules."""
        _rewrite(pkg)


def markdown(
    docstring: str, path: str, methods: Collection[str] = (), arguments: Collection[str] = ()
) -> str:
    """The `docstring` of the object at `path`: examples fenced, other public names linked.

    A plain name means one of its `arguments`, which is no link, or a method of the same class, one
    of `methods`, before it means a function.
    """
    fenced = EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", docstring)
    owner = path.rpartition(".")[0]

    def linked(found: re.Match[str]) -> str:
        name = found["name"]
        target = f"{owner}.{name}" if name in methods and not found["package"] else f"posenc.{name}"
        known = name not in arguments and (name in methods or name in posenc.__all__)
        return f"[{found[0]}][{target}]" if known and target != path else found[0]

    prose, *examples = re.split(r"(?=^```pycon$)", fenced, flags=re.MULTILINE)
    prose = _POWER.sub(lambda power: power[1].translate(_RAISED), prose)
    return "".join([_NAME.sub(linked, prose), *examples])


def _rewrite(owner: griffe.Object) -> None:
    """Rewrite the docstrings below `owner`, and leave private arguments out of signatures.

    Public names count as names of the package.
    """
    methods = sorted(owner.functions) if isinstance(owner, griffe.Class) else []
    homes = (home.__name__ for home in HOMES if owner.name in home.__all__)
    path = f"{next(homes, 'posenc')}.{owner.name}" if methods else "posenc"
    for member in owner.members.values():
        if isinstance(member, griffe.Function):
            shown = [one for one in member.parameters if not one.name.startswith("_")]
            member.parameters = griffe.Parameters(*shown)
        if isinstance(member, griffe.Object):
            if member.docstring:
                text, place = member.docstring.value, f"{path}.{member.name}"
                arguments = [one.name for one in getattr(member, "parameters", [])]
                member.docstring.value = markdown(text, place, methods, arguments)
            _rewrite(member)
