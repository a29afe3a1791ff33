"""A drawing as Matplotlib writes it becomes a lighter SVG for a page, and its thumbnail."""

import base64
import io
import re
import xml.etree.ElementTree as ElementTree
from unittest import mock

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from PIL import Image

from scripts.figures import _style
from scripts.render import compact, svg, thumbnail
from tests import page_text, png_files
from tests.figure_drawings import each_figure, files, static

MATPLOTLIB = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="40pt" height="30pt" viewBox="0 0 40 30"
  xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata><date>today</date></metadata>
 <defs>
  <style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style>
 </defs>
 <g id="figure_1">
  <g id="patch_1">
   <path d="M 0 30
L 40 30
L 0 30
z
" style="fill: none"/>
  </g>
  <g id="axes_1">
   <path clip-path="url(#p1)" d="M 2 3 L 20.04 3" style="fill: none; stroke: #040506"/>
   <defs><path id="m2" d="M 0 0 L 0 3.5" style="stroke: #010203"/></defs>
   <use xlink:href="#m2" x="2.04" y="3.06" style="stroke: #010203"/>
   <text style="font-size: 9px; font-family: 'DejaVu Sans', serif; fill: #010203" x="1">η</text>
   <text style="font-family: serif; fill: #010203" x="1"/>
   <path clip-path="url(#p1)" d="M 2 3 L 9 7.25 L 9 20
L 11 20" style="fill: none; stroke: #0a0b01; stroke-linecap: square"/>
   <path style="fill: #0a0b02; opacity: 0" d="M 1 1 C 2 2 3 3 4 4"/>
   <path style="fill: none; stroke: #040506" d="M 1 1 C 2 2 3 3 4 4"/>
   <defs><path id="m3" d="M 0 0 C 1 1 2 2 3 3"/></defs>
   <use xlink:href="#m3" x="5" y="6"/>
   <image xlink:href="data:image/png;base64,
PICTURE" id="image4" clip-path="url(#p1)" width="9.06" height="9"/>
   <path id="unused" d="M 0 0 L 5 0"/>
  </g>
 </g>
 <defs>
  <clipPath id="p1"><rect x="2" y="3" width="30.06" height="20"/></clipPath>
 </defs>
</svg>
"""
LIGHT = "--fig-grid:#0000001f;--fig-1:#3d6bc9;--fig-2:#99381f;color:#1f2328;background:#fff"
DARK = "--fig-grid:#ffffff26;--fig-1:#408fe3;--fig-2:#f3936a;color:#e2e4e9;background:#1e2129"
ON_A_PAGE = f"""
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 viewBox="0 0 40 30" role="img" aria-labelledby="waves-title waves-desc"
 stroke-linejoin="round" font-family="system-ui, sans-serif">
<style id="standalone">svg{{color-scheme:light dark;{LIGHT}}}
@media(prefers-color-scheme:dark){{svg{{{DARK}}}}}</style>
<title id="waves-title">A title</title>
<desc id="waves-desc">Words &lt; 3</desc>
<path clip-path="url(#waves-0)" d="M2 3h18" style="fill:none;stroke:var(--fig-grid)" />
<defs><path id="waves-1" d="M0 0v3.5" style="stroke:currentColor" /></defs>
<use xlink:href="#waves-1" x="2" y="3.1" style="stroke:currentColor" />
<text style="font-size:9px;fill:currentColor" x="1">η</text>
<text style="fill:currentColor" x="1" />
<path clip-path="url(#waves-0)" d="M2 3l7 4.2v12.8h2"
 style="fill:none;stroke:var(--fig-1);stroke-linecap:square" />
<path style="fill:var(--fig-2);opacity:0" d="M 1 1 C 2 2 3 3 4 4" />
<path style="fill:none;stroke:var(--fig-grid)" d="M 1 1 C 2 2 3 3 4 4" />
<defs><path id="waves-2" d="M 0 0 C 1 1 2 2 3 3" /></defs>
<use xlink:href="#waves-2" x="5" y="6" />
<image xlink:href="data:image/png;base64,PICTURE" clip-path="url(#waves-0)"
 width="9.06" height="9" />
<path d="M0 0h5" />
<defs><clipPath id="waves-0"><rect x="2" y="3" width="30.1" height="20" /></clipPath></defs>
</svg>
"""
IN_THE_GALLERY = """
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 viewBox="0 0 40 30" stroke-linejoin="round">
<style id="standalone">svg{color-scheme:light dark;--fig-grid:#0000001f;--fig-1:#3d6bc9;
color:#1f2328;background:#fff}
@media(prefers-color-scheme:dark){svg{--fig-grid:#ffffff26;--fig-1:#408fe3;
color:#e2e4e9;background:#1e2129}}</style>
<style>svg *{vector-effect:non-scaling-stroke}</style>
<path clip-path="url(#waves-0)" d="M2 3l7 4 2 13" style="fill:none;stroke:var(--fig-1)" />
<path style="fill:none;stroke:var(--fig-grid)" d="M 1 1 C 2 2 3 3 4 4" />
<defs><path id="waves-2" d="M 0 0 C 1 1 2 2 3 3" /></defs>
<use xlink:href="#waves-2" x="5" y="6" />
<image xlink:href="data:image/png;base64,PICTURE" clip-path="url(#waves-0)"
 width="9.06" height="9" />
<path d="M0 0h5" />
<defs><clipPath id="waves-0"><rect x="2" y="3" width="30.1" height="20" /></clipPath></defs>
</svg>
"""
DATA = re.compile(r"(?<=base64,)[^\"]+")


def picture(*, width, height, colors):
    """A PNG in base64, whose pixels have so many colours."""
    chance = np.random.default_rng(0)
    palette = chance.integers(0, 256, (colors, 3), np.uint8)
    buffer = io.BytesIO()
    pixels = palette[chance.integers(0, colors, (height, width))]
    Image.fromarray(pixels).convert("RGBA").save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def opened(uri):
    """The picture in the text `uri`."""
    return Image.open(io.BytesIO(base64.b64decode(DATA.search(uri)[0])))


def on_a_page():
    """The SVG for a page, from what Matplotlib writes if it does as it is asked."""
    text = MATPLOTLIB.replace("PICTURE", picture(width=160, height=40, colors=4))

    def print_svg(canvas, file):
        assert canvas.figure.get_facecolor() == (0, 0, 0, 0)
        assert mpl.rcParams["svg.fonttype"] == "none"  # words stay words
        assert mpl.rcParams["svg.hashsalt"] == "waves"  # ids are the same in each build
        file.write(text)

    with mock.patch.object(svg.FigureCanvasSVG, "print_svg", print_svg):
        return svg.themed(Figure(), "waves", "A title", "Words < 3")


def one_line(wanted):
    """An SVG with one line for each element, as the build writes it: in one line."""
    return re.sub(r"\n(?! )", "", wanted.strip()).replace("\n", "") + "\n"


def test_an_svg_for_a_page_has_what_matplotlib_draws_and_follows_the_scheme():
    made = on_a_page()
    assert DATA.sub("PICTURE", made) == one_line(ON_A_PAGE)
    assert opened(made).mode == "P"


def test_a_thumbnail_has_no_words_ticks_and_straight_lines_of_a_grid():
    made = thumbnail.thumbnail(on_a_page())
    assert DATA.sub("PICTURE", made) == one_line(IN_THE_GALLERY)
    assert opened(made).size == (80, 20)


@pytest.mark.parametrize(
    ("coarse", "fine"),
    [
        ("M5 5", "M 5.2 4.9"),
        ("M0 0h20", "M 0 0 L 10 1.9 L 20 0"),  # within two units
        ("M0 0l10 2 10-2", "M 0 0 L 10 2 L 20 0"),
        ("M0 0l3 9 3-9", "M 0 0 L 3 9 L 6 0"),
        ("M0 0h-5 15", "M 0 0 L -5 0 L 10 0"),  # back before the start, beyond the end
        ("M0 0h15-5", "M 0 0 L 15 0 L 10 0"),
        ("M0 0h30v30l-30-30", "M 0 0 L 30 0 L 30 30 L 0 0"),  # closed
        ("M0 0h0", "M 0 0 L -0.3 1.1 L 0.4 0.4"),  # less than a unit from a short way
        (
            "M0 0l10 10 10-10 10 30 10-30 10 10 10-10",
            "M 0 0 L 10 10 L 20 0 L 25 15.4 L 30 30 L 40 0 L 50 10 L 60 0",
        ),
        ("M1 2h3v9l9 6M7 8v9", "M 1 2 L 4 2 L 4 11 L 13 17 M 7 8 L 7 17"),
        ("M1 2h3v9l9 6 7-8M7 8v9", "M1 2h3v9l9 6 7-8M7 8v9"),
        ("M 0 1 C 1 2 3 4 5 6 z", "M 0 1 C 1 2 3 4 5 6 z"),
    ],
)
def test_a_path_of_a_thumbnail_has_whole_units_and_no_needless_point(coarse, fine):
    assert thumbnail.coarse(fine) == coarse


@pytest.mark.parametrize(
    ("size", "smaller"),
    [((96, 64), (96, 64)), ((97, 64), (49, 32)), ((60, 192), (30, 96)), ((9, 193), (3, 65))],
)
def test_a_picture_of_a_thumbnail_has_at_most_96_pixels_and_20_colours(size, smaller):
    width, height = size
    large = picture(width=width, height=height, colors=2000)
    with opened(thumbnail._small(f"data:image/png;base64,{large}")) as small:
        assert small.size == smaller
        assert len(small.getcolors()) == 20


@pytest.mark.parametrize("render", [svg._small_picture, thumbnail._small])
def test_a_picture_in_an_svg_has_few_bytes(render):
    across, down = np.meshgrid(np.arange(120), np.arange(90))
    waves = (16 + 15 * np.sin(across / 9) * np.cos(down / 7)).astype(np.uint8) * 8
    buffer = io.BytesIO()
    Image.fromarray(waves).convert("RGBA").save(buffer, "PNG")
    large = f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
    assert not png_files.zlib_makes_it_smaller(base64.b64decode(DATA.search(render(large))[0]))


def test_axes_with_sliders_say_where_their_values_stand():
    """The page's script draws a line again from the places of 0 and the lengths of 1."""
    with mpl.rc_context(_style.RC):
        figure = Figure((4, 3))
        other, ax = figure.subplots(1, 2)
        other.plot([0, 1], [5, 6])
        x, y = np.array([2.0, 40.0, 3000.0]), np.array([-3.0, 7.0, 4.0])
        (line,) = ax.plot(x, y)
        ax.set(xscale="log", xlim=(1, 10_000), ylim=(9, -5))
        _style.mark_for_sliders(ax, line)
        made = svg.themed(figure, "waves", "A title", "Words")
    ((scales, drawn),) = re.findall(
        r'data-scales="([^"]+)".*class="redrawn"><path d="([^"]+)"', made
    )
    kind, start, unit, *others = scales.split()
    assert (kind, others[0]) == ("log", "linear")
    corners = np.array(re.findall(r"[ML] (\S+) (\S+)", drawn), float)
    np.testing.assert_allclose(corners[:, 0], float(start) + float(unit) * np.log10(x), atol=0.06)
    start, unit = map(float, others[1:])
    np.testing.assert_allclose(corners[:, 1], start + unit * y, atol=0.06)
    assert made.count("data-scales") == made.count("redrawn") == 1


# The paths of all figures, and of lines at random


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


SVG = "{http://www.w3.org/2000/svg}"
places = st.integers(-20_000, 20_000).map(lambda tenths: tenths / 10)
coordinates = st.integers(0, 4000).map(lambda tenths: tenths / 10)
lines = st.lists(st.tuples(places, places), min_size=1, max_size=8)


@given(st.lists(lines, min_size=1, max_size=3))
def test_steps_lead_to_the_same_corners(drawn):
    d = " ".join("M " + " L ".join(f"{x} {y}" for x, y in line) for line in drawn)
    made = corners(compact.path(d))
    assert [start for start, *_ in made] == [start for start, *_ in corners(d)]
    np.testing.assert_allclose(made, corners(d), atol=1e-6)


COMPACT = {  # an SVG, and a lighter one
    '<svg><g><g><text x="1.26" y="2" transform="rotate(-0 1.26 2)">a</text><g /></g>'
    '<g id="b" /><g><g><use /></g></g></g></svg>': '<svg><text x="1.3" y="2">a</text><g id="b" />'
    "<use /></svg>",
    '<text transform="rotate(-90 1.26 20.04)" x="1.26" y="20.04">a</text>': (
        '<text transform="rotate(-90 1.3 20)" x="1.3" y="20">a</text>'
    ),
    '<svg><g class="redrawn"><g><path d="M 1.04 2 L 3 4" /></g></g></svg>': (
        '<svg><g class="redrawn"><path d="M 1 2 L 3 4" /></g></svg>'  # as scripts look for it
    ),
    '<path d="M 1 2 C 1 2 3 4 5 6 L 1 2" />': '<path d="M 1 2 C 1 2 3 4 5 6 L 1 2" />',
    '<path d="M 1 2 L 3 4 z" />': '<path d="M 1 2 L 3 4 z" />',
}


@pytest.mark.parametrize("fine", COMPACT)
def test_groups_that_do_nothing_go_and_places_have_a_tenth(fine):
    root = ElementTree.fromstring(fine)
    compact.compact(root, redrawn="redrawn")
    assert ElementTree.tostring(root, encoding="unicode") == COMPACT[fine]


def drawn(svg):
    """(tag, text, places) of each thing that an SVG draws, in the order of drawing."""
    found = []
    for element in ElementTree.fromstring(svg).iter():
        tag = element.tag.rpartition("}")[2]
        hidden = element.get("style", "").strip() == "fill: none"
        if tag == "path" and not hidden:
            found.append((tag, "", corners(element.get("d"))))
        elif tag in {"text", "use"}:
            at = [(True, float(element.get("x", 0)), float(element.get("y", 0)))]
            found.append((tag, element.text, at))
    return found


@pytest.mark.parametrize("name", ["clock_hands", "distances", "row_vectors"])
def test_a_figure_draws_everything_that_matplotlib_draws_at_the_same_places(name):
    buffer = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        static(name).savefig(buffer, format="svg", transparent=True)
    before, after = drawn(buffer.getvalue()), drawn(files(name)[f"{name}.svg"])
    assert len(before) > 50
    assert [thing[:2] for thing in after] == [thing[:2] for thing in before]
    for (*_, shown), (*_, wanted) in zip(after, before, strict=True):
        np.testing.assert_allclose(shown, wanted, rtol=0, atol=0.05 + 1e-9)


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
    coarse = np.array([place for _, *place in corners(thumbnail.coarse(compact.path(fine)))])
    if len(coarse) == 1:  # the line is shorter than a unit
        coarse = np.repeat(coarse, 2, axis=0)
    assert len(coarse) <= max(2, len(line))
    assert max(distance(np.array(point), coarse) for point in line) <= 2.0 + 2**0.5 / 2 + 0.15
    assert (coarse == coarse.round()).all()


@each_figure
def test_a_figure_has_no_group_without_a_purpose_and_its_thumbnail_all_its_colours(name):
    drawing, small = (files(name)[f"{name}{ending}.svg"].decode() for ending in ("", ".thumb"))
    root, small_root = map(ElementTree.fromstring, (drawing, small))
    assert all(element.attrib for element in root.iter(f"{SVG}g"))
    assert not {element.tag for element in small_root.iter()} & {f"{SVG}text", f"{SVG}title"}
    assert page_text.gzipped(small) <= 4000
    assert small_root.get("viewBox") == root.get("viewBox")
    used = set(re.findall(r":var\((--fig-\d)\)", drawing))
    assert set(re.findall(r":var\((--fig-\d)\)", small)) == used
    schemes = re.findall(r"svg\{([^{}]*color:#[^{}]*)\}", small)
    assert [variable for variable in used for one in schemes if f"{variable}:#" not in one] == []
    assert len(schemes) == 2


@pytest.mark.parametrize("name", ["heatmap", "matshow", "surfaces"])
def test_the_images_of_a_thumbnail_have_the_same_colours_from_afar(name):
    pairs = [DATA.findall(files(name)[f"{name}{end}.svg"].decode()) for end in ("", ".thumb")]
    for contents in zip(*pairs, strict=True):
        pictures = [Image.open(io.BytesIO(base64.b64decode(content))) for content in contents]
        assert max(pictures[1].size) <= 128
        arrays = [np.asarray(one.convert("RGBA").convert("RGBa"), float) for one in pictures]
        before, after = (array.mean(axis=(0, 1)) for array in arrays)
        assert np.abs(before - after).max() < 8
