"""A Plotly figure as compact JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import posenc


def text(figure: Any) -> str:
    """The JSON for the page's script, without the template and any z that the page can compute."""
    content = json.loads(figure.to_json())
    content["layout"].pop("template", None)
    for trace, drawn in zip(content["data"], figure.data, strict=True):
        if matrix := (trace.get("meta") or {}).get("matrix"):
            if not np.array_equal(drawn.z, _computed_by_the_page(**matrix)):
                raise ValueError(f"z must be what the page computes from meta, {matrix}")
            del trace["z"]
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n"


def _computed_by_the_page(
    length: int, d_model: int, base: float, columns: list[int] | None = None
) -> Any:
    values = posenc.positional_encoding(length, d_model, base=base)
    return values[:, columns or range(d_model)].astype(np.float32)
