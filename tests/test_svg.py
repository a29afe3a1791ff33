"""A drawing as Matplotlib writes it becomes a lighter SVG for a page, and its thumbnail."""

import base64
import io
import re
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from scripts.figures import _style
from scripts.pages import elements
from scripts.render import compact, thumbnail
from tests import page_text
from tests.figure_drawings import NAMES, each_figure, files, module, static

SVG, HREF = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
SLACK = 0.05 + 1e-9  # places have a tenth
places = st.integers(-20_000, 20_000).map(lambda tenths: tenths / 10)
coordinates = st.integers(0, 4000).map(lambda tenths: tenths / 10)
lines = st.lists(st.tuples(places, places), min_size=1, max_size=8)


# What is drawn


def corners(d):
    """The points that the path `d` names, and where the pen goes down."""
    x = y = 0.0
    made, command = [], ""
    tokens = iter(re.findall(r"[A-Za-z]|-?\d*\.?\d+", d.replace("z", "")))
    for token in tokens:
        if token.isalpha():
            command, token = token, next(tokens)
        along = float(token)
        if command in "MLC":
            x, y = along, float(next(tokens))
        elif command == "l":
            x, y = x + along, y + float(next(tokens))
        else:
            x, y = {"h": (x + along, y), "v": (x, y + along)}[command]
        made.append((command == "M", x, y))
    return made


def pixels(uri):
    with Image.open(io.BytesIO(base64.b64decode("".join(uri.partition(",")[2].split())))) as one:
        return np.asarray(one.convert("RGBA"))


def drawn(content):
    """For each thing that an SVG draws in turn: what it is in words, and its numbers."""
    root = ElementTree.fromstring(content)
    by_id = {element.get("id"): element for element in root.iter()}
    found = []
    for element in root.iter():
        tag, style = element.tag.rpartition("}")[2], element.get("style", "").strip()
        if tag not in {"path", "use", "text", "image", "rect"} or style == "fill: none":
            continue
        style = re.sub(r"font-family: [^;]*;? ?|(?<=url\()#[^)]+", "", style)
        for sentinel, css in _style.CSS.items():
            style = style.replace(sentinel, css)
        link = element.get(HREF, "")
        target = by_id[link[1:]] if link.startswith("#") else element
        turn = re.sub(r"rotate\(-0 .*", "", element.get("transform", ""))
        numbers = [*np.ravel(corners(target.get("d", ""))), *re.findall(r"-?[\d.]+", turn)]
        numbers += [
            element.get(key, 0) for key in ("x", "y", *("width", "height") * (tag != "text"))
        ]
        clip = by_id.get(element.get("clip-path", "")[5:-1])
        words = (tag, element.text or "", style.replace(": ", ":").replace("; ", ";"))
        closed = target.get("d", "").strip().endswith("z")
        found.append(((*words, closed, clip is not None), np.array(numbers, float), element))
    return found


@pytest.mark.parametrize("name", NAMES[::3])  # each kind of mark and of picture is in them
def test_a_page_shows_what_matplotlib_draws_at_the_same_places_in_the_colours_of_the_scheme(name):
    buffer = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        static(name).savefig(buffer, format="svg", transparent=True)
    after, before = drawn(files(name)[f"{name}.svg"]), drawn(buffer.getvalue())
    assert [words for words, *_ in after] == [words for words, *_ in before]
    for (words, shown, one), (_, wanted, other) in zip(after, before, strict=True):
        np.testing.assert_allclose(shown, wanted, rtol=0, atol=SLACK, err_msg=str(words))
        if words[0] == "image":
            assert np.array_equal(pixels(one.get(HREF)), pixels(other.get(HREF)))


@each_figure
def test_an_svg_is_small_and_brings_its_words_and_its_colours_for_both_schemes(name):
    whole = files(name)[f"{name}.svg"].decode()
    assert whole.count('<style id="standalone">') == 1
    for variable in set(re.findall(r"var\((--fig-\w+)\)", whole)):
        assert whole.count(f"{variable}:#") == 2, variable
    inline = elements.inline_svg(whole)
    assert page_text.gzipped(inline) <= 12 * 1024
    assert "<style" not in inline, "a style would leak into the page"
    assert "font-family:" not in inline, "text must take the page's font"
    assert not re.search(r"#0[0-9a]0[0-9a-b]0\d", inline), "a sentinel colour is left"
    root = ElementTree.fromstring(inline)
    title, desc = root[:2]
    assert title.text == module(name).__doc__.splitlines()[0].removesuffix(".")
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert (root.get("role"), root.get("font-family")) == ("img", "system-ui, sans-serif")
    ids = re.findall(r'id="([^"]+)"', inline)
    assert len(set(ids)) == len(ids)
    assert all(one.startswith(name) for one in ids)
    assert set(re.findall(r'(?:url\(|href=")#([^")]+)', inline)) == {*ids[2:]}


# Pictures in a drawing


@pytest.mark.parametrize("name", ["matshow", "pcolormesh"])
def test_a_drawing_has_as_many_colours_as_its_caption_says(name):
    (said,) = re.findall(r"\$(\d+)\$\s+steps\s+of\s+colour", module(name).CAPTION)
    uris = re.findall(r'"(data:image/png;base64,[^"]+)"', files(name)[f"{name}.svg"].decode())
    assert len(uris) == 2, "the matrix and its bar"
    for uri in uris:
        assert len(np.unique(pixels(uri).reshape(-1, 4), axis=0)) == int(said)


# Thumbnails


def distance(point, line):
    """How far `point` is from the line through the points `line`."""
    starts, steps = line[:-1], np.diff(line, axis=0)
    squares = (steps**2).sum(axis=1)
    along = ((point - starts) * steps).sum(axis=1) / np.where(squares, squares, 1)
    nearest = starts + np.clip(along, 0, 1)[:, None] * steps
    return np.hypot(*(point - nearest).T).min()


@given(st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=60, unique=True))
def test_a_coarse_line_is_nowhere_far_from_the_fine_one(line):
    fine = "M " + " L ".join(f"{x} {y}" for x, y in line)
    made = thumbnail.coarse(compact.path(fine))
    coarse = np.array([place for _, *place in corners(made)])
    if len(coarse) == 1:  # the line is shorter than a unit
        coarse = np.repeat(coarse, 2, axis=0)
    assert len(coarse) <= max(2, len(line))
    assert max(distance(np.array(point), coarse) for point in line) <= 2.0 + 2**0.5 / 2 + 0.15
    assert (coarse == coarse.round()).all()
    assert thumbnail.coarse(f"{fine} M 7 8 L 7 17 z") == f"{thumbnail.coarse(fine)}M7 8v9z"


def is_seen(thing):
    """Whether a thumbnail shows it: no word, tick, invisible part, or line of a grid."""
    (tag, _, style, *_), numbers, _ = thing
    if tag in {"path", "use"}:
        line = numbers[:-4].reshape(-1, 3)[:, 1:]
        straight = (np.ptp(line, axis=0) == 0).any()
        grid = tag == "path" and "stroke:var(--fig-grid)" in style.split(";")
        if straight and (grid or not line[0].any()):  # a tick begins at its place
            return False
    return tag != "text" and "opacity:0" not in style.split(";")


@each_figure
def test_a_thumbnail_has_the_lines_pictures_and_colours_of_its_figure(name):
    drawing, small = (files(name)[f"{name}{ending}.svg"].decode() for ending in ("", ".thumb"))
    assert page_text.gzipped(small) <= 4000
    view = r'viewBox="[^"]+"'
    assert re.findall(view, small) == re.findall(view, drawing)
    detail = r";stroke-(?:dashoffset|linecap):[^;]*"
    large = [
        (words[0], re.sub(detail, "", words[2])) for words, *_ in filter(is_seen, drawn(drawing))
    ]
    shown = [(words[0], words[2]) for words, *_ in drawn(small)]
    assert [one for one in shown if one[0] != "use"] == [one for one in large if one[0] != "use"]
    assert set(shown) == set(large)
    assert len(large) / 3 <= len(shown) <= len(large)  # of many dots, every third is enough
    used = set(re.findall(r":var\((--fig-\d)\)", drawing))
    for variable in used:
        assert small.count(f"{variable}:#") == 2, "one for each scheme"


@pytest.mark.parametrize("name", ["heatmap", "matshow", "surfaces"])
def test_the_images_of_a_thumbnail_have_the_same_colours_from_afar(name):
    ends = (
        re.findall(r'"(data:image[^"]+)"', files(name)[f"{name}{end}.svg"].decode())
        for end in ("", ".thumb")
    )
    for uris in zip(*ends, strict=True):
        large, small = map(pixels, uris)
        assert max(small.shape[:2]) <= 96
        assert len(np.unique(small.reshape(-1, 4), axis=0)) <= 20
        means = [
            np.asarray(Image.fromarray(one).convert("RGBa"), float).mean(axis=(0, 1))
            for one in (large, small)
        ]
        assert np.abs(means[0] - means[1]).max() < 8
