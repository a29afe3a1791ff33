"""Each figure as Matplotlib and Plotly draw it, read back in one form so that tests can compare."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from functools import cache

import matplotlib as mpl
import numpy as np
import pytest
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
