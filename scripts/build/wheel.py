"""The wheel of posenc, which the site serves."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from scripts.files import ROOT


def wheel() -> dict[str, bytes]:
    """The content of the wheel, by the name of its file; the same bytes for the same sources."""
    with tempfile.TemporaryDirectory() as folder:
        (made,) = WheelBuilder(str(ROOT)).build(directory=folder)
        path = Path(made)
        return {path.name: path.read_bytes()}
