"""MkDocs' events for the page of the package: its look is the site's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_SHEET = "assets/_mkdocstrings.css"


def on_config(config: Any) -> Any:
    """No page loads mkdocstrings' stylesheet: the site's own is enough."""
    if _SHEET in config.extra_css:
        config.extra_css.remove(_SHEET)
    return config


def on_post_build(config: Any) -> None:
    """Nor does the site have it."""
    (Path(config.site_dir) / _SHEET).unlink(missing_ok=True)
