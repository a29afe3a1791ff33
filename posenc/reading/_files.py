"""Read tables from files for the command; an error says what is wrong with the file."""

from __future__ import annotations

import math
import os
import stat
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from posenc import _arguments, _memory
from posenc.reading._texts import read_text
from posenc.reading._weights import (
    Array,
    read_gguf,
    read_pytorch,
    read_safetensors,
)

_MOST_ARRAYS = 10_000  # `identify` may need a tenth of a second for each
_HEADERS: dict[tuple[int, int], Callable[[IO[bytes]], tuple[tuple[int, ...], bool, Any]]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    (3, 0): np.lib.format.read_array_header_2_0,  # version 2 with field names in UTF-8
}


class _NoNumbersError(ValueError):
    """An array holds other things than numbers."""


def tables(path: Path) -> Iterator[tuple[str, Array]]:
    """Each array in the file with its name, empty if the format stores none.

    Raises ValueError with a one-line message if the file cannot be read as its suffix says.
    """
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"the name must end in one of {', '.join(READERS)}")
    try:
        _refuse_unreadable(path.stat(), whole=reader is not read_gguf)
        yield from reader(path)
    except ModuleNotFoundError as error:
        raise ValueError(f"a {path.suffix} file needs {error.name}, not installed here") from error
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from error
    except MemoryError as error:
        raise ValueError("the table is larger than this machine's memory") from error


def _refuse_unreadable(status: os.stat_result, *, whole: bool) -> None:
    """Refuse what is no regular file, an empty file, and one too large to be read as a `whole`."""
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("must be a regular file, not a folder, a pipe or a device")
    if status.st_size == 0:
        raise ValueError("the file is empty")
    if whole:
        _memory.refuse_bytes(2 * status.st_size, f"the file has {status.st_size / 1e9:,.0f} GB")


def _npy(path: Path) -> Iterator[tuple[str, Array]]:
    with path.open("rb") as file:
        yield "", _array(file, path.stat().st_size)


def _npz(path: Path) -> Iterator[tuple[str, Array]]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > _MOST_ARRAYS:
                raise ValueError(f"must hold at most {_MOST_ARRAYS:,} arrays, got {len(members):,}")
            size = sum(member.file_size for member in members)
            _memory.refuse_bytes(size, f"the archive unpacks to {size / 1e9:,.0f} GB")
            yield from _members(archive, members)
    except (ValueError, MemoryError, OSError):
        raise
    except Exception as error:  # each kind of compression raises its own errors
        raise ValueError(f"not a whole .npz archive ({error})") from error


def _members(
    archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]
) -> Iterator[tuple[str, Array]]:
    """The arrays of an archive; members that are no arrays, or no numbers, are left out."""
    left_out: list[str] = []
    found = False
    for member in members:
        name = member.filename.removesuffix(".npy")
        if name == member.filename:
            left_out.append(f"{name} is no .npy file")
            continue
        try:
            with archive.open(member) as file:
                array = _array(file, member.file_size)
        except _NoNumbersError as error:
            left_out.append(f"{name} {error}")
            continue
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
        found = True
        yield name, array
    if left_out and not found:
        raise ValueError(f"must hold an array of numbers, got none: {left_out[0]}")


def _array(file: IO[bytes], size: int) -> Array:
    """The array in `file` of `size` bytes; its header is checked before the data is read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about headers of Python 2 and old dtype names
        return _checked_array(file, size)


def _checked_array(file: IO[bytes], size: int) -> Array:
    try:
        version = np.lib.format.read_magic(file)
        shape, _, dtype = _HEADERS[version](file)
    except Exception as error:  # NumPy evaluates the header as Python, which may fail in any way
        raise ValueError("not in NumPy's format, or cut off in its header") from error
    if dtype.hasobject:
        raise _NoNumbersError("holds Python objects, not numbers")
    if dtype.kind == "V" and dtype.itemsize == 2 and not dtype.names:
        raise _NoNumbersError(
            "holds values without a type, as NumPy saves bfloat16: save array.astype('float32')"
        )
    if dtype.subdtype:
        raise ValueError(f"must hold numbers, got {_arguments.shown(dtype)}")
    _memory.refuse_shape(shape)
    count = math.prod(shape)
    if size - file.tell() < count * dtype.itemsize:
        got = f"{size - file.tell():,} of {count * dtype.itemsize:,} bytes"
        raise ValueError(f"truncated: holds {got}")
    file.seek(0)
    array: Array = np.lib.format.read_array(file, allow_pickle=False)
    return array


def _text(path: Path) -> Iterator[tuple[str, Array]]:
    _memory.refuse_values(path.stat().st_size // 2)  # a value takes at least a digit and a comma
    yield "", read_text(path)


READERS: dict[str, Callable[[Path], Iterator[tuple[str, Array]]]] = {
    **{".npy": _npy, ".npz": _npz, ".safetensors": read_safetensors},
    **dict.fromkeys((".pt", ".pth", ".bin", ".ckpt"), read_pytorch),
    ".gguf": read_gguf,
    **dict.fromkeys((".csv", ".tsv", ".txt"), _text),
}
