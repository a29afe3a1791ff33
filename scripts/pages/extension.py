"""The Python-Markdown extension: numbers, tables, maths and figures in the pages.

It works in MkDocs, in ProperDocs and in plain Python-Markdown. pymdownx.arithmatex finds the
maths, and math-core turns it into MathML, so that formulas need no JavaScript.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections.abc import Sequence
from html import unescape
from typing import Any

import math_core
from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.extensions.tables import TableProcessor
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from scripts import figures
from scripts.files import FIGURES, PageError
from scripts.numbers import claims, counts, expressions, marks, tables
from scripts.pages import (
    contents,
    divergence_list,
    elements,
    figure_list,
    library_list,
    model_list,
    number_list,
    repository,
)
from scripts.pages.breaks import LongNames

_STASHED = re.compile("\x02[^\x03]*\x03")  # what another processor has made of a part of the text
LISTS = {
    marks.ALL_FIGURES: figure_list.markdown,
    marks.ALL_NUMBERS: number_list.links,
    marks.ALL_MODELS: model_list.markdown,
    marks.INSTALL: repository.install,
    marks.ALL_SINUSOIDAL: library_list.sinusoidal,
    marks.ALL_ROTARY: library_list.rotary,
    marks.ALL_INTERLEAVED: library_list.interleaved,
    marks.ALL_PROGRAMS: divergence_list.markdown,
}
_MATHS = math_core.LatexToMathML(fancy_error=False)


class PosencExtension(Extension):
    """Numbers, tables, maths and figures for Python-Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Add the processors to `md`; the priorities place them around the built-in ones.

        Those of one priority run in this order.
        """
        counts.offer()
        md.registerExtensions(["pymdownx.arithmatex"], {"pymdownx.arithmatex": {"generic": True}})
        source = _Source(md)
        # After line ends are normalised (30), before fences of code (25).
        md.preprocessors.register(source, "posenc-source", 25.5)
        # Before paragraphs (10).
        for block in (_FigureBlock(md.parser, source), _TableBlock(md.parser, source)):
            md.parser.blockprocessors.register(block, f"posenc-{type(block).__name__}", 10.5)
        # After code spans (190), before escapes (180).
        for inline in (_Number(marks.NUMBER, md, source), _Claim(marks.CLAIM, md, source)):
            md.inlinePatterns.register(inline, f"posenc-{type(inline).__name__}", 180.5)
        # After formulas (189.9), and after escapes.
        md.inlinePatterns.register(_Dollar(r"\$", md, source), "posenc-dollar", 179.5)
        # After the text of a paragraph (20).
        for tree in (_Maths(md, source), _WideTables(md), _Sliders(md, source), LongNames(md)):
            md.treeprocessors.register(tree, f"posenc-{type(tree).__name__}", 19.5)
        if "table" in md.parser.blockprocessors:
            words = _Table(md.parser, {"use_align_attribute": False})
            words.source = source
            md.parser.blockprocessors.register(words, "table", 75)
        # After MkDocs has made the links relative to the page (0).
        md.treeprocessors.register(_EmbedLinks(md), "posenc-embed-links", -1)


def makeExtension() -> PosencExtension:
    """Python-Markdown's entry point."""
    return PosencExtension()


class _Source(Preprocessor):
    """Keeps the lines of the page, so that an error can name one.

    Then it expands the lists of marks.LISTS, and `numbers_of(...)`.
    """

    lines: list[str]

    def run(self, lines: list[str]) -> list[str]:
        self.lines = lines
        made: list[str] = []
        for line in lines:
            if line in LISTS:
                made += LISTS[line]().splitlines()
            elif part := marks.NUMBERS_OF.fullmatch(line):
                first, last = part.groups()
                made += number_list.part(first, last, self.md.htmlStash.store).splitlines()
            else:
                made.append(line)
        return made

    def error(self, message: object, text: str) -> PageError:
        """The error, with the first line of the page that contains the first line of `text`."""
        needle = text.strip().splitlines()[0]
        found = (number for number, line in enumerate(self.lines, 1) if needle in line)
        return PageError(" ".join(str(message).split()), needle, next(found, 1))


class _Inline(InlineProcessor):
    """A processor whose errors name a line of the page."""

    def __init__(self, pattern: str, md: Markdown, source: _Source) -> None:
        super().__init__(pattern, md)
        self.source = source


class _Dollar(_Inline):
    """Refuses a dollar sign that begins or ends no formula."""

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element, int, int]:
        before, after = data[: m.end()].splitlines()[-1], data[m.end() :].partition("\n")[0]
        parts = _STASHED.split(before + after)
        line = re.compile(".+".join(map(re.escape, parts)))
        found = (whole for text in self.source.lines if (whole := line.search(text)))
        text = next((whole[0] for whole in found), m[0])
        raise self.source.error(r"a $ without its partner: the sign itself is \$", text)


class _Number(_Inline):
    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element, int, int]:
        try:
            shown = expressions.number(m[1])
        except expressions.ExpressionError as error:
            raise self.source.error(error, m[0]) from error
        return elements.number(shown, focusable=True), *m.span()


class _Claim(_Inline):
    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element, int, int]:
        try:
            held = claims.claim(m[1])
        except expressions.ExpressionError as error:
            raise self.source.error(error, m[0]) from error
        return elements.claim(held), *m.span()


class _Block(BlockProcessor):
    """A processor whose errors name a line of the page."""

    def __init__(self, parser: Any, source: _Source) -> None:
        super().__init__(parser)
        self.source = source


class _TableBlock(_Block):
    def test(self, parent: etree.Element, block: str) -> bool:
        return marks.table(block) is not None

    def run(self, parent: etree.Element, blocks: list[str]) -> None:
        block = blocks.pop(0)
        source = marks.table(block)
        assert source
        try:
            made = tables.table(source)
        except expressions.ExpressionError as error:
            raise self.source.error(error, block) from error
        parent.append(elements.table(made))


class _FigureBlock(_Block):
    def test(self, parent: etree.Element, block: str) -> bool:
        return marks.figure(block) is not None

    def run(self, parent: etree.Element, blocks: list[str]) -> None:
        block = blocks.pop(0)
        found = marks.figure(block)
        assert found
        folder, name = found
        svg = FIGURES / f"{name}.svg"
        if not svg.is_file():
            made = figures.path(name).is_file()
            hint = f"figure {name!r} has not been rendered: run `make site`"
            message = hint if made else f"no figure {name!r}"
            raise self.source.error(message, block)
        module = figures.load(name)
        picture = elements.inline_svg(svg.read_text("utf-8"))
        bundle = getattr(module, "BUNDLE", "cartesian")
        element = elements.figure(
            contents.anchor(name),
            name.replace("_", " "),
            bundle=bundle if hasattr(module, "interactive") else None,
            shape=elements.shape(picture),
            drawing=self.parser.md.htmlStash.store(picture),
            caption=" ".join(module.CAPTION.split()),
            links={
                "Data (CSV)": f"{folder}{name}.csv",
                "SVG": f"{folder}{name}.svg",
                "PNG": f"{folder}{name}.png",
                "Source": f"{folder}{name}.py.txt",
                elements.EMBED: f"{folder}{name}.svg",
            },
        )
        parent.append(element)


class _Tree(Treeprocessor):
    """A processor whose errors name a line of the page."""

    def __init__(self, md: Markdown, source: _Source) -> None:
        super().__init__(md)
        self.source = source


class _Maths(_Tree):
    """Turns the TeX that arithmatex found into MathML."""

    def run(self, root: etree.Element) -> None:
        for element in root.iter():
            if "arithmatex" in element.get("class", "").split():
                self._replace(element)

    def _replace(self, element: etree.Element) -> None:
        tex = unescape(element.text or "")[2:-2].strip()  # without \( \) or \[ \]
        display = element.tag == "div"
        try:
            mathml = _MATHS.convert_with_local_state(tex, displaystyle=display)
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


class _Table(TableProcessor):
    """Refuses a row that has more cells than the head, which would lose them."""

    source: _Source

    def _build_row(self, row: str, parent: etree.Element, align: Sequence[str | None]) -> None:
        cells = len(self._split_row(row))  # type: ignore[attr-defined]
        if cells > len(align):
            message = f"a row has {cells} cells, the head of its table {len(align)}"
            raise self.source.error(message, row)
        super()._build_row(row, parent, align)  # type: ignore[misc]


class _WideTables(Treeprocessor):
    """Puts each table of words into a box that scrolls and takes the focus."""

    def run(self, root: etree.Element) -> None:
        for parent in list(root.iter()):
            for index, child in enumerate(parent):
                if child.tag == "table" and not child.get("class"):
                    child.set("class", "words")
                    parent[index] = elements.scrolling(child)


class _Sliders(_Tree):
    """Makes a panel of the list in `<div class="sliders">`, and puts it below the first drawing.

    The list names the sliders. Their script comes later; with the panel nothing moves then.
    """

    def run(self, root: etree.Element) -> None:
        for part in root.iter("div"):
            if part.get("class") == "sliders":
                self._replace(part)

    def _replace(self, part: etree.Element) -> None:
        names, drawn = part.find("ul"), part.find("div/figure")
        if names is None or drawn is None:
            message = "sliders need a figure, and a list with a name for each"
            raise self.source.error(message, f'data-live="{part.get("data-live")}"')
        part.remove(names)
        drawn.insert(1, elements.sliders(list(names)))


class _EmbedLinks(Treeprocessor):
    """Points links at a figure's embed page, which MkDocs does not know."""

    def run(self, root: etree.Element) -> None:
        for link in root.iter("a"):
            if link.text == elements.EMBED:
                top, _, name = link.get("href", "").rpartition("figures/")
                link.set("href", f"{top}embed/{name.removesuffix('.svg')}/#share")
