"""The two renderings of each figure say the same: axes, colours, dashes, bars, hover texts.

tests/test_figures.py compares the numbers that they draw.
"""

import re

import numpy as np
import pytest
from matplotlib.colors import to_hex

from scripts.figures import _style
from tests.figure_drawings import (
    LIVELY,
    axes,
    each_figure,
    each_lively_figure,
    expected,
    interactive,
    interactive_panels,
    mappables,
    panels,
    place,
)

VIRIDIS, SIGNED = ("#440154", "#fde725"), ("#3a6fd8", "#d9622b")
SMALL = {"of", "the", "in", "a", "to", "from", "that", "on", "k"}


# Axes


@each_lively_figure
def test_both_renderings_have_the_same_axes_and_titles(name):
    for ax, (static, live) in zip(axes(name), panels(name), strict=True):
        for one, other in ((static.x, live.x), (static.y, live.y)):
            if one.title:
                assert other.title in (one.title, f"{one.title}, {static.title}")
            else:  # then the panel's own title names what is drawn
                assert other.title in static.title
            assert (one.scale, one.inverted) == (other.scale, other.inverted)
            assert one.ticks == other.ticks or not (one.ticks and other.ticks)
            # An axis that is shared may hide its names.
            assert one.names == other.names or not (one.names and other.names)
        if live.title:
            assert live.title == static.title
        elif static.title:
            label = ax.lines[0].get_label() if ax.lines else None
            in_the_legend = label in listed(name) and static.title.startswith(label)
            below = static.title in live.x.title
            beside = live.y.title and live.y.title in static.title
            assert in_the_legend or below or beside


# Colours of images


def color_axes(name):
    """For each image in Plotly, the part of the file that colours it, and the letter of limits."""
    content = interactive(name)
    for trace in content["data"]:
        if trace["type"] in ("heatmap", "surface"):
            shared = "coloraxis" in trace
            letter = "c" if shared or trace["type"] == "surface" else "z"
            yield (content["layout"]["coloraxis"] if shared else trace), letter


@each_figure
def test_both_renderings_color_equal_values_alike(name):
    static = [part for ax in axes(name) for part in mappables(ax)]
    drawn = [
        (to_hex(part.get_cmap()(0.0)), to_hex(part.get_cmap()(1.0)), *part.get_clim())
        for part in static
    ]
    assert all(row[:2] in (VIRIDIS, SIGNED) for row in drawn)
    shown = []
    for part, letter in color_axes(name) if name in LIVELY else ():
        ends = [part["colorscale"][k][1].lower() for k in (0, -1)]
        ends = ends[::-1] if part.get("reversescale") else ends
        shown.append((*ends, part[f"{letter}min"], part[f"{letter}max"]))
    assert drawn == shown or name not in LIVELY


def test_each_face_of_a_surface_has_the_colour_of_a_corner_so_that_the_comb_shows():
    for ax, heights in zip(axes("surfaces"), expected("surfaces").images, strict=True):
        (faces,) = mappables(ax)
        shown = np.asarray(faces.get_array()).reshape(63, 127)
        assert shown == pytest.approx(heights[:-1, 1:], abs=1e-12)


@each_lively_figure
def test_both_renderings_explain_the_colors_alike(name):
    static = [part.colorbar for ax in axes(name) for part in mappables(ax) if part.colorbar]
    drawn = [(bar.ax.get_xlabel() or bar.ax.get_ylabel(), *bar.get_ticks()) for bar in static]
    live = {id(part): part for part, _ in color_axes(name) if part.get("showscale", True)}
    bars = [part["colorbar"] for part in live.values()]
    shown = [(bar.get("title", {}).get("text", ""), *bar["tickvals"]) for bar in bars]
    assert drawn == shown


# Lines


def lines_by_matplotlib(name):
    """Label, colour and dash of each line, in Plotly's words; dash None for dots without a line."""
    colors = {**_style.CSS, _style.INK: _style.CSS[_style.GRID]}  # Plotly has no currentColor
    patterns = [() if dash == "-" else dash[1] for dash in _style.DASHES]
    dashes = dict(zip(patterns, _style.PLOTLY_DASHES, strict=True))
    for ax in axes(name):
        for line in ax.lines:
            color = colors.get(line.get_color(), line.get_color())
            joined = line.get_linestyle() != "None"
            dash = dashes[tuple(line._unscaled_dash_pattern[1] or ())] if joined else None
            yield line.get_label(), color, dash


def lines_by_plotly(name):
    for trace in interactive(name)["data"]:
        if trace["type"] == "scatter":
            joined = "lines" in trace["mode"]
            color = trace["line" if joined else "marker"]["color"]
            yield trace["name"], color, trace["line"].get("dash", "solid") if joined else None


@each_lively_figure
def test_both_renderings_draw_each_line_in_the_same_color_and_dash(name):
    assert list(lines_by_matplotlib(name)) == list(lines_by_plotly(name))


def listed(name):
    """The names in Plotly's legend."""
    content = interactive(name)
    always = content["layout"].get("showlegend", True)
    shown = [trace for trace in content["data"] if trace.get("showlegend", always)]
    return {trace["name"] for trace in shown if trace.get("name")}


# Hover texts


def words(text):
    """Its words without endings of the plural, for comparison."""
    return {word.removesuffix("s") for word in re.findall(r"[^\W_]+", text)} - SMALL


def pieces(template):
    """The parts of a hover text, each of which names one number."""
    return re.split(r"<br>|, ", template.removesuffix("<extra></extra>"))


def titles(name, trace):
    """The titles at each axis of `trace` and at its colour bar, by x, y and z."""
    found = interactive_panels(name)
    panel, first = found[place(trace)], next(iter(found.values()))
    for letter in "xy":  # a title at the first panel only stands for all; else the panel's own
        title = getattr(panel, letter).title or getattr(first, letter).title or panel.title
        if title != trace.get("name", "").partition(",")[0]:  # that is a line's name
            yield letter, title
    if "zmin" in trace or "coloraxis" in trace:
        part = interactive(name)["layout"]["coloraxis"] if "coloraxis" in trace else trace
        yield "z", part.get("colorbar", {}).get("title", {}).get("text", "")


@each_lively_figure
def test_hover_texts_name_quantity_and_unit_of_the_axis_beside_the_number(name):
    for trace in interactive(name)["data"]:
        assert bool(trace.get("hovertemplate")) != (trace.get("hoverinfo") == "skip")
        for letter, title in titles(name, trace):
            unit = re.search(r"\((.+)\)", title)
            quantity = words(title.partition(" (")[0])
            for piece in pieces(trace.get("hovertemplate", "")):
                before, number, after = re.split(rf"(%{{{letter}\b[^}}]*}}|$)", piece, maxsplit=1)
                if number:
                    assert not quantity or quantity & words(before + after), (title, piece)
                    assert not unit or after.startswith(f" {unit[1]}"), (title, piece)
