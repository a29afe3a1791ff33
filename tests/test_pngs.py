"""The PNG of each figure: its size, its colours, and nothing that changes from build to build."""

import io
import itertools
import re
from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image

from scripts.figures import _style
from scripts.render import png as drawing
from tests.figure_drawings import each_figure, files

LIGHT = {"--fig-1": "#3d6bc9", "--fig-2": "#99381f", "--fig-3": "#297a4f", "--fig-4": "#673193"}
INK = "#1f2328"


def png(name):
    return files(name)[f"{name}.png"]


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


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ({"facecolor": _style.SERIES[0]}, (0x3D, 0x6B, 0xC9)),
        ({"facecolor": (*to_rgb(_style.SERIES[0]), 0.25)}, (0xCE, 0xDA, 0xF1)),  # of 255
        ({"facecolor": _style.GRID}, (0xE0, 0xE0, 0xE0)),  # black of 31 / 255
        ({"facecolor": "#12345640"}, (0xC4, 0xCC, 0xD5)),  # stands for itself
        ({"facecolor": "none"}, (0xFF, 0xFF, 0xFF)),
        ({"hatch": "+" * 70, "hatchcolor": _style.SERIES[1], "facecolor": "none"}, None),
    ],
)
def test_an_area_has_the_colour_of_the_light_scheme(look, expected):
    figure = Figure((1, 1), facecolor="none")
    figure.add_artist(Rectangle((0, 0), 1, 1, linewidth=0, **look))
    with Image.open(io.BytesIO(drawing.picture(figure))) as opened:
        shown = np.array(opened.convert("RGB").getpixel((96, 96)), int)
    if expected:
        assert np.abs(shown - expected).max() <= 1
    else:
        assert np.argsort(shown).tolist() == [2, 1, 0], "more red than green, more green than blue"


@each_figure
def test_a_png_shows_the_light_scheme_on_white_with_two_pixels_for_each_of_css(name):
    assert len(png(name)) <= 80_000
    assert name != "heatmap" or len(colors(name)[0]) == 256
    points = [float(n) for n in re.search(r'viewBox="0 0 (\S+) (\S+)"', svg(name)).groups()]
    with Image.open(io.BytesIO(png(name))) as opened:
        assert opened.format == "PNG"
        assert opened.info.keys() <= {"dpi", "transparency"}, "no time, no name of a program"
        assert opened.size == tuple(round(2 * 96 / 72 * length) for length in points)
        assert opened.info["dpi"] == pytest.approx((192, 192), abs=0.05)  # PNG counts in metres
        right, bottom = opened.width - 1, opened.height - 1
        corners = itertools.product((0, right), (0, bottom))
        assert {opened.convert("RGB").getpixel(corner) for corner in corners} == {3 * (255,)}
    for variable, color in LIGHT.items():
        if f"stroke:var({variable})" in svg(name):
            assert share(name, color) > 0.0005, variable
    assert share(name, INK) > 0.001
    if "<image" not in svg(name) and "fill:#" not in svg(name):  # nothing else is nearly black
        assert all(share(name, sentinel) == 0 for sentinel in _style.CSS)
