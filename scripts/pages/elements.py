"""The elements that the build adds to pages: numbers, tables of numbers, figures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree

from markdown.util import AtomicString

from scripts.files import VENDOR
from scripts.numbers.claims import Claim
from scripts.numbers.expressions import Number
from scripts.numbers.tables import Table

FILES = "Data and files"  # the fold with the links of a figure
EMBED = "Embed or cite"  # the link to the page that other sites embed


def number(shown: Number, *, focusable: bool) -> etree.Element:
    """`<data>` with the value, the expression and the text of a number."""
    element = etree.Element("data", value=repr(shown.value))
    element.set("title", f"{shown.code} = {shown.value!r}")
    element.set("data-format", shown.spec)
    if focusable:
        element.set("tabindex", "0")
    mantissa, _, exponent = shown.text.partition("e")
    element.text = AtomicString(mantissa)
    if exponent.strip("+−0"):
        element.text = AtomicString(f"{mantissa} × 10")
        power = etree.SubElement(element, "sup")
        power.text = AtomicString(exponent[0].strip("+") + exponent[1:].lstrip("0"))
    return element


def claim(held: Claim) -> etree.Element:
    """An empty `<data>`, which nobody sees or hears until ƒ shows its claim."""
    element = etree.Element("data", value=held.code)
    if held.kind != "check":
        element.set("data-kind", held.kind)
    return element


def table(made: Table) -> etree.Element:
    """A table of numbers in a box that scrolls."""
    element = etree.Element("table", {"class": "numbers"})
    if made.columns:
        head = etree.SubElement(etree.SubElement(element, "thead"), "tr")
        if made.rows:
            etree.SubElement(head, "th" if made.corner else "td").text = made.corner
        for label in made.columns:
            etree.SubElement(head, "th", scope="col").text = label
    body = etree.SubElement(element, "tbody")
    for index, cells in enumerate(made.cells):
        row = etree.SubElement(body, "tr")
        if made.rows:
            etree.SubElement(row, "th", scope="row").text = made.rows[index]
        for cell in cells:
            etree.SubElement(row, "td").append(number(cell, focusable=False))
    return scrolling(element)


def scrolling(element: etree.Element) -> etree.Element:
    """A box that scrolls and takes the focus, around a table."""
    box = etree.Element(
        "div", {"class": "table-scroll", "tabindex": "0", "role": "group", "aria-label": "Table"}
    )
    box.tail, element.tail = element.tail, None
    box.append(element)
    return box


def figure(
    anchor: str,
    name: str,
    *,
    bundle: str | None,
    shape: str,
    drawing: str,
    caption: str,
    links: dict[str, str],
) -> etree.Element:
    """A figure with its caption and, in a fold below it, `links` (text: address).

    `name` says which figure a link belongs to. `bundle` is the part of Plotly that draws it;
    None if it has no interactive form.
    """
    element = etree.Element("div", {"class": "pf", "id": anchor})
    shown = etree.SubElement(element, "figure")
    stage = etree.SubElement(shown, "div", {"class": "pf-stage", "style": shape})
    stage.text = AtomicString(drawing)
    etree.SubElement(shown, "figcaption").text = caption
    row = etree.SubElement(element, "div", {"class": "pf-links"})
    if bundle:
        element.set("data-bundle", _bundle_file(bundle))
        etree.SubElement(row, "button", type="button", hidden="").text = "Make interactive"
    files = etree.SubElement(row, "details", {"class": "plain"})
    summary = etree.SubElement(files, "summary", {"aria-label": f"{FILES} of the figure {name}"})
    summary.text = FILES
    for text, address in {**links, "Permalink": f"#{anchor}"}.items():
        label = f"{text} the figure {name}" if text == EMBED else f"{text} of the figure {name}"
        etree.SubElement(files, "a", {"href": address, "aria-label": label}).text = text
    return element


def sliders(names: list[etree.Element]) -> etree.Element:
    """The panel that docs/assets/sliders/panel.js fills: a slider for each name, and a sentence."""
    panel = etree.Element("div", {"class": "sliders-panel", "data-search-exclude": ""})
    for name in names:
        control = etree.SubElement(panel, "div", {"class": "sliders-control"})
        name.tag = "label"
        control.append(name)
        etree.SubElement(control, "input", type="range")
        etree.SubElement(control, "span")
    etree.SubElement(panel, "div", {"class": "sliders-sentence"})
    etree.SubElement(panel, "button", type="button").text = "Reset"
    etree.SubElement(panel, "div", {"class": "sliders-status", "role": "status"})
    return panel


def _bundle_file(bundle: str) -> str:
    """The file in docs/assets/vendor/ that draws `bundle`: npm's part, or all of Plotly."""
    part = f"plotly-{bundle}.min.js"
    return part if (VENDOR / part).is_file() else "plotly.min.js"


def inline_svg(svg: str) -> str:
    """The standalone `svg` for use within a page, whose stylesheet has the colours.

    Its title and description say what it shows. Chromium would have screen readers read each tick
    label after them, although it is one image.
    """
    svg = re.sub(r"^<\?xml.*?\?>\s*|<style id=\"standalone\">.*?</style>", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg data-search-exclude="" ')
    drawing = svg.replace("</desc>", '</desc><g aria-hidden="true">')
    return drawing.replace("</svg>", "</g></svg>")


def shape(svg: str) -> str:
    """A style with the aspect ratio of `svg`, which reserves its place before it is laid out."""
    ((width, height),) = re.findall(r'viewBox="\S+ \S+ (\S+) ([^"\s]+)"', svg)
    return f"aspect-ratio:{width}/{height}"
