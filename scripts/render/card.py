"""The social card of a page: its title, one line about it, and its figure, as a small PNG."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon
from matplotlib.text import Text
from matplotlib.transforms import Affine2D
from PIL import Image

import posenc
from scripts import figures
from scripts.figures import _style
from scripts.files import BuildError
from scripts.render import face, palette, png
from scripts.render.blame import blamed

WIDTH, HEIGHT = 1200, 630  # pixels, from the top left corner; all places here are in pixels
COLUMN = (64, 76, 484, 540)  # left, top, right and bottom of the text
PANEL = (532, 48, 1152, 548)  # of the picture
_BAND_ROWS = np.arange(42) * 8 // 42  # a pair for each row of pixels at the bottom
_DPI = 72  # so that a point is a pixel
_TITLE = (52, 46, 40, 36, 32)  # heights of letters to try
_LINE = (25, 22, 20)
_INK = palette.colors(palette.LIGHT)["currentColor"]
_INCHES = 5.5  # the width of a figure; narrower than on a page, so that its letters are larger


def files(page: str, title: str, line: str, name: str) -> dict[str, bytes]:
    """The card of `page` as a PNG; it shows the figure `name`, or the matrix if that is empty."""
    try:
        card = drawn(title, line)
    except ValueError as error:
        raise BuildError(f"docs/{page}: {error}") from error
    picture = Image.fromarray(np.asarray(card.canvas.buffer_rgba())).convert("RGB")
    shown = _figure(name) if name else _matrix()
    left, top, right, bottom = PANEL
    place = (left + (right - left - shown.width) // 2, top + (bottom - top - shown.height) // 2)
    picture.paste(shown, place)
    return {f"{page}.png": png.content(picture)}


def drawn(title: str, line: str) -> Any:
    """Everything on the card except the picture."""
    card = Figure(figsize=(WIDTH / _DPI, HEIGHT / _DPI), dpi=_DPI)
    FigureCanvasAgg(card)
    card.figimage(_shades(240, 16, base=40)[:, ::2].repeat(5, axis=0)[:, _BAND_ROWS].swapaxes(0, 1))
    _, top, _, bottom = COLUMN
    _logo(card, COLUMN[0], top - 12)
    _text(card, top + 22, "posenc", 28, left=COLUMN[0] + 64, weight="bold", color=_INK)
    end = _fitted(card, (top + 76, 350), title, _TITLE, weight="bold", color=_INK)
    _fitted(card, (end + 24, bottom), line, _LINE, color="#57606a")
    card.canvas.draw()
    return card


def _fitted(
    card: Any, rows: tuple[int, int], words: str, sizes: tuple[int, ...], **look: Any
) -> int:
    """Write `words` within `rows`, top and bottom, in the largest of `sizes`; their bottom."""
    top, bottom = rows
    width, height = COLUMN[2] - COLUMN[0], bottom - top
    for size in sizes:
        step = round(1.25 * size)
        probe = _text(card, top, "", size, **look)
        lines = list(_wrapped(words.split(), width, probe))
        fits = all(_width(probe, line) <= width for line in lines) and step * len(lines) <= height
        probe.remove()
        if fits:
            for number, line in enumerate(lines):  # Matplotlib's own lines are not evenly spaced
                _text(card, top + number * step + size, line, size, **look)
            return top + step * len(lines)
    raise ValueError(f"a card has {width} x {height} pixels for {words!r}")


def _wrapped(words: list[str], width: int, probe: Text) -> Iterator[str]:
    """Lines of `words`, each as long as `width` allows."""
    line = words[0]
    for word in words[1:]:
        if _width(probe, f"{line} {word}") > width:
            yield line
            line = word
        else:
            line = f"{line} {word}"
    yield line


def _width(probe: Text, line: str) -> float:
    probe.set_text(line)
    return float(probe.get_window_extent().width)


def _text(
    card: Any, baseline: int, words: str, size: float, *, left: int = COLUMN[0], **look: Any
) -> Text:
    """`words` that begin at `left`; `size` is the height of the letters in pixels."""
    place = (left / WIDTH, 1 - baseline / HEIGHT)
    made: Text = card.text(*place, words, size=size, **look)
    return made


def _logo(card: Any, left: int, top: int) -> None:
    """The logo with 48 pixels on each side."""
    place = Affine2D().scale(48 / 64, -48 / 64).translate(left, HEIGHT - top)
    tile = FancyBboxPatch((12, 12), 40, 40, "round,pad=12", facecolor=face.GROUND, linewidth=0)
    tile.set_transform(place)
    card.add_artist(tile)
    for color, outline in face.areas():
        area = Polygon(outline, facecolor=color, transform=place, clip_path=tile)
        card.add_artist(area)


def _matrix() -> Image.Image:
    """The encoding matrix, as large as the panel."""
    left, top, right, bottom = PANEL
    shades = _shades(50, 62, base=1000)
    paper = Image.new("RGBA", shades.shape[1::-1], "white")
    paper.alpha_composite(Image.fromarray(shades))
    return paper.resize((right - left, bottom - top), Image.Resampling.NEAREST)


def _shades(length: int, d_model: int, *, base: float) -> Any:
    """The colours of an encoding matrix, as RGBA."""
    return _style.SIGNED(
        (posenc.positional_encoding(length, d_model, base=base) + 1) / 2, bytes=True
    )


def _figure(name: str) -> Image.Image:
    """The figure `name`, as large as the panel allows, in the colours of the light scheme."""
    settings: Any = _style.RC
    with blamed(name), mpl.rc_context(settings):
        module = figures.load(name)
        figure = module.static(module.data())
    width, height = PANEL[2] - PANEL[0], PANEL[3] - PANEL[1]
    across, down = figure.get_size_inches()
    if all(ax.get_aspect() == "auto" for ax in figure.axes):  # the figure can take another shape
        across, down = _INCHES, max(down, _INCHES * height / width)
        figure.set_size_inches(across, down)
    return png.drawn(figure, dpi=min(width / across, height / down))
