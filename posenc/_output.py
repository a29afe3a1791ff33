"""What the commands print: lines that any terminal can show, values as JSON and as code, errors."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np


def written(lines: Iterable[str]) -> bool:
    """Print the lines; False if they cannot be written, which is then reported."""
    if sys.stdout is None:  # closed by the shell, as by `>&-`
        complain("the answer cannot be written: there is no output")
        return False
    try:
        for line in lines:
            _say(line, sys.stdout)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # takes the flush at exit
        if not isinstance(error, BrokenPipeError):  # `head` has read enough
            complain(f"the answer cannot be written: {error.strerror}")
            return False
    return True


def complain(message: str) -> None:
    """Print an error, unless the shell has closed the stream for errors or its disk is full."""
    if sys.stderr is not None:
        with suppress(OSError):
            _say(f"posenc: {message}", sys.stderr)


def named(path: Path, error: Exception) -> str:
    """The message of an error in one line that names the file once."""
    message = " ".join(str(error).split()) or "not enough memory"
    return f"{path}: {message.removeprefix(f'{path.name} ')}"


def as_json(value: Any) -> str:
    """The value as JSON; dataclasses become objects that name their type."""
    return json.dumps(_plain(value), indent=2)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        # Without the table of a match, which may be as long as the file.
        names = [field.name for field in fields(value) if field.compare]
        own = {name: _plain(getattr(value, name)) for name in names}
        return {"type": type(value).__name__, **own}
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, list | tuple | range | set | frozenset):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def _say(line: str, stream: TextIO) -> None:
    """Print one line; unprintable characters, which names may contain, are escaped."""
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    encoding = stream.encoding or "utf-8"
    print(plain.encode(encoding, "backslashreplace").decode(encoding), file=stream)


def code(kind: Any) -> str:
    """`kind` as Python code, with only the options that differ from their defaults."""
    written = []
    for one in fields(kind):
        value = getattr(kind, one.name)
        if hasattr(kind, "made_by") and one.default is MISSING:  # a cache of points
            written += [f"rotary={kind.made_by}"] if one.name == "rotary" else []
            continue
        if one.default is MISSING:
            written.append(f"{one.name}={_in_code(value)}" if one.kw_only else _in_code(value))
        elif value != one.default and (one.name, value) != (
            "rotary_dim",
            kind.__dict__.get("head_dim"),
        ):
            written.append(f"{one.name}={_in_code(value)}")
    return f"{type(kind).__name__}({', '.join(written)})"


def _in_code(value: Any) -> str:
    """`value` as code; an integer instead of a float with no fraction and at most 16 digits."""
    if is_dataclass(value):
        return code(value)
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e16
    return repr(int(value) if whole else value)
