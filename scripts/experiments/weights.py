"""Weights in safetensors' format: the length of a JSON header, the header, the numbers.

The length is an unsigned integer of 8 bytes. The header gives the shape of each array and its
place among the numbers, and under `__metadata__` the options of the run. All is little-endian.
"""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt

from scripts.experiments.runs import Run, from_options

Arrays = dict[str, npt.NDArray[np.float32]]
_ALIGNMENT = 8  # so that a Float32Array can begin where the numbers begin


def rounded(array: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """`array` to 8 significant bits, as in bfloat16: half of each number compresses away.

    Everything is measured with rounded weights, so it holds for the committed files.

    >>> rounded(np.array([1 / 3, 257, 259], dtype=np.float32))
    array([  0.33398438, 256.        , 260.        ], dtype=float32)
    """
    bits = np.ascontiguousarray(array).view(np.uint32)
    to_even = np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    return (bits + to_even & np.uint32(0xFFFF0000)).view(np.float32)


def packed(arrays: Arrays, run: Run, about: dict[str, str]) -> bytes:
    """A file with `arrays`, the options of `run`, and other texts `about` it."""
    header: dict[str, object] = {"__metadata__": {"run": json.dumps(run.options()), **about}}
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + 4 * array.size
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    numbers = [array.astype("<f4").tobytes() for array in arrays.values()]
    return b"".join([len(text).to_bytes(8, "little"), text, *numbers])


def unpacked(content: bytes) -> tuple[Arrays, Run, dict[str, str]]:
    """The arrays, the run and the other texts of a file."""
    begin = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:begin])
    about = header.pop("__metadata__")
    run = from_options(json.loads(about.pop("run")))
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        numbers = np.frombuffer(content[begin + first : begin + last], dtype="<f4")
        arrays[name] = numbers.reshape(entry["shape"]).astype(np.float32)
    return arrays, run, about
