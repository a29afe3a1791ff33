"""A small picture of a figure for the gallery: its SVG without words, ticks, grids, fine detail."""

from __future__ import annotations

import base64
import io
import math
import re
import xml.etree.ElementTree as etree

import numpy as np
from PIL import Image

from scripts.render import compact, packed, svg

_WORDS = {"text", "title", "desc", "style"}
_DETAIL = re.compile(r";stroke-(?:dashoffset|linecap):[^;]*")
_GRID_LINE = re.compile(r"M[-\d. ]+[hv][-\d. ]+")
_TICK = re.compile(r"M0 0(v|h)-?[\d.]+")
_STEP = re.compile(r"([Mlhv])([-\d. ]+)")
_SVG = "http://www.w3.org/2000/svg"
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_STROKES = "<style>svg *{vector-effect:non-scaling-stroke}</style>"  # else they would be hairlines
_FINEST = 2.0  # units of the SVG, of which about three are a pixel of the gallery
_WIDEST = 96  # pixels of an image
_MANY = 9  # dots of one line


def thumbnail(drawing: str) -> str:
    """The SVG `drawing` as a picture of about 150 pixels, which follows the scheme too."""
    root = etree.fromstring(drawing)
    ticks = {f"#{path.get('id')}" for path in root.iter() if _is_tick(path)}
    for parent in list(root.iter()):
        for child in list(parent):
            tag = child.tag.rpartition("}")[2]
            used = ticks & set(child.attrib.values())
            if tag in _WORDS or used or _is_tick(child) or _is_faint(child):
                parent.remove(child)
        _thin_out(parent)
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "d":
                element.set(key, coarse(value))
            elif key == "style":
                element.set(key, _DETAIL.sub("", value))
            elif value.startswith("data:"):
                element.set(key, _small(value))
    for attribute in ("role", "aria-labelledby", "font-family"):
        del root.attrib[attribute]
    for group in root.iter(f"{{{_SVG}}}g"):
        group.attrib.pop("class", None)
        group.attrib.pop("data-scales", None)
    text = re.sub("(<defs />)+", "", etree.tostring(root, encoding="unicode"))
    return text.replace(">", f">{svg.standalone_style(used_in=text)}{_STROKES}", 1) + "\n"


def _thin_out(parent: etree.Element) -> None:
    """Keep every third of many dots, which touch each other in a picture as small as this."""
    dots: dict[str, list[etree.Element]] = {}
    for child in parent:
        if child.tag.endswith("}use"):
            dots.setdefault(str(sorted(child.attrib.items() - _place(child))), []).append(child)
    for same in dots.values():
        for number, dot in enumerate(same):
            if len(same) > _MANY and number % 3:
                parent.remove(dot)


def _place(element: etree.Element) -> set[tuple[str, str]]:
    return {(key, value) for key, value in element.attrib.items() if key in "xy"}


def _is_tick(element: etree.Element) -> bool:
    return "id" in element.attrib and _TICK.fullmatch(element.get("d", "")) is not None


def _is_faint(element: etree.Element) -> bool:
    """Whether `element` is invisible, or a line of a grid."""
    style = element.get("style", "").split(";")
    in_grid = "stroke:var(--fig-grid)" in style and _GRID_LINE.fullmatch(element.get("d", ""))
    return "opacity:0" in style or bool(in_grid)


def coarse(d: str) -> str:
    """The path `d` in whole units, without points that make no visible difference.

    >>> coarse("M20 80.9l4.2-30.9h4.2h4v-20")
    'M20 81l4-31h8v-20'
    >>> coarse("M 0 0 L 10 0 L 10 9 z")
    'M0 0h10v9z'
    """
    before, closed, _ = d.partition(" z")
    d = compact.path(before)
    if "".join(command + numbers for command, numbers in _STEP.findall(d)) != d:
        return d + closed  # it has curves
    lines = [np.array(line) for line in _lines(d)]
    steps = ((*_simple(line).round().astype(int),) for line in lines)
    long = " ".join("M " + " L ".join(f"{x} {y}" for x, y in line) for line in steps)
    return compact.path(long) + closed.strip()


def _lines(d: str) -> list[list[tuple[float, float]]]:
    """The points of each line of a path that scripts/render/compact.py has written."""
    lines: list[list[tuple[float, float]]] = []
    for command, numbers in _STEP.findall(d):
        found = [float(number) for number in _NUMBER.findall(numbers)]
        if command == "M":
            x, y = found
            line = [(x, y)]
            lines.append(line)
            continue
        if command == "h":
            steps = [(across, 0.0) for across in found]
        elif command == "v":
            steps = [(0.0, down) for down in found]
        else:
            steps = list(zip(found[::2], found[1::2], strict=True))
        for across, down in steps:
            x, y = x + across, y + down
            line.append((x, y))
    return lines


def _simple(points: np.ndarray) -> np.ndarray:
    """`points` without those close to the way between others (Douglas and Peucker)."""
    if len(points) == 1:
        return points
    chord, away = points[-1] - points[0], points - points[0]
    along = (away @ chord / max(chord @ chord, 1e-9)).clip(0, 1)
    off = np.hypot(*(away - along[:, None] * chord).T)
    worst = int(off.argmax())
    if off[worst] < _FINEST:
        return points[[0, -1]]
    return np.concatenate([_simple(points[: worst + 1])[:-1], _simple(points[worst:])])


def _small(uri: str) -> str:
    """The PNG in `uri` with fewer pixels and colours."""
    kind, _, content = uri.partition(",")
    with Image.open(io.BytesIO(base64.b64decode(content))) as opened:
        picture = opened.convert("RGBA")
    smaller = picture.reduce(math.ceil(max(picture.size) / _WIDEST))
    few = packed.png(smaller.quantize(20, Image.Quantize.FASTOCTREE))
    return f"{kind},{base64.b64encode(few).decode()}"
