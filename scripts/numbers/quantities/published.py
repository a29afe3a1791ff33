"""Numbers that a document prints as the encoding, to compare with the formula."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from posenc.encoding import FloatArray

_FILE = Path(__file__).parents[2] / "figures" / "data" / "published_heatmap.json"


def published(figure: str, position: int) -> FloatArray:
    """The values that source 000 prints for `position` in its `"heatmap"` or its `"line"` plot."""
    return np.array(_document()[figure][str(position)])


@cache
def _document() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return content
