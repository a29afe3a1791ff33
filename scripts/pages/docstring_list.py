"""A public name of the package as Markdown: its signature and its docstring, and its methods'."""

from __future__ import annotations

import re
from functools import cache

import griffe

from scripts.files import ROOT
from scripts.pages import docstrings

_SIGNATURE = "```python\n{}\n```\n\n"


def markdown(path: str) -> str:
    """The section of the name `path`, such as posenc.encode, with the id that links lead to."""
    package, _, name = path.partition(".")
    found = _package(package)[name]
    return _section(found.final_target if isinstance(found, griffe.Alias) else found, path, "###")


@cache
def _package(name: str) -> griffe.Object | griffe.Alias:
    return griffe.load(name, search_paths=[ROOT], resolve_aliases=True)


def _section(found: griffe.Object, path: str, level: str) -> str:
    text = found.docstring.value if found.docstring else ""
    text = docstrings.EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", text)
    head = f'{level} `{path.rpartition(".")[2]}` <a id="{path}"></a>\n\n'
    if isinstance(found, griffe.Class):
        methods = [one for one in found.functions.values() if _is_public(one)]
        made = [_section(one, f"{path}.{one.name}", f"{level}#") for one in methods]
        constructor = found.functions.get("__init__")
        if constructor:
            head += _SIGNATURE.format(_signature(constructor, found.name))
        return "\n\n".join([head + text, *made])
    if isinstance(found, griffe.Function):
        head += _SIGNATURE.format(_signature(found, found.name))
    return head + text


def _is_public(one: griffe.Function) -> bool:
    return bool(one.docstring) and not one.name.startswith("_")


def _signature(function: griffe.Function, name: str) -> str:
    """The signature without the instance or the class."""
    return re.sub(r"\((?:self|cls)(?:, )?", "(", function.signature(name=name), count=1)
