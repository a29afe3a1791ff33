"""MkDocs' events for the search: the entries of all pages replace those of Material."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scripts.pages import search_index

_INDEX = "search/search_index.json"


def on_page_content(html: str, page: Any, config: Any, **_: Any) -> str:
    """Keep the entries of the page until all pages are there."""
    settings = page.meta.get("search", {})
    made = search_index.entries(html, page.url, page.title, page.meta.get("words", {}))
    boost = {"boost": settings["boost"]} if "boost" in settings else {}
    config.extra.setdefault("search", []).extend({**entry, **boost} for entry in made)
    page.meta["search"] = {**settings, "exclude": True}  # Material need not read the page as well
    return html


def on_post_build(config: Any) -> None:
    """Put the entries into the file that Material's plugin has written, with its settings."""
    path = Path(config.site_dir) / _INDEX
    index = {**json.loads(path.read_text("utf-8")), "docs": config.extra["search"]}
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), "utf-8")
