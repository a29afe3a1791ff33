"""The face of the site: its logo and its stripes hold the oracle's numbers."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from scripts.render import face
from tests import oracle, page_text
from tests.page_actions import assert_accessible
from tests.page_text import SITE

VIRIDIS = mpl.colormaps["viridis"](np.arange(256), bytes=True)[:, :3]


def shown(name):
    """The values of a picture of docs/assets/face/, read off its colours."""
    with Image.open(io.BytesIO((SITE / "assets" / "face" / name).read_bytes())) as opened:
        pixels = np.asarray(opened.convert("RGB")).astype(int)
    distance = np.abs(pixels[:, :, None] - VIRIDIS.astype(int)).sum(axis=-1)
    assert (distance.min(axis=-1) == 0).all(), "a colour is not of the heatmaps' scale"
    return (distance.argmin(axis=-1) + 0.5) / 128 - 1


def expected(positions, dimensions):
    """These positions and dimensions of the encoding of width 128, from the oracle."""
    return oracle.encode(positions, 128).astype(float)[:, dimensions]


@pytest.mark.parametrize(
    ("name", "positions", "dimensions"),
    [
        ("matrix.png", range(50), range(128)),
        ("stripes.png", range(64), range(0, 128, 2)),
        ("column.png", range(63), [32]),
    ],
)
def test_each_pixel_has_the_colour_of_the_oracles_value(name, positions, dimensions):
    wanted = expected(positions, dimensions)
    np.testing.assert_allclose(shown(name), wanted, atol=1 / 256 + 1e-12)


def test_the_bands_of_the_logo_are_where_the_sine_is_negative():
    root = ElementTree.fromstring(face.logo())
    bands = [path.get("d") for path in root.iter("{http://www.w3.org/2000/svg}path")][1:]
    assert len(bands) == 3
    for band in bands:
        points = np.array(re.findall(r"([\d.]+) ([\d.]+)", band), float)
        inside = points[points[:, 1] < 72]
        pairs, positions = inside[:, 0] / 4, inside[:, 1] * 24 / 64
        sines = np.sin(positions * 6 ** (-2 * pairs / 34))
        assert np.abs(sines).max() < 0.05
        (above, below) = points[0, 1], points[-1, 1]
        assert np.sin((above + below) / 2 * 24 / 64) == pytest.approx(-1, abs=0.01)


def test_every_page_of_the_navigation_has_its_own_stripe_in_order():
    home = page_text.pages()["index.html"]
    assert not home.xpath("//div[@class='stripe']")
    links = home.xpath("//nav[@aria-label='Navigation']//a[contains(@class, 'md-nav__link')]/@href")
    names = [link for link in dict.fromkeys(links) if not link.startswith("#") and link != "."]
    assert len(names) > 30
    for number, name in enumerate(names, 1):
        (style,) = page_text.pages()[f"{name}index.html"].xpath("//div[@class='stripe']/@style")
        assert style == f"--p:{number}"
        assert number < face.STRIPES


@pytest.mark.browser
def test_a_stripe_is_the_row_of_the_pages_position(visit):
    page = visit("formula/index.html").page
    stripe = page.locator(".stripe")
    taken = Image.open(io.BytesIO(stripe.screenshot())).convert("RGB")
    pixels = np.asarray(taken)[3]
    centres = ((np.arange(64) + 0.5) * pixels.shape[0] / 64).astype(int)
    position = int(stripe.get_attribute("style").removeprefix("--p:"))
    values = expected([position], range(0, 128, 2))[0]
    wanted = VIRIDIS[np.minimum((values + 1) * 128, 255).astype(int)].astype(int)
    assert np.abs(pixels[centres] - wanted).max() <= 1


@pytest.mark.browser
def test_axe_finds_no_violation_on_the_page_for_unknown_addresses(visit):
    page = visit("404.html").page
    assert_accessible(page)
    assert page.locator("article a").count() >= 3
