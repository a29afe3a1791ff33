"""The list of figures as Markdown: each below the first page that shows it."""

from __future__ import annotations

import re

from markdown.extensions.toc import slugify

from scripts import figures, files
from scripts.files import FIGURES, BuildError
from scripts.numbers import marks
from scripts.pages import contents

_CARD = """
<div class="thumb" id="card-{name}" style="contain-intrinsic-height: auto {room}rem" markdown>

[![{title}](figures/{name}.svg){{ loading=lazy width={width} height={height} }}]({page}#{anchor})

**[{title}]({page}#{anchor})**

{sentence}

{more}[SVG](figures/{name}.svg){{ aria-label="SVG: {title}" }} ·
[CSV](figures/{name}.csv){{ aria-label="CSV: {title}" }} ·
[Source](figures/{name}.py.txt){{ aria-label="Source: {title}" }}

</div>
"""


def markdown() -> str:
    """Links to all figures by page, then a section for each page, with a card for each figure."""
    places = pages_by_figure()
    links, parts = [], []
    for page in contents.pages():
        own = [name for name, found in places.items() if found[0] == page]
        if own:
            links.append(f"- [{page.title}](#{slugify(page.title, '-')})\n")
            links += [f"    - [{title(name)}](#card-{name})\n" for name in own]
            parts.append(f"\n## [{page.title}]({page.name})\n")
            parts += [_card(name, places[name]) for name in own]
    return "".join(links + parts)


def pages_by_figure() -> dict[str, list[contents.Page]]:
    """The pages that show each figure, in the order of the navigation; all figures have one."""
    places = shown()
    if idle := sorted(set(figures.names()) - places.keys()):
        raise BuildError(f"{files.relative(figures.path(idle[0]))}: no page shows this figure")
    return places


def shown() -> dict[str, list[contents.Page]]:
    """The pages that show each figure, in the order of the navigation."""
    places: dict[str, list[contents.Page]] = {}
    for page in contents.pages():
        for mark in marks.found(page.path.read_text("utf-8")):
            if mark.kind == "figure":
                places.setdefault(mark.source, []).append(page)
    return places


def first_sentence(caption: str) -> str:
    """The first sentence of `caption`; a full stop in an expression or formula ends none."""
    text = " ".join(caption.split())
    return re.split(r"(?<=[.?!])\s(?=[A-Z$])", text, maxsplit=1)[0]


def _card(name: str, places: list[contents.Page]) -> str:
    module = figures.load(name)
    svg = (FIGURES / f"{name}.svg").read_text("utf-8")
    width, height = map(float, re.findall(r'viewBox="([^"]+)"', svg)[0].split()[2:])
    anchor = contents.anchor(name)
    also = ", ".join(f"[{page.title}]({page.name}#{anchor})" for page in places[1:])
    return _CARD.format(
        name=name,
        title=title(name),
        page=places[0].name,
        anchor=anchor,
        width=round(width),
        height=round(height),
        room=round(28 * height / width + 8),  # 28rem is its width in style.css; the rest is text
        sentence=first_sentence(module.CAPTION),
        more=f"Also in {also}. " if also else "",
    )


def title(name: str) -> str:
    """What the figure shows, in one line: the first of its module's docstring."""
    return (figures.load(name).__doc__ or "").splitlines()[0].rstrip(".")
