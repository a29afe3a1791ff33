"""Read tables from files for the command; an error says what is wrong with the file."""

from __future__ import annotations

import os
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_COPIES = 4  # float64 copies of a table that `identify` may hold at once
_HEADERS: dict[tuple[int, int], Callable[[IO[bytes]], tuple[tuple[int, ...], bool, Any]]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    (3, 0): np.lib.format.read_array_header_2_0,  # as version 2, with field names in UTF-8
}
_BITS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}  # floats in safetensors files


def tables(path: Path) -> Iterator[tuple[str, Array]]:
    """Each array in the file with its name, empty if the format stores none.

    Raises ValueError with a one-line message if the file cannot be read as its suffix says.
    """
    readers = {
        **{".npy": _npy, ".npz": _npz, ".csv": _csv},
        **{".pt": _pt, ".pth": _pt, ".safetensors": _safetensors},
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"the name must end in one of {', '.join(readers)}")
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


def _csv(path: Path) -> Iterator[tuple[str, Array]]:
    _refuse_too_large(path.stat().st_size // 2)  # a value takes at least a digit and a comma
    try:
        with path.open(encoding="utf-8-sig") as file:
            named = not _numeric(file.readline())
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # "input contained no data"
            table = np.loadtxt(
                path, delimiter=",", ndmin=2, encoding="utf-8-sig", skiprows=int(named)
            )
    except (ValueError, UserWarning) as error:
        raise ValueError(f"not a table of numbers ({error})") from error
    counted = len(table) > 2 and np.array_equal(table[:, 0], np.arange(len(table)))
    yield "", table[:, 1:] if named and counted else table  # without the index that pandas writes


def _numeric(line: str) -> bool:
    try:
        return bool([float(cell) for cell in line.split(",")])
    except ValueError:
        return False


def _pt(path: Path) -> Iterator[tuple[str, Array]]:
    import torch  # type: ignore[import-not-found, unused-ignore]

    try:
        held = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # pickle, zip and torch raise various errors
        raise ValueError(f"not a whole PyTorch file of tensors ({error})") from error
    held = held if isinstance(held, dict) else {"": held}
    for name, tensor in held.items():
        if isinstance(tensor, torch.Tensor) and tensor.dtype.is_floating_point:
            yield str(name), tensor.detach().to(torch.float64).numpy()


def _safetensors(path: Path) -> Iterator[tuple[str, Array]]:
    from safetensors import deserialize  # type: ignore[import-not-found, unused-ignore]

    try:
        held = deserialize(path.read_bytes())  # type: ignore[no-untyped-call, unused-ignore]
    except Exception as error:
        raise ValueError(f"not a whole safetensors file ({error})") from error
    for name, tensor in held:
        if bits := _BITS.get(tensor["dtype"]):
            values: Array = np.frombuffer(tensor["data"], bits).reshape(tensor["shape"])
            yield name, _widened(values) if tensor["dtype"] == "BF16" else values


def _widened(bits: Array) -> Array:
    """Convert bfloat16 bits, which are the upper half of a float32; NumPy has no such dtype."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


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
