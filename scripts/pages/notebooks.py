"""Notebooks as pages that look like the other pages of the site.

mkdocs-jupyter runs a notebook and highlights its code. This module takes its page apart: it
drops JupyterLab's styles and scripts, sends the prose through the site's Markdown, so that
formulas, numbers and anchors look as on every other page, and saves the figures as files.
"""

from __future__ import annotations

import base64
import xml.etree.ElementTree as etree
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Any

from bs4 import BeautifulSoup

from scripts.files import PageError
from scripts.numbers import templates
from scripts.pages import elements

_PRINTED = ("application/vnd.jupyter.stdout", "text/plain")
_OUTPUT = '<div class="nb-output" tabindex="0" role="group" aria-label="Output"><pre>{}</pre></div>'
_DOWNLOAD = (
    '<p class="nb-download"><a href="{name}" download>Download this notebook</a> and run it '
    "yourself; it needs {needs}, and Jupyter.</p>"
)


@dataclass
class Page:
    """The page of the notebook `name`: its HTML, and the files that its figures link to."""

    name: str
    html: str = ""
    files: dict[str, bytes] = field(default_factory=dict)


def page(shown: str, notebook: dict[str, Any], name: str, markdown: Callable[[str], str]) -> Page:
    """The page of the file `name` (numpy.ipynb) from mkdocs-jupyter's HTML, `shown`.

    `markdown` turns captions, and then the prose, into HTML.
    """
    made = Page(name.removesuffix(".ipynb"))
    soup = BeautifulSoup(shown, "html.parser")
    prose: list[str] = []
    code: dict[str, str] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            prose.append("".join(cell["source"]))
        else:
            place = f'<div class="nb-cell" id="{cell["id"]}"></div>'
            element = soup.find(id=f"cell-id={cell['id']}")
            code[place] = _code_cell(element, cell, made, markdown)
            prose.append(place)
    made.html = markdown("\n\n".join(prose))
    for place, content in code.items():
        made.html = made.html.replace(place, content)
    needs = notebook["metadata"].get("needs")
    if not needs:
        raise _error(notebook["cells"][0], "metadata.needs must say which packages it needs")
    link = _DOWNLOAD.format(name=name, needs=needs)
    made.html = made.html.replace("</h1>", f"</h1>\n{link}")
    return made


def _code_cell(
    element: Any, cell: dict[str, Any], made: Page, markdown: Callable[[str], str]
) -> str:
    source = element.find(class_="highlight-ipynb").pre.decode_contents().rstrip()
    parts = [f'<div class="highlight"><pre><code>{source}</code></pre></div>']
    printed = ""
    for output in [*element.find_all(class_="jp-OutputArea-output"), None]:
        kind = output.get("data-mime-type", "a picture") if output else ""
        if kind in _PRINTED:
            printed += output.pre.get_text()
            continue
        if printed:
            parts.append(_OUTPUT.format(escape(printed.rstrip(), quote=False)))
            printed = ""
        if kind == "text/html" and (figure := output.find("figure", class_="pf")):
            parts.append(_figure(figure, cell, made, markdown))
        elif output:
            raise _error(cell, f"a page can show text and figures, the cell gives {kind}")
    return f'<div class="nb-cell">{"".join(parts)}</div>'


def _figure(element: Any, cell: dict[str, Any], made: Page, markdown: Callable[[str], str]) -> str:
    words = cell["metadata"].get("figure", {})
    if sorted(words) != ["alt", "caption", "title"]:
        raise _error(cell, "metadata.figure must have alt, caption and title, got", sorted(words))
    name = f"figure-{sum(file.endswith('.svg') for file in made.files) + 1}"
    image, script = element.find("img"), element.find("script")
    svg = base64.b64decode(image["src"].partition(",")[2]).decode()
    for tag, text in (("title", words["title"]), ("desc", templates.plain(words["alt"]))):
        svg = svg.replace(f">A figure.</{tag}>", f">{escape(text, quote=False)}</{tag}>")
    made.files[f"{name}.svg"] = svg.encode()
    made.files[f"{name}.png"] = base64.b64decode(image["data-png"])
    links = {
        "SVG": f"{name}.svg",
        "PNG": f"{name}.png",
        elements.EMBED: f"../../embed/{made.name}-{name}/#share",
    }
    if script is not None:
        made.files[f"{name}.json"] = script.string.encode()
        links = {"Data (JSON)": f"{name}.json", **links}
    shown = elements.figure(
        name,
        words["title"],
        bundle=element["data-bundle"] if script is not None else None,
        shape=elements.shape(svg),
        drawing="(drawing)",
        caption="(caption)",
        links=links,
    )
    caption = markdown(words["caption"]).removeprefix("<p>").removesuffix("</p>")
    text = etree.tostring(shown, encoding="unicode")
    text = text.replace("(caption)", caption)
    return text.replace("(drawing)", elements.inline_svg(svg).strip(), 1)


def _error(cell: dict[str, Any], *message: object) -> PageError:
    first = next(iter("".join(cell["source"]).splitlines()), "")
    return PageError(" ".join(map(str, message)), first)
