"""A figure as files: themed SVG, PNG, CSV, the source that makes it, and any Plotly JSON."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib as mpl
import numpy as np

from scripts import figures
from scripts.figures import _style
from scripts.numbers import templates
from scripts.render import plotly_json, png, svg, thumbnail
from scripts.render.blame import blamed


def files(name: str) -> dict[str, bytes]:
    """All files of the figure `name`, by their names in docs/figures/."""
    with blamed(name):
        return _contents(name, figures.load(name))


def _contents(name: str, module: ModuleType) -> dict[str, bytes]:
    data = module.data()
    _check_finite(data)
    templates.plain(module.CAPTION)  # a mistake in it is the figure's, not the page's
    drawing, picture = _drawn(name, module, data)
    live = hasattr(module, "interactive")
    return {
        f"{name}.svg": drawing.encode(),
        f"{name}.thumb.svg": thumbnail.thumbnail(drawing).encode(),
        f"{name}.png": picture,
        f"{name}.csv": _csv(module.table(data)).encode(),
        f"{name}.py.txt": Path(str(module.__file__)).read_bytes(),
        **({f"{name}.json": plotly_json.text(module.interactive(data)).encode()} if live else {}),
    }


def _check_finite(data: Any) -> None:
    for field, value in vars(data).items():
        array = np.asarray(value)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"Data.{field} must be finite, got {array[~np.isfinite(array)][0]}")


def _drawn(name: str, module: ModuleType, data: Any) -> tuple[str, bytes]:
    """The static figure as an SVG and as a PNG."""
    settings: Any = _style.RC
    with mpl.rc_context(settings):
        figure = module.static(data)
        title = (module.__doc__ or "").splitlines()[0].rstrip(".")
        return svg.themed(figure, name, title, templates.plain(module.ALT)), png.picture(figure)


def _csv(columns: dict[str, np.ndarray]) -> str:
    if len({len(column) for column in columns.values()}) != 1:
        raise ValueError("table() must give columns of one length")
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(np.asarray(c).tolist() for c in columns.values()), strict=True))
    return buffer.getvalue()
