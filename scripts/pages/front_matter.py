"""What a page says about itself: the front matter of a page, the metadata of a notebook."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from scripts import figures, files
from scripts.files import BuildError

_FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
_LISTS = {".md": ("hide", "needs"), ".ipynb": ()}


def read(path: Path) -> tuple[dict[str, Any], str]:
    """The settings of the page `path`, and its text; of a notebook, that of its first cell."""
    text = files.page_text(path)
    meta, text = _notebook(path, text) if path.suffix == ".ipynb" else (_settings(path, text), text)
    if not isinstance(meta, dict):
        raise BuildError(f"{files.relative(path)}:1: the front matter must be names with values")
    _check(path, meta)
    return meta, text


def _check(path: Path, meta: dict[str, Any]) -> None:
    """Refuse settings that the build cannot use."""
    words = meta.get("words", {})
    for name in ("title", "description"):
        if not isinstance(meta.get(name, ""), str):
            raise _error(path, name, f"{name} must be a text")
    if not isinstance(words, dict) or not all(
        isinstance(one, str) for entry in words.items() for one in entry
    ):
        raise _error(path, "words", "words must have a text for each section")
    if not isinstance(meta.get("search", {}), dict):
        raise _error(path, "search", "search must be names with values")
    for name in _LISTS[path.suffix]:
        given = meta.get(name, [])
        if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
            raise _error(path, name, f"{name} must be a list of texts")
    if "card" in meta and meta["card"] not in figures.names():
        raise _error(path, "card", f"no figure {meta['card']!r}")


def _error(path: Path, name: str, message: str) -> BuildError:
    """The error at the line of the setting `name`."""
    written = f'"{name}":' if path.suffix == ".ipynb" else f"{name}:"
    return BuildError(f"{files.located(path, written)}: {message}")


def _notebook(path: Path, text: str) -> tuple[Any, str]:
    """The settings and the first cell of a notebook."""
    try:
        notebook = json.loads(text)
        return notebook["metadata"], "".join(notebook["cells"][0]["source"])
    except (ValueError, LookupError, TypeError) as error:
        raise BuildError(f"{files.relative(path)}:1: no notebook: {error}") from error


@cache
def _settings(path: Path, text: str) -> Any:
    """The settings at the top of a page."""
    front = _FRONT.match(text)
    try:
        return (yaml.safe_load(front[1]) or {}) if front else {}
    except yaml.MarkedYAMLError as error:
        place: Any = error.problem_mark  # PyYAML gives each of these errors one
        line = place.line + 2
        raise BuildError(f"{files.relative(path)}:{line}: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:  # a character or a date that does not exist
        said = " ".join(str(error).split())
        raise BuildError(f"{files.relative(path)}:1: the front matter: {said}") from error
