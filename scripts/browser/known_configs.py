"""What `posenc.rotary` knows about config.json files, as a module for the pages' scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from posenc.plans import _data, _programs
from posenc.rotary import _config, _config_names, _config_scalings, _families, _layouts
from scripts.pages import library_list

MODELS = Path(__file__).parents[1] / "figures" / "data" / "rotary_models.json"
_HEAD = """\
/**
 * Names and defaults of config.json files, and layouts of libraries. The build writes this file.
 *
 * The JSON in texts is read as a config is, so that 1 and 1.0 differ as in Python.
 */
"""


def module() -> bytes:
    """The text of docs/assets/config/known.js."""
    kinds = {kind: made.__name__.removeprefix("_") for kind, made in _config_scalings.KINDS.items()}
    constants: dict[str, tuple[str, Any]] = {
        "SIGNS": ("string[]", _config.SIGNS),
        "NAMES": ("Record<string, string[]>", _config_names.NAMES),
        "UNSET": ("string[]", _config_names.UNSET),
        "INNER": ("string[]", ("attn_config", *_config_names.INNER)),
        "INTERLEAVED": ("string", " ".join(sorted(_layouts.INTERLEAVED))),
        "PARTS": ("string", " ".join(sorted(_families.PARTS))),
        "AXIAL": ("string", " ".join(sorted(_layouts.AXIAL))),
        "OTHERS": ("Record<string, string>", _by_value(_families.OTHERS)),
        "KINDS": ("Record<string, string>", kinds),
        "DEFAULTS": ("string", json.dumps(_by_value(_families.DEFAULTS), separators=(",", ":"))),
        "TYPES": ("Record<string, any>", _types()),
        "SOURCES": ("Record<string, string>", _programs.SOURCES),
        "LIBRARIES": ("string[][]", libraries()),
        "EXAMPLES": ("Record<string, string>", _examples()),
    }
    texts = (
        f"\n/** @type {{{kind}}} */\nexport const {name} = {_literal(value)};\n"
        for name, (kind, value) in constants.items()
    )
    return (_HEAD + "".join(texts)).encode()


def _types() -> dict[str, Any]:
    """What a type of model decides, and the types of its parts."""
    return {
        **_data.TABLES,
        "version": _data.VERSION,
        "words": _data.ENCODINGS,
        "outer": " ".join(_data.PART_TYPES),
    }


def _by_value(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table with one entry for all keys that share a value, their names in one text."""
    names: dict[str, list[str]] = {}
    values = {json.dumps(value): value for value in table.values()}
    for name, value in table.items():
        names.setdefault(json.dumps(value), []).append(name)
    return {" ".join(names[text]): value for text, value in values.items()}


def _literal(value: Any) -> str:
    """`value` in JavaScript: JSON, but JSON in a text keeps its quotation marks as they are."""
    plain = isinstance(value, str) and not set("'\\\n") & set(value)
    return f"'{value}'" if plain else json.dumps(value)


def libraries() -> list[tuple[str, ...]]:
    """Project, version, call and layout of each row of the page's table of rotary encodings."""
    return [tuple(cell.strip("`") for cell in row[:4]) for row in library_list.rotary_rows()]


def _examples() -> dict[str, str]:
    """The published configs as texts, by name."""
    models: dict[str, Any] = json.loads(MODELS.read_text("utf-8"))["models"]
    return {name: _printed(config) for name, config in models.items()}


def _printed(config: dict[str, Any]) -> str:
    """JSON with one option in each line, and each list of numbers in one.

    Those of float32 have as few digits as it needs; the page gives them the published ones again.
    """
    text = json.dumps(config, indent=2)
    text = re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found[0].split()), text)
    return re.sub(r"\d+\.\d{9,}", lambda found: str(np.float32(found[0])), text)
