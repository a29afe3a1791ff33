"""Marks in a figure for the page's script, which redraws parts of it."""

from __future__ import annotations

import xml.etree.ElementTree as etree
from typing import Any

import numpy as np

from scripts.figures import _style


def mark(root: etree.Element, figure: Any) -> None:
    """Turn the marks of `_style.mark_for_sliders` into a class and an attribute of the SVG `root`.

    Artists that the script redraws get a class. Axes get `data-scales`: for x, then y, "log" or
    "linear", the place of 0 in the drawing (if log, of the logarithm 0), and the length of 1.
    """
    answering = (ax for ax in figure.axes if ax.get_gid() == _style.SLIDER_AXES)
    size = [float(number) for number in root.attrib["viewBox"].split()[2:]]
    for element in root.iter():
        if element.get("id") == _style.REDRAWN:
            del element.attrib["id"]
            element.set("class", _style.REDRAWN)
        elif element.get("id") == _style.SLIDER_AXES:
            element.set("data-scales", _scales(next(answering), *size))


def _scales(ax: Any, width: float, height: float) -> str:
    box = ax.get_position()
    x = _scale(ax.xaxis, box.x0 * width, box.x1 * width)
    return f"{x} {_scale(ax.yaxis, (1 - box.y0) * height, (1 - box.y1) * height)}"


def _scale(axis: Any, start: float, end: float) -> str:
    kind, limits = axis.get_scale(), axis.get_view_interval()
    least, most = np.log10(limits) if kind == "log" else limits
    unit = (end - start) / (most - least)
    return f"{kind} {start - least * unit:.3f} {unit:.6g}"
