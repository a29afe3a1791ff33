"""MkDocs' event for readers of prose: the line below the title, and links to the glossary.

The navigation shows the minutes of a page of the course as the theme's subtitle.
"""

from __future__ import annotations

from typing import Any

from scripts.pages import contents, glossary, reading


def on_page_content(html: str, page: Any, files: Any, **_: Any) -> str:
    """Add to a page of the course its minutes and its line, and to a page of prose its links."""
    name = page.file.src_uri

    def address(target: str) -> str:
        return str(files.get_file_from_path(target).url_relative_to(page.file))

    if needs := page.meta.get("needs"):
        page.meta["subtitle"] = f"{reading.minutes(html)[0]} min"
        html = reading.with_line(html, name, needs, address)
    known = {listed.name for listed in contents.pages()}
    if glossary.PAGE in known and name in known - glossary.WITHOUT:
        html = glossary.linked(html, address(glossary.PAGE))
    return html
