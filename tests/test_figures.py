"""Every array of every figure, in both renderings and in the CSV, against the oracle."""

from __future__ import annotations

import csv
import io
import re
import warnings
import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import product
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from posenc import positional_encoding
from scripts.figures import _style
from scripts.render import blame, plotly_json
from scripts.render import figure as render
from tests import oracle
from tests.figure_drawings import (
    LIVELY,
    NAMES,
    axes,
    data,
    decoded,
    each_figure,
    each_lively_figure,
    expected,
    files,
    interactive,
    mappables,
    module,
    texts_by_the_oracle,
)
from tests.figure_oracles import floats

DRAWN = 2.0**-23  # images are shipped as float32, which is finer than any screen


def assert_equal_numbers(shown, exact, *, tolerance=0.0):
    shown, exact = np.asarray(shown), np.asarray(exact)
    assert shown.shape == exact.shape
    np.testing.assert_allclose(shown.astype(float), exact.astype(float), tolerance or 1e-13, 1e-14)


def drawn_by_matplotlib(name):
    """Label, x and y of each line; and x, y and z of each image and surface."""
    lines = [(line.get_label(), *line.get_data()) for ax in axes(name) for line in ax.lines]
    return lines, [cells(part) for ax in axes(name) for part in mappables(ax)]


def cells(part):
    """Where the columns and rows of an image, a mesh or a surface stand, and its numbers."""
    if isinstance(part, Poly3DCollection):
        return surface(part)
    z = part.get_array()
    if hasattr(part, "get_coordinates"):
        corners = part.get_coordinates()
        return middles(corners[0, :, 0]), middles(corners[:, 0, 1]), z
    left, right, bottom, top = part.get_extent()
    ends = (top, bottom) if part.origin == "upper" else (bottom, top)
    rows, columns = (count + 1 for count in z.shape[:2])
    return middles(np.linspace(left, right, columns)), middles(np.linspace(*ends, rows)), z


def surface(mesh):
    """The grid x, y and z that the faces of `mesh` span: each cell once, all corners agreeing."""
    faces = mesh._faces  # (faces, corners, 3); nothing public gives them
    x, y = (np.unique(faces[:, :, axis]) for axis in (0, 1))
    column, row = np.searchsorted(x, faces[:, :, 0]), np.searchsorted(y, faces[:, :, 1])
    cells = {(r.min(), c.min()) for r, c in zip(row, column, strict=True)}
    assert len(cells) == len(faces) == (len(y) - 1) * (len(x) - 1)
    assert (np.ptp(row, axis=1) == 1).all()
    assert (np.ptp(column, axis=1) == 1).all()
    z = np.full((len(y), len(x)), np.nan)
    z[row, column] = faces[:, :, 2]
    assert (z[row, column] == faces[:, :, 2]).all()
    return x, y, z


def middles(edges):
    return (edges[1:] + edges[:-1]) / 2


def ticks(trace, key, count):
    """Where the columns (key x) or rows (key y) of a trace stand."""
    given = decoded(trace.get(key, range(count)))
    named = any(isinstance(value, str) for value in given)  # categories stand at 0, 1, ...
    found = np.arange(count) if named else np.asarray(given, dtype=float)
    return found if len(found) == count else middles(found)


def heights(trace):
    """The z of a trace, shipped or, as the page computes it, from its meta; else None."""
    if matrix := trace.get("meta", {}).get("matrix"):
        assert "z" not in trace
        exact = encoding(matrix["length"], matrix["d_model"], matrix["base"])
        return exact[:, matrix.get("columns", range(matrix["d_model"]))]
    return decoded(trace["z"]) if "z" in trace else None


@cache
def encoding(length, d_model, base):
    return floats(oracle.positional_encoding(length, d_model, base=base))


def drawn_by_plotly(name):
    lines, images = [], []
    for trace in interactive(name)["data"]:
        if (z := heights(trace)) is not None:
            images.append((*(ticks(trace, *of) for of in zip("xy", z.shape[::-1], strict=True)), z))
        else:
            lines.append((trace["name"], decoded(trace["x"]), decoded(trace["y"])))
    return lines, images


def numbers(values):
    """All numbers in arrays and lists of arrays, sorted."""
    flat = [numbers(one) for one in values] if isinstance(values, list | tuple) else [values]
    return np.sort(np.concatenate([np.zeros(0), *(np.ravel(one).astype(float) for one in flat)]))


@each_figure
def test_the_data_hold_no_fraction_but_the_oracles(name):
    """The other tests compare what is drawn and shipped, each number in its place."""
    shown, exact = vars(data(name)), expected(name)
    for key, value in exact.others.items():
        assert_equal_numbers(shown[key], value)
    lines = [end for _, *ends in exact.lines for end in ends]
    known = numbers([*exact.others.values(), *exact.columns.values(), *lines, *exact.images])
    known = np.array([-np.inf, *known[np.isfinite(known)], np.inf])
    for key in shown.keys() - exact.layout:
        own = numbers(shown[key])
        own = own[own % 1 != 0]
        at = np.searchsorted(known, own)
        off = np.minimum(own - known[at - 1], known[at] - own)
        assert (off <= 1e-13 * np.abs(own) + 1e-14).all(), key


@pytest.mark.parametrize(
    ("drawn", "name"),
    [*product([drawn_by_matplotlib], NAMES), *product([drawn_by_plotly], LIVELY)],
)
def test_both_renderings_draw_the_numbers_of_the_oracle(drawn, name):
    lines, images = drawn(name)
    exact = expected(name)
    if exact.layout:
        lines = boxes_without_arrows(lines)
    assert [label for label, _, _ in lines] == [label for label, _, _ in exact.lines]
    for (_, *shown), (_, *wanted) in zip(lines, exact.lines, strict=True):
        assert_equal_numbers(shown[0], list(wanted[0]))
        assert_equal_numbers(shown[1], list(wanted[1]))
    for (*_, shown), wanted in zip(images, exact.images, strict=True):
        assert_equal_numbers(shown, wanted, tolerance=DRAWN)
    assert lines or images or exact.layout
    if exact.texts:
        assert [text.get_text() for ax in axes(name) for text in ax.texts] == exact.texts


def boxes_without_arrows(lines):
    """What is left of a drawing of boxes if each arrow leads to the box of its name."""
    outlines = {label: (np.array(x), np.array(y)) for label, x, y in lines}
    arrows = [label for label in outlines if " to " in label]
    assert len(arrows) == 11
    for label in arrows:
        (x, y), boxes = outlines[label], [outlines[end] for end in label.split(" to ")]
        for end, height, (across, up) in zip((0, -1), (max, min), boxes, strict=True):
            assert y[end] == pytest.approx(height(up))
            assert min(across) < x[end] < max(across)
        assert sorted(y) == [*y]
    return []


@each_figure
def test_each_csv_column_holds_what_the_oracle_has_under_its_heading(name):
    header, *rows = csv.reader(io.StringIO(files(name)[f"{name}.csv"].decode()))
    exact, written = expected(name).columns, module(name).table(data(name))
    assert header == list(exact) == list(written)
    for key, cells in zip(header, zip(*rows, strict=True), strict=True):
        values = written[key].tolist()
        assert_equal_numbers(values, exact[key])
        assert [type(value)(cell) for value, cell in zip(values, cells, strict=True)] == values


@each_figure
def test_alt_text_and_caption_say_the_oracles_numbers(name):
    alt, caption = (" ".join(text.split()) for text in (module(name).ALT, module(name).CAPTION))
    assert min(len(alt), len(caption)) > 80
    said = texts_by_the_oracle(caption) | texts_by_the_oracle(alt)
    svg = ElementTree.fromstring(files(name)[f"{name}.svg"])
    description = svg.find("{http://www.w3.org/2000/svg}desc").text
    words = re.sub(r" ?\{\{ check: .+?\}\}", "", alt)
    assert description == re.sub(r"\{\{(.+?)\}\}", lambda m: said[m[1]], words)


@each_lively_figure
def test_both_renderings_put_each_cell_at_the_same_place(name):
    for static, live in zip(drawn_by_matplotlib(name)[1], drawn_by_plotly(name)[1], strict=True):
        for one, other in zip(static[:2], live[:2], strict=True):
            assert_equal_numbers(one, other)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"CAPTION": "A number {{ nope }}."}, "nope"),
        ({"table": lambda _: {"a": np.arange(2), "b": np.arange(3)}}, "columns of one length"),
        ({"data": lambda: np.log(np.array(-1.0))}, "RuntimeWarning: invalid value encountered"),
        (
            {"data": lambda: SimpleNamespace(a=1.0, b=[2.0, np.nan])},
            "Data.b must be finite, got nan",
        ),
    ],
)
def test_a_mistake_in_a_figure_names_its_module(changes, message, monkeypatch):
    for name, value in changes.items():
        monkeypatch.setattr(module("row_vectors"), name, value)
    with warnings.catch_warnings(action="ignore"), pytest.raises(blame.FigureError) as raised:
        render.files("row_vectors")
    assert str(raised.value).startswith("scripts/figures/row_vectors.py: ")
    assert message in str(raised.value)


def test_a_csv_has_a_heading_and_plain_lines():
    columns = {"position": np.array([0, 1]), "value, rounded": np.array([0.5, -1e-20])}
    assert render._csv(columns) == 'position,"value, rounded"\n0,0.5\n1,-1e-20\n'


def test_the_json_of_a_figure_is_compact_and_has_no_template():
    figure = go.Figure(go.Scatter(x=["η", "b"], y=[1, 2.5]))
    figure.update_layout(template="plotly_dark", width=99)
    assert plotly_json.text(figure) == (
        '{"data":[{"x":["η","b"],"y":[1,2.5],"type":"scatter"}],"layout":{"width":99}}\n'
    )


@pytest.mark.parametrize(("base", "columns"), [(10_000.0, None), (10.0, None), (100.0, [4, 0, 1])])
def test_a_matrix_that_the_page_computes_is_left_out_only_if_it_is_the_same(base, columns):
    values = positional_encoding(4, 6, base=base).astype(np.float32)
    values = values if columns is None else values[:, columns]
    heatmap = go.Heatmap(z=values, meta=_style.computed(4, 6, base=base, columns=columns))
    assert '"z":' not in plotly_json.text(go.Figure(heatmap))
    with pytest.raises(ValueError, match=r"^z must be what the page computes from meta, \{"):
        plotly_json.text(go.Figure(heatmap.update(z=values + np.float32(2**-20))))
