"""Read the arrays of model files; PyTorch and safetensors are imported only for their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _gguf, _memory

Array = npt.NDArray[Any]

_LONGEST = 1000  # characters of a name; nobody nests tensors so deep
_BITS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}  # dtypes of safetensors
_DIVISORS = ("rope_freqs", "rope_factors_long", "rope_factors_short")  # llama.cpp's names
_BITS |= {"C64": "<c8", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}


def read_pytorch(path: Path) -> Iterator[tuple[str, Array]]:
    """The dense tensors of numbers in a PyTorch file, with their paths in dicts and lists as names.

    PyTorch reads it with `weights_only`, so nothing else is unpickled.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]

    try:
        held = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # pickle, zip and torch raise various errors
        refused = re.search(r"GLOBAL ([\w.]+)", str(error))
        if refused:
            reason = f"holds {refused[1]}, which weights_only does not load"
            raise ValueError(f"{reason}: save only the tensors, model.state_dict()") from error
        raise ValueError("not a whole PyTorch file of tensors: cut off or damaged") from error
    for name, tensor in _leaves(held):
        if isinstance(tensor, torch.Tensor) and tensor.layout == torch.strided:
            _memory.refuse_values(tensor.numel())  # strides of 0 repeat what the file holds once
            yield from _numbers(name, tensor)


def _leaves(held: Any) -> Iterator[tuple[str, Any]]:
    """The values in nested dicts, lists and tuples; a shared container counts only once.

    A file can nest lists deeper than Python calls functions, and a list may hold itself.
    """
    waiting: list[tuple[str, Any]] = [("", held)]
    entered: set[int] = set()
    while waiting:
        name, value = waiting.pop()
        if not isinstance(value, dict | list | tuple):
            yield name, value
        elif id(value) not in entered and len(name) < _LONGEST:
            entered.add(id(value))
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            named = [(f"{name}.{key}" if name else str(key), one) for key, one in inner]
            waiting += reversed(named)


def _numbers(name: str, tensor: Any) -> Iterator[tuple[str, Array]]:
    import torch  # type: ignore[import-not-found, unused-ignore]

    tensor = tensor.detach()
    if tensor.dtype.is_complex:
        kept = tensor.dtype in (torch.complex64, torch.complex128)
        yield name, tensor.resolve_conj().to(tensor.dtype if kept else torch.complex64).numpy()
    elif tensor.dtype.is_floating_point:
        kept = tensor.dtype in (torch.float16, torch.float32, torch.float64)
        yield name, (tensor if kept else tensor.to(torch.float32)).numpy()
    elif tensor.dtype != torch.bool and not tensor.is_quantized:
        yield name, tensor.numpy()


def read_safetensors(path: Path) -> Iterator[tuple[str, Array]]:
    """The tensors of floats, signed integers, bytes or complex64; other types are skipped."""
    from safetensors import deserialize  # type: ignore[import-not-found, unused-ignore]

    try:
        held = deserialize(path.read_bytes())  # type: ignore[no-untyped-call, unused-ignore]
    except Exception as error:
        raise ValueError(f"not a whole safetensors file ({error})") from error
    read = [(name, tensor) for name, tensor in held if tensor["dtype"] in _BITS]
    if held and not read:
        name, tensor = held[0]
        raise ValueError(f"holds no tensor of {', '.join(_BITS)}, got {name} of {tensor['dtype']}")
    for name, tensor in read:
        try:
            _memory.refuse_shape(tensor["shape"])
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
        bits = np.frombuffer(tensor["data"], _BITS[tensor["dtype"]])
        values: Array = bits.reshape(tensor["shape"])
        yield name, _widened(values) if tensor["dtype"] == "BF16" else values


def read_gguf(path: Path) -> Iterator[tuple[str, Array]]:
    """The frequencies of each pair that the divisors in a GGUF file give, and its base.

    Only the header and the divisors are read. Raises ValueError if there are none.
    """
    header = _gguf.read_header(path)
    kind = header.metadata.get("general.architecture", "llama")
    base = header.metadata.get(f"{kind}.rope.freq_base", 10_000.0)  # llama.cpp's default
    names = [name for name in header.tensors if name.partition(".")[0] in _DIVISORS]
    if not names:
        rule = f"must have one of the tensors {', '.join(_DIVISORS)}"
        raise ValueError(f"{rule}, got {len(header.tensors):,} others")
    for name in names:
        divisors = _gguf.read_tensor(path, header, name).astype(np.float64).ravel()
        plain = float(base) ** (-np.arange(len(divisors)) / len(divisors))
        with np.errstate(divide="ignore", invalid="ignore"):
            yield f"{name} with base {base:g}", (plain / divisors).astype(np.float32)


def _widened(bits: Array) -> Array:
    """Convert bfloat16 bits, which are the upper half of a float32; NumPy has no such dtype."""
    return (bits.astype(np.uint32) << 16).view(np.float32)
