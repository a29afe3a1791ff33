"""The gallery as Markdown: a small picture of each figure, in the order of the pages."""

from __future__ import annotations

import re
from html import escape

from scripts import figures, files
from scripts.files import FIGURES, BuildError
from scripts.numbers import marks
from scripts.pages import contents

# docs/assets/gallery/filter.js reads the pages and the kinds.
_SLIDERS = re.compile(r'<div class="sliders".*?</div>', re.DOTALL)
_GALLERY = """
<div class="filter" data-live="gallery/filter"></div>

<div class="gallery sans" markdown>
{cards}
</div>
"""
_CARD = """
<div class="thumb" id="card-{name}" data-page="{pages}" data-kind="{kinds}" markdown>

[![](figures/{name}.thumb.svg){{ loading=lazy width={width} height={height} }}
{title}]({page}#{anchor})

[Embed or cite](figures/{name}.svg){{ aria-label="Embed or cite: {title}" }}

</div>
"""


def markdown() -> str:
    """The gallery, with a card for each figure and a place for the filter."""
    places = pages_by_figure()
    order = [page.name for page in contents.pages()]
    names = sorted(places, key=lambda name: order.index(place(places[name]).name))
    return _GALLERY.format(cards="".join(_card(name, places[name]) for name in names))


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
        for mark in marks.found(files.page_text(page.path)):
            if mark.kind == "figure":
                places.setdefault(mark.source, []).append(page)
    return places


def place(pages: list[contents.Page]) -> contents.Page:
    """The page that explains a figure, of those that show it: the last, after any summary."""
    return pages[-1]


def kinds(name: str, pages: list[contents.Page]) -> list[str]:
    """What the figure draws, and whether it has sliders on one of its `pages`."""
    drawing = (FIGURES / f"{name}.svg").read_text("utf-8")
    kind = "Heatmaps" if "<image " in drawing else "Lines and points"
    kind = "Surfaces" if getattr(figures.load(name), "BUNDLE", "") == "gl3d" else kind
    parts = [part for page in pages for part in _SLIDERS.findall(files.page_text(page.path))]
    sliders = any(mark.source == name for part in parts for mark in marks.found(part))
    return [kind, "With sliders"] if sliders else [kind]


def _card(name: str, places: list[contents.Page]) -> str:
    svg = (FIGURES / f"{name}.thumb.svg").read_text("utf-8")
    (box,) = re.findall(r'viewBox="([^"]+)"', svg)
    _, _, width, height = map(float, box.split())
    return _CARD.format(
        name=name,
        title=title(name),
        page=place(places).name,
        pages=escape("|".join(page.title for page in places)),
        kinds="|".join(kinds(name, places)),
        anchor=contents.anchor(name),
        width=round(width),
        height=round(height),
    )


def title(name: str) -> str:
    """What the figure shows, in one line: the first of its module's docstring."""
    return (figures.load(name).__doc__ or "").splitlines()[0].rstrip(".")
