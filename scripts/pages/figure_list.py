"""The gallery as Markdown: every figure once, below the first page that shows it."""

from __future__ import annotations

import re
from importlib import import_module

from scripts import figures
from scripts.files import FIGURES, BuildError
from scripts.pages import contents

DIRECTIVE = "{{ all_figures() }}"
SHOWN = re.compile(r"^ *!\[\]\((?:\.\./)*figures/(\w+)\.svg\) *$", re.MULTILINE)
_CARD = """
<div class="thumb" style="contain-intrinsic-height: auto {room}rem" markdown>

[![{title}](figures/{name}.svg){{ loading=lazy width={width} height={height} }}]({page}#{anchor})

**[{title}]({page}#{anchor})**

{sentence}

{more}[SVG](figures/{name}.svg){{ aria-label="SVG: {title}" }} ·
[CSV](figures/{name}.csv){{ aria-label="CSV: {title}" }} ·
[Source](figures/{name}.py.txt){{ aria-label="Source: {title}" }}

</div>
"""


def markdown() -> str:
    """A heading for each page that has figures, and a card for each figure."""
    places = shown_on()
    parts = []
    for page in contents.pages():
        own = [name for name, found in places.items() if found[0] == page]
        if own:
            parts.append(f"\n## [{page.title}]({page.name})\n")
            parts += [_card(name, places[name]) for name in own]
    return "".join(parts)


def shown_on() -> dict[str, list[contents.Page]]:
    """The pages that show each figure, in the order of the navigation."""
    places: dict[str, list[contents.Page]] = {}
    for page in contents.pages():
        for name in SHOWN.findall(page.path.read_text("utf-8")):
            places.setdefault(name, []).append(page)
    if idle := sorted(set(figures.names()) - places.keys()):
        raise BuildError(f"scripts/figures/{idle[0]}.py: no page shows this figure")
    return places


def first_sentence(caption: str) -> str:
    """The first sentence of `caption`, its expressions and formulas whole."""
    text = " ".join(caption.split())
    return re.split(r"(?<=[.?!])\s(?=[A-Z$])", text, maxsplit=1)[0]


def _card(name: str, places: list[contents.Page]) -> str:
    module = import_module(f"scripts.figures.{name}")
    svg = (FIGURES / f"{name}.svg").read_text("utf-8")
    width, height = map(float, re.findall(r'viewBox="([^"]+)"', svg)[0].split()[2:])
    anchor = f"fig-{name.replace('_', '-')}"
    also = ", ".join(f"[{page.title}]({page.name}#{anchor})" for page in places[1:])
    return _CARD.format(
        name=name,
        title=(module.__doc__ or "").splitlines()[0].rstrip("."),
        page=places[0].name,
        anchor=anchor,
        width=round(width),
        height=round(height),
        room=round(28 * height / width + 8),  # 28rem is its width in style.css; the rest is text
        sentence=first_sentence(module.CAPTION),
        more=f"Also in {also}. " if also else "",
    )
