"""Notebooks as pages: what mkdocs-jupyter makes of one, in the site's own dress.

mkdocs-jupyter runs the notebook and highlights its code. Here its page is taken apart:
JupyterLab's styles and scripts go, prose passes through the site's own Markdown, so that
formulas, numbers and anchors are those of every other page, and figures come out as files.
"""

from __future__ import annotations

import base64
import copy
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from scripts import files
from scripts.pages import extension
from scripts.pages.extension import PageError, bundle_file

_KERNEL = """
c.IPKernelApp.exec_lines = [
    "from scripts.pages import notebook_display",
    "notebook_display.install(get_ipython())",
    "del notebook_display",
]
c.IPKernelApp.log_level = "ERROR"
"""
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_PRINTED = ("application/vnd.jupyter.stdout", "text/plain")
_OUTPUT = '<div class="nb-output" tabindex="0" role="group" aria-label="Output"><pre>{}</pre></div>'
_DOWNLOAD = (
    '<p class="nb-download"><a href="{name}" download>Download this notebook</a> and run it '
    "yourself; it needs {needs}, and Jupyter.</p>"
)


@dataclass
class Page:
    """A notebook's page: its HTML, and the files that its figures link to."""

    html: str = ""
    files: dict[str, bytes] = field(default_factory=dict)


def prepare_kernels() -> None:
    """Let every kernel that this process starts show figures as the site does."""
    home = files.WORK / "ipython"
    files.write(home / "profile_default" / "ipython_kernel_config.py", _KERNEL.encode())
    os.environ["IPYTHONDIR"] = str(home)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(files.ROOT), os.environ.get("PYTHONPATH", "")])
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # or the kernel warns of frozen modules


def cache(inputs: str) -> Path:
    """A folder for mkdocs-jupyter's cache that is empty whenever `inputs` are others."""
    folder = files.WORK / "notebooks" / inputs
    for old in folder.parent.glob("*"):
        if old != folder:
            shutil.rmtree(old)
    return folder


def trouble(error: BaseException) -> PageError | None:
    """One line for what went wrong in a notebook; None if `error` is about something else."""
    import nbclient.exceptions as known
    from jupyter_client.kernelspec import NoSuchKernel

    if isinstance(error, known.CellExecutionError):
        code = re.search(r"^-+>\s+\d+ (.+)$", _ANSI.sub("", error.traceback), re.MULTILINE)
        return PageError(f"{error.ename}: {error.evalue}", code.group(1) if code else "", 1)
    if isinstance(error, (known.CellTimeoutError, known.DeadKernelError)):
        return PageError(f"{type(error).__name__}: {error}", "", 1)
    if isinstance(error, NoSuchKernel):
        return PageError(f"no Jupyter kernel named {error.name!r} is installed", "", 1)
    return None


def executed(path: Path) -> dict[str, Any]:
    """The notebook at `path` with the outputs that it has here and now."""
    import nbformat
    from nbclient import NotebookClient

    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    metadata = copy.deepcopy(notebook.metadata)
    NotebookClient(
        notebook,
        resources={"metadata": {"path": str(path.parent)}},
        timeout=300,
        record_timing=False,
        coalesce_streams=True,
    ).execute()
    notebook.metadata = metadata  # not the version of this Python
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
    made: dict[str, Any] = json.loads(nbformat.writes(notebook))  # type: ignore[no-untyped-call]
    return made


def main() -> None:
    """Run the notebook whose outputs are committed, and write them into it. Needs PyTorch."""
    path = files.ROOT / "docs" / "notebooks" / "pytorch.ipynb"
    text = json.dumps(executed(path), indent=1, ensure_ascii=False, sort_keys=True)
    files.write(path, f"{text}\n".encode())


def page(html: str, notebook: dict[str, Any], name: str, markdown: Callable[[str], str]) -> Page:
    """The page of the file `name` (numpy.ipynb) from mkdocs-jupyter's `html`.

    `markdown` makes HTML of the prose, and of the captions before it.
    """
    made = Page()
    soup = BeautifulSoup(html, "html.parser")
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
        made.html = made.html.replace(place, content, 1)
    needs = notebook["metadata"].get("needs")
    if not needs:
        raise _error(notebook["cells"][0], "metadata.needs must say which packages it needs")
    link = _DOWNLOAD.format(name=name, needs=needs)
    made.html = made.html.replace("</h1>", f"</h1>\n{link}", 1)
    return made


def _code_cell(
    element: Any, cell: dict[str, Any], made: Page, markdown: Callable[[str], str]
) -> str:
    source = element.select_one(".highlight-ipynb pre").decode_contents().rstrip()
    parts = [f'<div class="highlight"><pre><code>{source}</code></pre></div>']
    printed = ""
    for output in [*element.select(".jp-OutputArea-output"), None]:
        kind = output.get("data-mime-type", "a picture") if output else ""
        if kind in _PRINTED:
            printed += output.select_one("pre").get_text()
            continue
        if printed:
            parts.append(_OUTPUT.format(escape(printed.rstrip(), quote=False)))
            printed = ""
        if kind == "text/html" and output.select_one("figure.pf"):
            parts.append(_figure(output.select_one("figure.pf"), cell, made, markdown))
        elif output:
            raise _error(cell, f"a page can show text and figures, the cell gives {kind}")
    return f'<div class="nb-cell">{"".join(parts)}</div>'


def _figure(element: Any, cell: dict[str, Any], made: Page, markdown: Callable[[str], str]) -> str:
    words = cell["metadata"].get("figure", {})
    if sorted(words) != ["alt", "caption", "title"]:
        raise _error(cell, "metadata.figure must have alt, caption and title, got", sorted(words))
    number = sum(name.endswith(".svg") for name in made.files) + 1
    name = f"figure-{number}"
    image, script = element.find("img"), element.find("script")
    svg = base64.b64decode(image["src"].partition(",")[2]).decode()
    for tag, text in (("title", words["title"]), ("desc", extension.plain(words["alt"]))):
        svg = svg.replace(f">A figure.</{tag}>", f">{escape(text, quote=False)}</{tag}>", 1)
    made.files[f"{name}.svg"] = svg.encode()
    links, bundle, button = {"SVG": f"{name}.svg"}, "", ""
    if script is not None:
        made.files[f"{name}.json"] = script.string.encode()
        links = {"Data (JSON)": f"{name}.json", **links}
        bundle = f' data-bundle="{bundle_file(element["data-bundle"])}"'
        button = '<button type="button" hidden>Make interactive</button>'
    anchors = "".join(
        f'<a href="{href}" aria-label="{text} of the figure {escape(words["title"])}">{text}</a>'
        for text, href in {**links, "Permalink": f"#{name}"}.items()
    )
    caption = markdown(words["caption"]).removeprefix("<p>").removesuffix("</p>")
    return (
        f'<figure class="pf" id="{name}"{bundle}>'
        f'<div class="pf-stage" style="{extension.stage_style(svg)}">'
        f"{extension.inline_svg(svg).strip()}</div>"
        f"<figcaption>{caption}</figcaption>"
        f'<div class="pf-links">{button}{anchors}</div></figure>'
    )


def _error(cell: dict[str, Any], *message: object) -> PageError:
    first = "".join(cell["source"]).splitlines()[0]
    return PageError(" ".join(map(str, message)), first, 1)


if __name__ == "__main__":
    main()
