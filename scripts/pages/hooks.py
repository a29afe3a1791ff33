"""MkDocs' events: notebooks like other pages, lighter pages, no stylesheet of mkdocstrings."""

from __future__ import annotations

import json
import os
import posixpath
import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache
from markdown import Markdown
from mkdocs.structure.toc import get_toc
from mkdocs.utils import write_file

from scripts.files import TEMPLATES, PageError
from scripts.pages import asks, notebook_run, notebooks, policy
from scripts.pages.citation import citation
from scripts.pages.theme import copy_buttons, labels, lighter

_SHEET = "assets/_mkdocstrings.css"
_GENERATOR = re.compile(r'<meta name="generator"[^>]*>\s*')
_LINK = re.compile(r'(?<=href=")[^":#]+\.(?:md|ipynb)(?=["#])')


def on_startup(command: str, **_: Any) -> None:
    """Leave out the policy while MkDocs serves: it would stop the script that MkDocs adds."""
    if command == "serve":
        os.environ["LIVE_RELOAD"] = "1"


def on_config(config: Any) -> Any:
    """Prepare the notebooks' kernels; keep mkdocstrings' stylesheet from the pages."""
    notebook_run.prepare_kernels()
    if _SHEET in config.extra_css:
        config.extra_css.remove(_SHEET)
    return config


def on_env(env: Environment, **_: Any) -> Environment:
    """Keep the compiled templates of the theme for the next build."""
    TEMPLATES.mkdir(parents=True, exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(TEMPLATES))
    return env


def on_pre_page(page: Any, config: Any, **_: Any) -> Any:
    """Take a notebook that the build has run; without the build, mkdocs-jupyter runs it."""
    folder = config.extra.get("notebooks")
    if folder and page.file.src_uri.endswith(".ipynb"):
        made = Path(folder) / f"{Path(page.file.src_uri).stem}.html"

        def render(*_: Any) -> None:
            page.content, page.toc = made.read_text("utf-8"), get_toc([])

        page.render = render
    return page


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """The notebook as a page of the site; the files of its figures go into its folder."""
    if not page.file.src_uri.endswith(".ipynb"):
        return html
    source = Path(page.file.abs_src_path)
    notebook = json.loads(source.read_text("utf-8"))
    md = Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs)
    made = notebooks.page(html, notebook, source.name, lambda text: md.reset().convert(text))
    page.toc = get_toc(md.toc_tokens)  # type: ignore[attr-defined]
    page.meta["description"] = notebook["metadata"]["description"]
    page.meta["words"] = notebook["metadata"].get("words", {})
    for name, content in made.files.items():
        write_file(content, str(Path(page.file.abs_dest_path).with_name(name)))

    def url(found: re.Match[str]) -> str:
        link = found[0]
        if link == source.name:
            return link  # the download
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link))
        file = files.get_file_from_path(target)
        if file is None:
            raise PageError(f"the link {link} leads nowhere", link, 1)
        return str(file.url_relative_to(page.file))

    return _LINK.sub(url, made.html)


def on_page_context(context: dict[str, Any], page: Any, **_: Any) -> dict[str, Any]:
    """Hand the page's citation to scripts/pages/theme/templates/main.html."""
    context["citation"] = citation(page.title, page.url)
    return context


def on_post_page(output: str, **_: Any) -> str:
    """The page with fewer bytes, with its policy, and with labels for screen readers.

    It does not name its generator: MkDocs and ProperDocs make the same bytes.
    """
    output = asks.with_forms(labels.with_labels(output))
    output = copy_buttons.with_copy_buttons(lighter.lighter(_GENERATOR.sub("", output)))
    return output if "LIVE_RELOAD" in os.environ else policy.with_policy(output)


def on_post_template(output: str, template_name: str, **_: Any) -> str:
    """Finish 404.html, which a server shows for a missing page, as `on_post_page` finishes a page.

    The sitemap loses its dates: MkDocs writes the day of the build, not of a page's last change.
    """
    if template_name == "sitemap.xml":
        return re.sub(r"\s*<lastmod>.*?</lastmod>", "", output)
    return on_post_page(output) if template_name.endswith(".html") else output


def on_post_build(config: Any) -> None:
    """Remove mkdocstrings' stylesheet, which no page loads."""
    (Path(config.site_dir) / _SHEET).unlink(missing_ok=True)
