"""The same drawing in fewer bytes and elements."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections.abc import Iterable, Iterator
from itertools import pairwise

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LINES = re.compile(r"M [-\d. ]+(?:[ML] [-\d. ]+)*")
_TENTHS = {"d", "x", "y", "points"}
_BOX = {"width", "height"}


def compact(root: etree.Element, *, redrawn: str) -> None:
    """Shorten the attributes of the SVG `root`, and drop the groups that do nothing.

    Scripts read the paths in elements of the class `redrawn`, which keep their form.
    """
    kept = {path for group in root.iter() if group.get("class") == redrawn for path in group.iter()}
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        for key, value in element.attrib.items():
            if key == "style":
                element.set(key, re.sub(r"([:;]) ", r"\1", value))
            elif key in _TENTHS or (key in _BOX and tag == "rect") or value.startswith("rotate("):
                element.set(key, _NUMBER.sub(_tenths, " ".join(value.split())))
        if element.get("transform", "").startswith("rotate(-0 "):
            del element.attrib["transform"]
        if tag == "path" and element not in kept:
            element.set("d", path(element.get("d", "")))
    _unwrap(root)


def path(d: str) -> str:
    """The path `d` with steps instead of places, if it consists of straight lines.

    >>> path("M 20 80.9 L 24.2 50 L 28.4 50 M 20 1 L 20 9.5")
    'M20 80.9l4.2-30.9h4.2M20 1v8.5'
    """
    if not _LINES.fullmatch(d):
        return d
    made = ""
    for line in d.split("M")[1:]:
        places = [tuple(round(10 * float(n)) for n in place.split()) for place in line.split("L")]
        made += "M" + _joined(places[0], after="M")
        command = "M"
        for start, end in pairwise(places):
            step, numbers = _step(start, end)
            made += step if step != command else ""
            made += _joined(numbers, after=made)
            command = step
    return made


def _step(start: tuple[int, ...], end: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """The command that draws from `start` to `end`, with its numbers."""
    across, down = end[0] - start[0], end[1] - start[1]
    if not down:
        return "h", (across,)
    return ("l", (across, down)) if across else ("v", (down,))


def _joined(tenths: Iterable[int], *, after: str) -> str:
    """The numbers as text to put `after` the text so far: a minus needs no space before it."""
    text = ""
    for number in tenths:
        shown = re.sub(r"\b0\.", ".", f"{number / 10:g}")
        previous = (after + text)[-1:]
        text += f" {shown}" if previous.isdigit() and not shown.startswith("-") else shown
    return text


def _tenths(number: re.Match[str]) -> str:
    """A coordinate to a tenth of a point, which is enough for a picture."""
    return f"{float(number[0]):.1f}".removesuffix(".0")


def _unwrap(element: etree.Element) -> None:
    """Replace the groups without attributes below `element` by what is in them."""
    for child in element:
        _unwrap(child)
    element[:] = list(_without_groups(element))


def _without_groups(element: etree.Element) -> Iterator[etree.Element]:
    for child in element:
        if child.tag.rpartition("}")[2] == "g" and not child.attrib:
            yield from child
        else:
            yield child
