"""Lighter drawings: the same shapes and words at the same places."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.render import compact
from tests.figure_drawings import each_figure, files, static

HALF_A_TENTH = 0.05 + 1e-9
REDRAWN = '<svg><g class="redrawn"><g><path d="M 1.04 2 L 3 4" /></g></g></svg>'


def compacted(svg):
    root = ElementTree.fromstring(svg)
    compact.compact(root, redrawn="redrawn")
    return ElementTree.tostring(root, encoding="unicode")


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


places = st.integers(-20_000, 20_000).map(lambda tenths: tenths / 10)
lines = st.lists(st.tuples(places, places), min_size=1, max_size=8)


@given(st.lists(lines, min_size=1, max_size=3))
def test_steps_lead_to_the_same_corners(drawn):
    d = " ".join("M " + " L ".join(f"{x} {y}" for x, y in line) for line in drawn)
    made = corners(compact.path(d))
    assert [start for start, *_ in made] == [start for start, *_ in corners(d)]
    np.testing.assert_allclose(made, corners(d), atol=1e-6)


@pytest.mark.parametrize("d", ["M 1 2 C 1 2 3 4 5 6 L 1 2", "M 1 2 L 3 4 z", ""])
def test_curves_and_closed_paths_stay(d):
    assert compact.path(d) == d


def test_groups_that_do_nothing_go_and_their_content_stays_in_order():
    inner = '<g><text x="1.26" y="2" transform="rotate(-0 1.26 2)">a</text><g /></g><g id="b" />'
    assert compacted(f"<svg><g>{inner}<g><g><use /></g></g></g></svg>") == (
        '<svg><text x="1.3" y="2">a</text><g id="b" /><use /></svg>'
    )


def test_text_that_is_turned_stays_turned():
    turned = '<text transform="rotate(-90 1.26 20.04)" x="1.26" y="20.04">a</text>'
    assert compacted(turned) == '<text transform="rotate(-90 1.3 20)" x="1.3" y="20">a</text>'


def test_scripts_find_the_places_of_a_path_that_they_redraw():
    assert compacted(REDRAWN) == '<svg><g class="redrawn"><path d="M 1 2 L 3 4" /></g></svg>'


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
        np.testing.assert_allclose(shown, wanted, rtol=0, atol=HALF_A_TENTH)


@each_figure
def test_no_figure_has_a_group_without_a_purpose(name):
    svg = ElementTree.fromstring(files(name)[f"{name}.svg"])
    assert all(e.attrib for e in svg.iter("{http://www.w3.org/2000/svg}g"))
