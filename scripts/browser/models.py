"""The weights of the trained models, where the pages' scripts load them."""

from __future__ import annotations

import json

import numpy as np

from scripts import files
from scripts.experiments import weights as stored

SMALL = ("desk",)  # the page loads these without a question, so they travel as bfloat16


def weights() -> dict[str, bytes]:
    """The committed files, by name; those in SMALL with the same numbers in half as many bytes."""
    found = {
        path.name: path.read_bytes()
        for path in files.matching("scripts/experiments/results/*.safetensors")
    }
    return {
        name: halved(content) if name.partition(".")[0] in SMALL else content
        for name, content in found.items()
    }


def halved(content: bytes) -> bytes:
    """A file of weights with bfloat16 numbers: the models are rounded to them after training."""
    arrays, run, about = stored.unpacked(content)
    header: dict[str, object] = {"__metadata__": {"run": json.dumps(run.options()), **about}}
    numbers = b""
    for name, array in arrays.items():
        bits = array.view(np.uint32)
        if (bits & 0xFFFF).any():
            raise ValueError(f"{name} must hold numbers of 8 significant bits")
        begin = len(numbers)
        numbers += (bits >> 16).astype("<u2").tobytes()
        header[name] = {
            "dtype": "BF16",
            "shape": list(array.shape),
            "data_offsets": [begin, len(numbers)],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + numbers
