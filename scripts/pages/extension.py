"""The Python-Markdown extension: numbers, tables, maths and figures in the pages.

Works in MkDocs, in ProperDocs and in plain Python-Markdown. Maths is tokenised by
pymdownx.arithmatex and turned into MathML by math-core; nothing is left to JavaScript.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as etree
from importlib import import_module
from types import ModuleType
from typing import Any

import math_core
from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from scripts.files import FIGURES, VENDOR
from scripts.numbers import expressions, tables
from scripts.pages import figure_list, number_list

_NUMBER = r"\{\{(?!\s*table\()(.+?)\}\}"
_TABLE = re.compile(r"^\{\{\s*(table\(.+)\}\}\s*$", re.DOTALL)
_FIGURE = re.compile(r"^!\[\]\((?:\.\./)*figures/(\w+)\.svg\)\s*$")


class PageError(Exception):
    """A page that cannot be built, with the text that is at fault and its line."""

    def __init__(self, message: str, text: str, line: int) -> None:
        super().__init__(message)
        self.text = text
        self.line = line


class PosencExtension(Extension):
    """Registers what this module adds."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Add the processors to `md`; the priorities place them around the built-in ones."""
        md.registerExtensions(["pymdownx.arithmatex"], {"pymdownx.arithmatex": {"generic": True}})
        source = _Source(md)
        md.preprocessors.register(source, "posenc-source", 200)
        # After line ends are normalised (30), before fences of code (25).
        md.preprocessors.register(_Listings(md), "posenc-listings", 29)
        md.parser.blockprocessors.register(_FigureBlock(md.parser, source), "posenc-figure", 175)
        md.parser.blockprocessors.register(_TableBlock(md.parser, source), "posenc-table", 174)
        # After code spans (190), before escapes (180).
        md.inlinePatterns.register(_NumberInline(_NUMBER, md, source), "posenc-number", 188)
        md.treeprocessors.register(_Maths(md, source), "posenc-maths", 15)
        md.treeprocessors.register(_WideTables(md), "posenc-wide-tables", 14)


def makeExtension(**kwargs: Any) -> PosencExtension:
    """Python-Markdown's entry point."""
    return PosencExtension(**kwargs)


class _Source(Preprocessor):
    """Keeps the page's own lines, so that an error can name one."""

    lines: list[str]

    def run(self, lines: list[str]) -> list[str]:
        self.lines = lines
        return lines

    def error(self, message: object, text: str) -> PageError:
        """The error for the first line that holds the first line of `text`."""
        needle = text.strip().splitlines()[0]
        found = (number for number, line in enumerate(self.lines, 1) if needle in line)
        return PageError(" ".join(str(message).split()), needle, next(found, 1))


class _Listings(Preprocessor):
    """Puts what the build lists in the place of the line that asks for it."""

    def run(self, lines: list[str]) -> list[str]:
        made: list[str] = []
        for line in lines:
            if line == figure_list.DIRECTIVE:
                made += figure_list.markdown().splitlines()
            elif line == number_list.DIRECTIVE:
                made += number_list.markdown(self.md.htmlStash.store).splitlines()
            else:
                made.append(line)
        return made


class _NumberInline(InlineProcessor):
    def __init__(self, pattern: str, md: Markdown, source: _Source) -> None:
        super().__init__(pattern, md)
        self.source = source

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element, int, int]:
        try:
            shown = expressions.number(m.group(1))
        except expressions.ExpressionError as error:
            raise self.source.error(error, m.group(0)) from error
        return data_element(shown, focusable=True), m.start(0), m.end(0)


class _TableBlock(BlockProcessor):
    def __init__(self, parser: Any, source: _Source) -> None:
        super().__init__(parser)
        self.source = source

    def test(self, parent: etree.Element, block: str) -> bool:
        return bool(_TABLE.match(block))

    def run(self, parent: etree.Element, blocks: list[str]) -> None:
        block = blocks.pop(0)
        match = _TABLE.match(block)
        assert match
        try:
            made = tables.table(match.group(1))
        except expressions.ExpressionError as error:
            raise self.source.error(error, block) from error
        parent.append(_table_element(made))


class _FigureBlock(BlockProcessor):
    def __init__(self, parser: Any, source: _Source) -> None:
        super().__init__(parser)
        self.source = source

    def test(self, parent: etree.Element, block: str) -> bool:
        return bool(_FIGURE.match(block))

    def run(self, parent: etree.Element, blocks: list[str]) -> None:
        block = blocks.pop(0)
        match = _FIGURE.match(block)
        assert match
        svg = FIGURES / f"{match.group(1)}.svg"
        if not svg.is_file():
            message = f"figure {svg.stem!r} has not been rendered: run `make site`"
            raise self.source.error(message, block)
        folder = block[block.index("(") + 1 : block.index("figures/")] + "figures/"
        module = import_module(f"scripts.figures.{svg.stem}")
        picture = inline_svg(svg.read_text("utf-8"))
        figure = _figure_element(svg.stem, module, self.parser.md.htmlStash.store(picture), folder)
        figure[0].set("style", stage_style(picture))
        parent.append(figure)


class _Maths(Treeprocessor):
    """Turns the TeX that arithmatex has marked into MathML."""

    def __init__(self, md: Markdown, source: _Source) -> None:
        super().__init__(md)
        self.source = source
        self.convert = math_core.LatexToMathML(fancy_error=False).convert_with_local_state

    def run(self, root: etree.Element) -> None:
        for element in root.iter():
            if "arithmatex" in element.get("class", "").split():
                self._replace(element)

    def _replace(self, element: etree.Element) -> None:
        tex = html.unescape(element.text or "")[2:-2].strip()  # without \( \) or \[ \]
        display = element.tag == "div"
        try:
            mathml = self.convert(tex, displaystyle=display)
        except math_core.LatexError as error:
            raise self.source.error(f"{tex}: {error}", tex) from error
        if display:
            element.attrib.update({"tabindex": "0", "role": "group", "aria-label": "Formula"})
        element.set("class", "math-block" if display else "math")
        element.text = AtomicString(self.md.htmlStash.store(mathml))
        if not display:  # a line must not begin with the comma that follows a formula
            after = element.tail or ""
            rest = after.lstrip(".,;:!?)")
            element.text = AtomicString(element.text + after[: len(after) - len(rest)])
            element.tail = rest


class _WideTables(Treeprocessor):
    """Puts each table of words into a box that scrolls and can be focused."""

    def run(self, root: etree.Element) -> None:
        for parent in list(root.iter()):
            for index, child in enumerate(parent):
                if child.tag == "table" and not child.get("class"):
                    child.set("class", "words")
                    parent[index] = _scrolling(child)


def _scrolling(table: etree.Element) -> etree.Element:
    box = etree.Element(
        "div", {"class": "table-scroll", "tabindex": "0", "role": "group", "aria-label": "Table"}
    )
    box.tail, table.tail = table.tail, None
    box.append(table)
    return box


def data_element(shown: expressions.Number, *, focusable: bool) -> etree.Element:
    """`<data>` with the value, the expression and the text of a number."""
    element = etree.Element("data", value=repr(shown.value))
    element.set("title", f"{shown.code} = {shown.value!r}")
    element.set("data-format", shown.spec)
    if focusable:
        element.set("tabindex", "0")
    mantissa, e, exponent = shown.text.partition("e")
    element.text = AtomicString(mantissa)
    if e:
        element.text = AtomicString(f"{mantissa} × 10")
        power = etree.SubElement(element, "sup")
        power.text = AtomicString(exponent[0].strip("+") + exponent[1:].lstrip("0"))
    return element


def _table_element(made: tables.Table) -> etree.Element:
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
            etree.SubElement(row, "td").append(data_element(cell, focusable=False))
    return _scrolling(element)


def _figure_element(name: str, module: ModuleType, drawing: str, folder: str) -> etree.Element:
    figure = etree.Element("figure", {"class": "pf", "id": f"fig-{name.replace('_', '-')}"})
    figure.set("data-bundle", bundle_file(getattr(module, "BUNDLE", "cartesian")))
    stage = etree.SubElement(figure, "div", {"class": "pf-stage"})
    stage.text = AtomicString(drawing)
    etree.SubElement(figure, "figcaption").text = " ".join(module.CAPTION.split())
    links = etree.SubElement(figure, "div", {"class": "pf-links"})
    etree.SubElement(links, "button", type="button", hidden="").text = "Make interactive"
    for label, href in (
        ("Data (CSV)", f"{folder}{name}.csv"),
        ("SVG", f"{folder}{name}.svg"),
        ("Source", f"{folder}{name}.py.txt"),
    ):
        etree.SubElement(links, "a", href=href).text = label
    permalink = etree.SubElement(links, "a", href=f"#{figure.get('id')}")
    permalink.text = "Permalink"
    for link in links.iter("a"):
        link.set("aria-label", f"{link.text} of the figure {name.replace('_', ' ')}")
    return figure


def bundle_file(bundle: str) -> str:
    """The file under assets/vendor/ that can draw `bundle`: npm's part, or all of Plotly."""
    part = f"plotly-{bundle}.min.js"
    return part if (VENDOR / part).is_file() else "plotly.min.js"


def inline_svg(svg: str) -> str:
    """The standalone `svg` as it goes into a page, which brings the colours itself."""
    svg = re.sub(r"^<\?xml.*?\?>\s*|<style id=\"standalone\">.*?</style>", "", svg, flags=re.DOTALL)
    return svg.replace("<svg ", '<svg data-search-exclude="" ', 1)


def stage_style(svg: str) -> str:
    """The shape of the box that `svg` fills, so that it has its place before it is laid out."""
    _, _, width, height = re.findall(r'viewBox="([^"]+)"', svg)[0].split()
    return f"aspect-ratio:{width}/{height}"


def plain(template: str) -> str:
    """`template` with its `{{ }}` evaluated, as text without markup (alt texts)."""

    def shown(match: re.Match[str]) -> str:
        return expressions.number(match.group(1)).text

    return html.unescape(re.sub(_NUMBER, shown, " ".join(template.split())))
