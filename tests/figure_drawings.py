"""Each figure as Matplotlib and Plotly draw it, read back in one form so that tests can compare."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, replace
from functools import cache

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.ticker import FixedLocator
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from scripts import figures
from scripts.build import loop
from scripts.build.stages import rounds
from scripts.figures import _style
from scripts.numbers import claims, expressions, marks
from scripts.render import figure as render
from tests import page_text
from tests.figure_oracles import attention, clocks, curves, floats, matrices, rotary, trained

NAMES = figures.names()
ORACLES = {
    name: function
    for module in (attention, clocks, curves, matrices, rotary, trained)
    for name, function in vars(module).items()
    if name in NAMES and function.__module__ == module.__name__
}

stages = cache(rounds)
each_figure = pytest.mark.parametrize("name", NAMES)
LIVELY = [name for name in NAMES if hasattr(figures.load(name), "interactive")]
each_lively_figure = pytest.mark.parametrize("name", LIVELY)


@cache
def module(name):
    return figures.load(name)


@cache
def data(name):
    return module(name).data()


@cache
def expected(name):
    """The oracle's numbers, rounded to float64 once for all tests."""
    exact = ORACLES[name]()
    return replace(
        exact,
        columns={key: floats(value) for key, value in exact.columns.items()},
        lines=[(label, floats(x), floats(y)) for label, x, y in exact.lines],
        images=[floats(image) for image in exact.images],
        others={key: floats(value) for key, value in exact.others.items()},
    )


@cache
def files(name):
    """The figure's files: those of the build, or new ones if a source of the figure has changed."""
    (stage,) = [one for group in stages() for one in group if one.name == f"figure {name}"]
    if loop.run([[stage]], making=False):
        return render.files(name)
    return {path.name: path.read_bytes() for path in stage.written()}


def texts_by_the_oracle(template):
    """The text of each number of a caption or an alt text, if the oracle has that too."""
    assert page_text.typed_numbers(page_text.without_markup(template)) == []
    said = {}
    for source in re.findall(marks.NUMBER, template):
        shown = expressions.number(source)
        said[source] = page_text.oracle_text(shown.code, shown.spec)
        assert shown.text == said[source]
    for source in re.findall(marks.CLAIM, template):
        assert page_text.oracle_value(claims.claim(source).code) == 1, source
    return said


@cache
def static(name):
    """The Matplotlib figure, as the build draws it."""
    with mpl.rc_context(_style.RC):
        return module(name).static(data(name))


@cache
def interactive(name):
    """The content of the JSON file: data and layout."""
    return json.loads(files(name)[f"{name}.json"])


def axes(name):
    """The axes of the static figure without its colour bars."""
    return [ax for ax in static(name).axes if ax.get_label() != "<colorbar>"]


def mappables(ax):
    """Images, meshes and surfaces."""
    meshes = [part for part in ax.collections if hasattr(part, "get_coordinates")]
    return [*ax.images, *meshes, *(c for c in ax.collections if isinstance(c, Poly3DCollection))]


def decoded(value):
    """An array as Plotly packs it, or the value itself."""
    if not (isinstance(value, dict) and "bdata" in value):
        return value
    array = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
    shape = value.get("shape", len(array))
    return array.reshape([int(n) for n in str(shape).split(",")])


# Panels: `Axis` and `Panel` hold what a reader sees at their edges.


@dataclass(frozen=True)
class Axis:
    title: str
    scale: str  # "linear" or "log"
    inverted: bool
    ticks: tuple[float, ...] | None  # None where the renderer chooses them
    names: tuple[str, ...] | None  # written at the ticks; None for numbers in Plotly


@dataclass(frozen=True)
class Panel:
    title: str
    x: Axis
    y: Axis


@cache
def panels(name):
    """Pairs of one panel in Matplotlib and one in Plotly, which may hold all lines in one."""
    drawn, live = axes(name), list(interactive_panels(name).values())
    titles = [ax.get_title() or ax.get_title(loc="left") for ax in drawn]
    static = [
        Panel(title, static_axis(ax, "x"), static_axis(ax, "y"))
        for title, ax in zip(titles, drawn, strict=True)
    ]
    return list(zip(static, live * len(static) if len(live) == 1 else live, strict=True))


def static_axis(ax, letter):
    axis = getattr(ax, f"{letter}axis")
    fixed = isinstance(axis.get_major_locator(), FixedLocator)
    return Axis(
        title=static_title(ax, letter),
        scale=axis.get_scale(),
        inverted=axis.get_inverted(),
        ticks=tuple(axis.get_ticklocs().tolist()) if fixed else None,
        names=tuple(label.get_text() for label in axis.get_ticklabels()),
    )


def static_title(ax, letter):
    """The title of an axis; of panels that share it, only one bears the title, or the figure."""
    if ax.name == "3d":  # surfaces stand in one perspective
        sharing = ax.figure.axes
    else:
        sharing = getattr(ax, f"get_shared_{letter}_axes")().get_siblings(ax)
    titles = {getattr(one, f"{letter}axis").get_label_text() for one in sharing} - {""}
    assert len(titles) <= 1, titles
    return titles.pop() if titles else getattr(ax.figure, f"get_sup{letter}label")()


@cache
def interactive_panels(name):
    """The panels by the place of their traces, in the order of the traces."""
    content = interactive(name)
    layout, first = content["layout"], {}
    for trace in content["data"]:
        first.setdefault(place(trace), trace)
    notes = [note for note in layout.get("annotations", []) if note.get("xref") == "paper"]
    above = [note["text"] for note in notes] or [""] * len(first)
    found = {}
    for title, (where, trace) in zip(above, first.items(), strict=True):
        if isinstance(where, str):
            scene = layout[where]
            x, y, title = scene["xaxis"], scene["yaxis"], scene["annotations"][0]["text"]
        else:
            x, y = (layout.get(axis_key(axis), {}) for axis in where)
        x, y = interactive_axis(layout, x, trace["x"]), interactive_axis(layout, y, trace["y"])
        found[where] = Panel(title, x, y)
    return found


def place(trace):
    """The scene or the pair of axes that a trace stands in."""
    return trace.get("scene") or (trace.get("xaxis", "x"), trace.get("yaxis", "y"))


def axis_key(axis):
    """The layout's name for the axis that traces call `x2`."""
    return f"{axis[0]}axis{axis[1:]}"


def interactive_axis(layout, axis, coordinates):
    named = axis if "title" in axis else layout.get(axis_key(axis.get("matches", "-")), {})
    start, end = axis.get("range", (0, 1))
    ticks, names = decoded(axis.get("tickvals")), axis.get("ticktext")
    if len(coordinates) and isinstance(decoded(coordinates)[0], str):
        ticks, names = range(len(coordinates)), coordinates  # categories
    return Axis(
        title=named.get("title", {}).get("text", ""),
        scale=axis.get("type", "linear"),
        inverted=axis.get("autorange") == "reversed" or start > end,
        ticks=None if ticks is None else tuple(map(float, ticks)),
        names=None if names is None else tuple(text.replace("<br>", "\n") for text in names),
    )
