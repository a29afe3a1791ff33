"""MkDocs' event for live parts: a page loads their stylesheets and preloads their modules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from scripts.files import DOCS, BuildError
from scripts.pages.bundles import BUNDLES

ASSETS = DOCS / "assets"
_LIVE = re.compile(r'<\w[^>]*\bdata-live="([^"]+)"')
_LATER = ("ask/", "sliders/")  # docs/assets/site/live.js imports these: a page shows them without
_IMPORT = re.compile(r'^(?:import|export) (?:[^;"]*? from )?"([^"]+)";', re.MULTILINE)


def on_page_context(context: dict[str, Any], page: Any, **_: Any) -> dict[str, Any]:
    """Hand the addresses of what the page loads to scripts/pages/theme/templates/main.html."""
    try:
        context["sheets"] = [f"assets/{sheet}" for sheet in sheets(page.content)]
        context["preloads"] = [f"assets/{module}" for module in preloads(page.content)]
    except FileNotFoundError as error:
        raise BuildError(f"{page.file.src_uri}: no module {error.filename}") from error
    return context


def preloads(html: str, *, assets: Path = ASSETS) -> list[str]:
    """The modules that the live parts in `html` need at once, as paths below `assets`."""
    parts = [name for name in _LIVE.findall(html) if not name.startswith(_LATER)]
    return imported([f"{name}.js" for name in parts], assets=assets)


def sheets(html: str, *, assets: Path = ASSETS) -> list[str]:
    """The stylesheets beside the modules of the live parts in `html`, as paths below `assets`."""
    needed = [*_LIVE.findall(html), *preloads(html, assets=assets)]
    folders = sorted({name.partition("/")[0] for name in needed} - {"site"})
    return [f"{name}/style.css" for name in folders if (assets / name / "style.css").is_file()]


def imported(modules: list[str], *, assets: Path = ASSETS) -> list[str]:
    """`modules` and all that they import statically, each once.

    `import(...)` does not count: such a module waits for a reader who needs it. A bundle has its
    modules in itself.
    """
    found: list[Path] = []
    waiting = [(assets / module).resolve() for module in modules]
    while waiting:
        path = waiting.pop(0)
        if path not in found:
            found.append(path)
            named = [] if path in BUNDLES else _IMPORT.findall(path.read_text("utf-8"))
            waiting += [(path.parent / name).resolve() for name in named]
    return [path.relative_to(assets.resolve()).as_posix() for path in found]
