"""The kinds of files that a plan is read from, and which one a dict of keys is."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from posenc import _arguments
from posenc._gguf import read_header, read_tensor
from posenc.plans import _diffusers, _gguf, _params, _transformers
from posenc.plans._reading import Config, Read

_DIVISORS = {f"rope_{what}.weight" for what in ("freqs", "factors_short", "factors_long")}
_NAMES = ("config.json", "params.json")
_LONGEST = 2**26  # bytes of a JSON file: none that describes a model is longer


def as_dict(config: Any) -> Config:
    """The keys of a dict, of JSON text, of the file at a path, or of an object with `to_dict`."""
    if isinstance(config, Mapping):
        for key in config:
            if not isinstance(key, str):
                raise ValueError(f"config must have texts as keys, got {_arguments.shown(key)}")
        return {**config}
    if isinstance(config, str) and config.lstrip()[:1] in ("{", "["):
        return _parsed(config, "config")
    if isinstance(config, str | PathLike):
        return loaded(Path(config))
    if callable(getattr(config, "to_dict", None)) and not isinstance(config, type):
        return as_dict(config.to_dict())
    rule = "a dict, JSON text, a path, or an object with to_dict"
    raise ValueError(f"config must be {rule}, got {_arguments.shown(config)}")


def loaded(path: Path) -> Config:
    """The keys of a JSON file, of one in a folder, or of the header of a GGUF file."""
    if path.is_dir():
        found = [path / name for name in _NAMES if (path / name).exists()]
        if not found:
            rule = f"the folder must hold {' or '.join(_NAMES)}"
            raise FileNotFoundError(errno.ENOENT, rule, str(path))
        path = found[0]
    with path.open("rb") as file:
        content = file.read(4)
        if content == b"GGUF" or path.suffix.lower() == ".gguf":
            return _header(path)
        content += file.read(_LONGEST - 3)
    if len(content) > _LONGEST:
        raise ValueError(f"a JSON file must have at most {_LONGEST} bytes")
    try:
        return _parsed(content.decode("utf-8-sig"), path.name)
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} must be JSON in UTF-8") from None


def _header(path: Path) -> Config:
    """The metadata of a GGUF file, and the tensors that divide frequencies."""
    header = read_header(path)
    given = {name: read_tensor(path, header, name) for name in _DIVISORS & {*header.tensors}}
    return {**header.metadata, **{name: values.tolist() for name, values in given.items()}}


def _parsed(text: str, name: str) -> Config:
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} must be JSON: {error}") from None
    if not isinstance(config, dict):
        raise ValueError(f"{name} must be a JSON object, got {_arguments.shown(config)}")
    return config


def reader(config: Config) -> Callable[[Config], Read]:
    """The function that reads such a config."""
    if _gguf.claims(config):
        return _gguf.read
    if _diffusers.claims(config):
        return _diffusers.read
    return _params.read if _params.claims(config) else _transformers.read
