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
    mappables,
)

VIRIDIS, SIGNED = ("#440154", "#fde725"), ("#3a6fd8", "#d9622b")


# Axes


def axes_by_matplotlib(name, letter):
    """The titles of the x or y axes, and how they run."""
    found = [getattr(ax, f"{letter}axis") for ax in axes(name)]
    titles = {axis.get_label_text() for axis in found}
    titles.add(getattr(axes(name)[0].figure, f"get_sup{letter}label")())
    return titles - {""}, {(axis.get_scale(), bool(axis.get_inverted())) for axis in found}


def axes_by_plotly(name, letter):
    layout = interactive(name)["layout"]
    scenes = [value for key, value in layout.items() if key.startswith("scene")]
    titles, ways = set(), set()
    for key, axis in (pair for part in (layout, *scenes) for pair in part.items()):
        if key.startswith(f"{letter}axis"):
            titles.add(axis.get("title", {}).get("text", ""))
            start, end = axis.get("range", (0, 1))
            inverted = axis.get("autorange") == "reversed" or start > end
            ways.add((axis.get("type", "linear"), inverted))
    return titles - {""}, ways


def panels_by_plotly(name):
    """The titles of the panels."""
    layout = interactive(name)["layout"]
    scenes = [value for key, value in layout.items() if key.startswith("scene")]
    notes = [note for part in (layout, *scenes) for note in part.get("annotations", [])]
    return [note["text"] for note in notes if note.get("xref", "paper") == "paper"]


@each_lively_figure
def test_both_renderings_have_the_same_axes_and_titles(name):
    panels = [ax.get_title() or ax.get_title(loc="left") for ax in axes(name)]
    panels = [title for title in panels if title]
    for letter in "xy":
        (drawn, ways), (shown, live_ways) = (
            axes_by_matplotlib(name, letter),
            axes_by_plotly(name, letter),
        )
        assert ways == live_ways
        (title,) = shown
        # If an axis has no title, those of the panels name what is drawn.
        assert drawn == shown or (not drawn and all(title in panel for panel in panels))
    if live := panels_by_plotly(name):
        assert live == panels
    else:  # then the legend has them
        assert all(panel.startswith(tuple(listed(name))) for panel in panels)


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


@each_lively_figure
def test_hover_texts_name_the_quantity_of_the_axis_beside_the_number(name):
    titles = {letter: axes_by_plotly(name, letter)[0].pop() for letter in "xy"}
    for part, _ in color_axes(name):
        titles["z"] = part.get("colorbar", {}).get("title", {}).get("text", "")
    for trace in interactive(name)["data"]:
        hover = trace.get("hovertemplate", "")
        assert bool(hover) != (trace.get("hoverinfo") == "skip")
        for before, letter in re.findall(r"([\w ]+) %\{([xyz])", hover):
            assert before.strip() in titles[letter] or titles[letter] in before, hover
