"""MkDocs' events: notebooks in the site's own look, no stylesheet of mkdocstrings."""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

from markdown import Markdown
from mkdocs.structure.toc import get_toc

from scripts.pages import notebooks
from scripts.pages.extension import PageError

_SHEET = "assets/_mkdocstrings.css"
_LINK = re.compile(r'(?<=href=")([^":#]+\.(?:md|ipynb))(?=["#])')


def on_config(config: Any) -> Any:
    """Prepare the notebooks' kernels; keep mkdocstrings' stylesheet from the pages."""
    notebooks.prepare_kernels()
    if _SHEET in config.extra_css:
        config.extra_css.remove(_SHEET)
    return config


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """The notebook's page as the site shows it; its figures' files go beside it."""
    if not page.file.src_uri.endswith(".ipynb"):
        return html
    source = Path(page.file.abs_src_path)
    notebook = json.loads(source.read_text("utf-8"))
    md = Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs)
    made = notebooks.page(html, notebook, source.name, lambda text: md.reset().convert(text))
    page.toc = get_toc(md.toc_tokens)  # type: ignore[attr-defined]
    page.meta["description"] = notebook["metadata"]["description"]
    for name, content in made.files.items():
        _write(Path(page.file.abs_dest_path).with_name(name), content)

    def url(match: re.Match[str]) -> str:
        if match.group(1) == source.name:
            return match.group(1)  # the download
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), match[1]))
        found = files.get_file_from_path(target)
        if found is None:
            raise PageError(f"the link {match.group(1)} leads nowhere", match.group(1), 1)
        return str(found.url_relative_to(page.file))

    return _LINK.sub(url, made.html)


def on_post_build(config: Any) -> None:
    """Remove mkdocstrings' stylesheet, which no page loads."""
    (Path(config.site_dir) / _SHEET).unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
