"""Read the header of a GGUF file, as llama.cpp keeps models: metadata and where tensors lie.

A file has a magic number, a version, two counts, the metadata and one entry for each tensor; the
data follow at a multiple of `general.alignment`. Only the header is read.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
import numpy.typing as npt

from posenc import _memory

Order = Literal["<", ">"]
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q"}
_NUMBERS |= {12: "d"}
_TEXT, _ARRAY = 8, 9
_KINDS = {0: "f4", 1: "f2", 24: "i1", 25: "i2", 26: "i4", 27: "i8", 28: "f8", 30: "bfloat16"}
_MOST = 1_000_000  # entries of a header
_LONGEST = 4096  # numbers of an array that is kept; lists of tokens are longer
_DEEPEST = 4  # arrays in arrays


@dataclass(frozen=True)
class Tensor:
    """Where the tensor `name` lies in the file; `kind` is "" for the quantized types."""

    name: str
    shape: tuple[int, ...]  # as NumPy counts, the last axis fastest
    kind: str
    place: int  # of its first byte in the file


@dataclass(frozen=True)
class Header:
    """The metadata without lists of texts and long lists, and the tensors by name."""

    metadata: dict[str, Any]
    tensors: dict[str, Tensor]
    order: Order = "<"


def read_header(path: Path) -> Header:
    """The header of the GGUF file at `path`.

    Raises ValueError with a one-line message if it is none, is cut off or has an unknown version.
    """
    with path.open("rb") as file:
        try:
            return _Reader(file, path.stat().st_size).header()
        except struct.error as error:
            raise ValueError("not a whole GGUF file: cut off in its header") from error


def read_tensor(path: Path, header: Header, name: str) -> npt.NDArray[Any]:
    """The tensor `name` of the file; bfloat16 as float32.

    Raises ValueError if it is quantized or the file ends before it does.
    """
    tensor = header.tensors[name]
    if not tensor.kind:
        raise ValueError(f"{name} must not be quantized")
    is_half = tensor.kind == "bfloat16"
    dtype = np.dtype("u2" if is_half else tensor.kind).newbyteorder(header.order)
    count = math.prod(tensor.shape)
    _memory.refuse_values(count)
    needed, left = count * dtype.itemsize, path.stat().st_size - tensor.place
    if left < needed:
        got = f"{max(left, 0):,} of {needed:,} bytes"
        raise ValueError(f"not a whole GGUF file: {name} holds {got}")
    with path.open("rb") as file:
        file.seek(tensor.place)
        data = file.read(needed)
    values = np.frombuffer(data, dtype).reshape(tensor.shape)
    values = values.astype(dtype.newbyteorder("="))
    return (values.astype(np.uint32) << 16).view(np.float32) if is_half else values


class _Reader:
    """Reads one value after the other; sizes are checked before anything is kept."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self.file, self.size = file, size
        self.order: Order = "<"
        self.wide = "Q"

    def header(self) -> Header:
        if self.file.read(4) != b"GGUF":
            raise ValueError("not a GGUF file")
        version = self.one("I")
        if version >= 1 << 16:  # of the other order of bytes
            self.order = ">"
            version = int.from_bytes(version.to_bytes(4, "little"), "big")
        if not 1 <= version <= 3:
            raise ValueError(f"must be a GGUF file of version 1, 2 or 3, got version {version}")
        self.wide = "I" if version == 1 else "Q"
        tensors, pairs = self.count(), self.count()
        metadata: dict[str, Any] = {}
        for _ in range(pairs):
            key, value = self.text(), self.value(self.one("I"))
            if value is not None:
                metadata[key] = value
        listed = list(self.tensors(tensors))
        alignment = metadata.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment < 1:
            raise ValueError(f"general.alignment must be positive, got {alignment!r}")
        start = -(-self.file.tell() // alignment) * alignment
        found = {n: Tensor(n, shape, kind, start + place) for n, shape, kind, place in listed}
        return Header(metadata, found, self.order)

    def tensors(self, count: int) -> Iterator[tuple[str, tuple[int, ...], str, int]]:
        for _ in range(count):
            name, axes = self.text(), self.one("I")
            if axes > 8:
                raise ValueError(f"not a whole GGUF file: {name} has {axes} axes")
            shape = tuple(self.one(self.wide) for _ in range(axes))[::-1]
            kind = self.one("I")
            yield name, shape, _KINDS.get(kind, ""), self.one("Q")

    def one(self, code: str) -> Any:
        form = self.order + code
        return struct.unpack(form, self.file.read(struct.calcsize(form)))[0]

    def count(self) -> int:
        number: int = self.one(self.wide)
        if number > _MOST:
            raise ValueError(f"must have at most {_MOST:,} entries, got {number:,}")
        return number

    def room(self, count: int) -> int:
        """`count` bytes, which the file must still have."""
        if count > self.size - self.file.tell():
            raise struct.error
        return count

    def text(self) -> str:
        return self.file.read(self.room(self.one(self.wide))).decode("utf-8", "replace")

    def value(self, kind: int, depth: int = 0) -> Any:
        """A value; None instead of a list of texts or a long list, which are skipped."""
        if kind in _NUMBERS:
            return self.one(_NUMBERS[kind])
        if kind == _TEXT:
            return self.text()
        if kind != _ARRAY or depth > _DEEPEST:
            raise ValueError(f"not a whole GGUF file: a value of the unknown type {kind}")
        inner, count = self.one("I"), self.one(self.wide)
        if inner in _NUMBERS:
            form = f"{self.order}{count}{_NUMBERS[inner]}"
            size = self.room(count * struct.calcsize(self.order + _NUMBERS[inner]))
            if count > _LONGEST:
                self.file.seek(size, 1)
                return None
            return list(struct.unpack(form, self.file.read(size)))
        self.room(count)  # each takes at least a byte
        for _ in range(count):
            if inner == _TEXT:
                self.file.seek(self.room(self.one(self.wide)), 1)
            else:
                self.value(inner, depth + 1)
        return None
