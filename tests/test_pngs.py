"""The PNG of each figure: its size, its colours, and nothing that changes from build to build.

tests/test_figures.py renders some figures in another process and compares all bytes.
"""

from __future__ import annotations

import io
import itertools
import re
from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from scripts.figures import _style
from tests import png_files
from tests.figure_drawings import each_figure, files

LIGHT = {"--fig-1": "#2f5fc4", "--fig-2": "#b84a1f", "--fig-3": "#20794a", "--fig-4": "#7d45ac"}
INK = "#1f2328"
PLAIN = {"IHDR", "PLTE", "pHYs", "IDAT", "IEND"}  # no time, no name of a program


@cache
def png(name):
    return files(name)[f"{name}.png"]


@cache
def svg(name):
    return files(name)[f"{name}.svg"].decode()


@cache
def colors(name):
    """How many pixels have each colour of the PNG: counts, and colours as rows."""
    with Image.open(io.BytesIO(png(name))) as opened:
        counts, indices = zip(*opened.getcolors(), strict=True)
        return np.array(counts), np.reshape(opened.getpalette(), (-1, 3))[list(indices)]


def share(name, color):
    """The share of the pixels that have about this colour."""
    wanted = np.rint(255 * np.array(to_rgb(color)))
    counts, found = colors(name)
    return counts[np.abs(found - wanted).max(axis=1) <= 12].sum() / counts.sum()


@each_figure
def test_a_png_has_two_pixels_for_each_of_css(name):
    points = [float(n) for n in re.search(r'viewBox="0 0 (\S+) (\S+)"', svg(name)).groups()]
    with Image.open(io.BytesIO(png(name))) as opened:
        opened.load()
        assert opened.format == "PNG"
        assert opened.size == tuple(round(2 * 96 / 72 * length) for length in points)
        assert opened.info["dpi"] == pytest.approx((192, 192), abs=0.05)  # PNG counts in metres


@each_figure
def test_a_png_is_light_and_says_nothing_of_when_and_how_it_was_made(name):
    assert {kind for kind, _ in png_files.chunks(png(name))} == PLAIN
    assert len(png(name)) <= 80_000


def test_a_png_has_256_colours_in_few_bytes():
    assert len(colors("heatmap")[0]) == 256
    assert not png_files.zlib_makes_it_smaller(png("heatmap"))


@each_figure
def test_a_png_shows_the_light_scheme_on_white(name):
    with Image.open(io.BytesIO(png(name))) as opened:
        right, bottom = opened.width - 1, opened.height - 1
        corners = itertools.product((0, right), (0, bottom))
        assert {opened.convert("RGB").getpixel(corner) for corner in corners} == {3 * (255,)}
    for variable, color in LIGHT.items():
        if f"stroke:var({variable})" in svg(name):
            assert share(name, color) > 0.0005, variable
    assert share(name, INK) > 0.001
    if "<image" not in svg(name) and "fill:#" not in svg(name):  # nothing else is nearly black
        assert all(share(name, sentinel) == 0 for sentinel in _style.CSS)
