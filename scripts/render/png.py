"""A Matplotlib figure as a PNG in the light scheme, on white, for slides and papers."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb, to_rgba
from PIL import Image

from scripts.figures import _style
from scripts.render import palette

DPI = 2 * 96  # twice as many pixels as CSS has in an inch


def picture(figure: Any) -> bytes:
    """`figure`, drawn in the colours of `_style.RC`, as a PNG with two pixels for each of CSS's."""
    return content(drawn(figure, DPI), dpi=(DPI, DPI))


def drawn(figure: Any, dpi: float) -> Image.Image:
    """`figure`, drawn with `dpi` pixels for each inch."""
    figure.set(dpi=dpi, facecolor="white")
    width, height = map(round, figure.bbox.size)
    renderer = _Renderer(width, height, dpi)
    figure.draw(renderer)
    pixels: Any = renderer.buffer_rgba()  # type: ignore[no-untyped-call]
    return Image.fromarray(np.asarray(pixels)).convert("RGB")


def content(picture: Image.Image, **options: Any) -> bytes:
    """`picture` as a PNG of 256 colours, which looks the same in a third of the bytes."""
    buffer = io.BytesIO()
    few = picture.quantize(256, Image.Quantize.MAXCOVERAGE)  # it keeps rare colours too
    few.save(buffer, "PNG", compress_level=7, **options)  # 9 takes five times as long for 7 % less
    return buffer.getvalue()


class _Context(GraphicsContextBase):
    """Strokes and hatches in the colours of the light scheme."""

    _rgb: Any

    def set_foreground(self, fg: Any, isRGBA: bool = False) -> None:  # noqa: N803
        super().set_foreground(fg, isRGBA)
        self._rgb = _light(self._rgb)

    def set_hatch_color(self, hatch_color: Any) -> None:
        color: Any = _light(to_rgba(hatch_color))
        super().set_hatch_color(color)


class _Renderer(RendererAgg):
    """Draws everything in the colours of the light scheme."""

    def __init__(self, width: float, height: float, dpi: float) -> None:
        super().__init__(width, height, dpi)  # type: ignore[no-untyped-call]
        # Agg's fast versions skip `draw_path`, which sets the colours; the general ones call it.
        for name in ("draw_markers", "draw_path_collection"):
            del vars(self)[name]

    def new_gc(self) -> GraphicsContextBase:
        return _Context()

    def draw_path(self, gc: Any, path: Any, transform: Any, rgbFace: Any = None) -> None:  # noqa: N803
        face = None if rgbFace is None else _light(rgbFace)
        super().draw_path(gc, path, transform, face)  # type: ignore[no-untyped-call]


def _light(color: Sequence[float]) -> tuple[float, ...]:
    """The colour of the light scheme that `color`, as RGBA, stands for, or `color` itself."""
    shown = _colors().get(tuple(color[:3]))
    if shown is None:
        return tuple(color)
    *light, opacity = shown
    return (*light, color[3] * opacity)


@cache
def _colors() -> dict[tuple[float, ...], tuple[float, ...]]:
    light = palette.colors(palette.LIGHT)
    return {to_rgb(sentinel): to_rgba(light[css]) for sentinel, css in _style.CSS.items()}
