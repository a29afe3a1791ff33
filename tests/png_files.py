"""What a PNG consists of, read without Pillow."""

from __future__ import annotations

import zlib
from collections.abc import Iterator


def chunks(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The parts of a PNG: the kind and the content of each."""
    at = 8
    while at < len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        yield content[at + 4 : at + 8].decode(), content[at + 8 : at + 8 + length]
        at += length + 12


def zlib_makes_it_smaller(content: bytes) -> bool:
    """Whether the pixels of a PNG need fewer bytes at the best level of zlib."""
    packed = b"".join(part for kind, part in chunks(content) if kind == "IDAT")
    best = zlib.compressobj(level=9, memLevel=9)
    return len(best.compress(zlib.decompress(packed)) + best.flush()) < len(packed)
