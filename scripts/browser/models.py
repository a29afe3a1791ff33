"""The weights of the trained models, where the pages' scripts load them."""

from __future__ import annotations

from scripts import files


def weights() -> dict[str, bytes]:
    """The committed files, by name."""
    return {
        path.name: path.read_bytes()
        for path in files.matching("scripts/experiments/results/*.safetensors")
    }
