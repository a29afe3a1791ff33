"""The small pictures of the gallery: light, without words, and the same drawing."""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from scripts.render import compact, thumbnail
from tests.figure_drawings import each_figure, files
from tests.page_text import gzipped

SVG = "{http://www.w3.org/2000/svg}"


def drawing(name):
    return files(name)[f"{name}.svg"].decode()


def small(name):
    return files(name)[f"{name}.thumb.svg"].decode()


def points(d):
    """The points of the path `d`, read with no help from the build."""
    found, here = [], np.zeros(2)
    for command, numbers in re.findall(r"([MLlhv])([-\d. ]*)", d):
        values = [float(n) for n in re.findall(r"-?(?:\d*\.)?\d+", numbers)]
        if command in "hv":
            steps = [(n, 0) if command == "h" else (0, n) for n in values]
        else:
            steps = list(zip(values[::2], values[1::2], strict=True))
        for step in steps:
            here = np.array(step, float) if command in "ML" else here + step
            found.append(here)
    return np.array(found)


def distance(point, line):
    """How far `point` is from the line through the points `line`."""
    starts, steps = line[:-1], np.diff(line, axis=0)
    squares = (steps**2).sum(axis=1)
    along = ((point - starts) * steps).sum(axis=1) / np.where(squares, squares, 1)
    nearest = starts + np.clip(along, 0, 1)[:, None] * steps
    return np.hypot(*(point - nearest).T).min()


@each_figure
def test_a_thumbnail_is_light_and_has_no_words(name):
    root = ElementTree.fromstring(small(name))
    assert not {element.tag for element in root.iter()} & {f"{SVG}text", f"{SVG}title"}
    assert gzipped(small(name)) <= 4000
    assert root.get("viewBox") == ElementTree.fromstring(drawing(name)).get("viewBox")


@each_figure
def test_a_thumbnail_has_every_colour_of_the_drawing_in_both_schemes(name):
    used = set(re.findall(r":var\((--fig-\d)\)", drawing(name)))
    assert set(re.findall(r":var\((--fig-\d)\)", small(name))) == used
    light, dark = re.findall(r"svg\{([^{}]*color:#[^{}]*)\}", small(name))
    for variable in used:
        assert f"{variable}:#" in light
        assert f"{variable}:#" in dark


coordinates = st.integers(0, 4000).map(lambda tenths: tenths / 10)


@given(st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=60, unique=True))
def test_a_coarse_line_is_nowhere_far_from_the_fine_one(line):
    fine = "M " + " L ".join(f"{x} {y}" for x, y in line)
    coarse = points(thumbnail.coarse(compact.path(fine)))
    if len(coarse) == 1:  # the line is shorter than a unit
        coarse = np.repeat(coarse, 2, axis=0)
    assert len(coarse) <= max(2, len(line))
    assert max(distance(np.array(point), coarse) for point in line) <= 2.0 + 2**0.5 / 2 + 0.15
    assert (coarse == coarse.round()).all()


def test_a_smooth_wave_needs_fewer_points():
    x = np.linspace(0, 400, 400)
    fine = "M " + " L ".join(
        f"{a:.1f} {b:.1f}" for a, b in zip(x, 50 * np.sin(x / 40), strict=True)
    )
    assert len(points(thumbnail.coarse(fine))) < 60


def test_the_steps_of_a_line_add_up():
    stairs = "M0 0" + "h2v3" * 50 + "h-60v-50"
    assert points(thumbnail.coarse(stairs))[-1].tolist() == [40, 100]


def test_curves_stay_as_they_are():
    assert thumbnail.coarse("M 1.5 2.5 C 1 2 3 4 5 6") == "M 1.5 2.5 C 1 2 3 4 5 6"


@pytest.mark.parametrize("name", ["heatmap", "matshow", "surfaces"])
def test_the_images_of_a_thumbnail_have_the_same_colours_from_afar(name):
    pairs = [re.findall(r'base64,([^"]*)', text) for text in (drawing(name), small(name))]
    for before, after in zip(*pairs, strict=True):
        means = []
        for content in (before, after):
            with Image.open(io.BytesIO(base64.b64decode(content))) as opened:
                assert max(opened.size) <= 128 or content is before
                pixels = np.asarray(opened.convert("RGBA").convert("RGBa")).astype(float)
            means.append(pixels.mean(axis=(0, 1)))
        assert np.abs(means[0] - means[1]).max() < 8
