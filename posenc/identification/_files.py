"""Read tables from files for the command; an error says what is wrong with the file."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from posenc.identification._texts import read_text
from posenc.identification._weights import Array, read_pytorch, read_safetensors

_COPIES = 4  # float64 copies of a table that `identify` may hold at once
_HEADERS: dict[tuple[int, int], Callable[[IO[bytes]], tuple[tuple[int, ...], bool, Any]]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    (3, 0): np.lib.format.read_array_header_2_0,  # as version 2, with field names in UTF-8
}


def tables(path: Path) -> Iterator[tuple[str, Array]]:
    """Each array in the file with its name, empty if the format stores none.

    Raises ValueError with a one-line message if the file cannot be read as its suffix says.
    """
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"the name must end in one of {', '.join(READERS)}")
    try:
        if path.stat().st_size == 0:
            raise ValueError("the file is empty")
        yield from reader(path)
    except ModuleNotFoundError as error:
        raise ValueError(f"a {path.suffix} file needs {error.name}, not installed here") from error
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from error
    except MemoryError as error:
        raise ValueError("the table is larger than this machine's memory") from error


def _npy(path: Path) -> Iterator[tuple[str, Array]]:
    with path.open("rb") as file:
        yield "", _array(file, path.stat().st_size)


def _npz(path: Path) -> Iterator[tuple[str, Array]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                with archive.open(member) as file:
                    yield member.filename.removesuffix(".npy"), _array(file, member.file_size)
    except (zipfile.BadZipFile, EOFError, RuntimeError, NotImplementedError) as error:
        raise ValueError(f"not a whole .npz archive ({error})") from error


def _array(file: IO[bytes], size: int) -> Array:
    """The array in `file` of `size` bytes; its header is checked before the data is read."""
    try:
        version = np.lib.format.read_magic(file)
        shape, _, dtype = _HEADERS[version](file)
    except (ValueError, KeyError, EOFError) as error:
        raise ValueError("not in NumPy's format, or cut off in its header") from error
    if dtype.hasobject:
        raise ValueError("holds Python objects, not numbers")
    count = int(np.prod([int(n) for n in shape], dtype=object)) if shape else 1
    _refuse_too_large(count)
    if size - file.tell() < count * dtype.itemsize:
        got = f"{size - file.tell():,} of {count * dtype.itemsize:,} bytes"
        raise ValueError(f"truncated: holds {got}")
    file.seek(0)
    array: Array = np.lib.format.read_array(file, allow_pickle=False)
    return array


def _text(path: Path) -> Iterator[tuple[str, Array]]:
    _refuse_too_large(path.stat().st_size // 2)  # a value takes at least a digit and a comma
    yield "", read_text(path)


def _refuse_too_large(count: int) -> None:
    needed, there = 8 * _COPIES * count, _memory()
    if needed > there:
        got = f"{count:,} values need about {needed / 1e9:,.0f} GB"
        raise ValueError(f"larger than this machine's memory of {there / 1e9:,.0f} GB: {got}")


def _memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return 2**34


READERS: dict[str, Callable[[Path], Iterator[tuple[str, Array]]]] = {
    **{".npy": _npy, ".npz": _npz, ".safetensors": read_safetensors},
    **dict.fromkeys((".pt", ".pth", ".bin", ".ckpt"), read_pytorch),
    **dict.fromkeys((".csv", ".tsv", ".txt"), _text),
}
