"""Runs notebooks, each in a kernel that shows figures as the site does.

`python -m scripts.pages.notebook_run` runs the notebook whose outputs are committed.
"""

from __future__ import annotations

import copy
import json
import os
import re
from pathlib import Path
from typing import Any

from mkdocs_jupyter import convert

from scripts.files import NOTEBOOKS, ROOT, WORK, BuildError, PageError, located, write

_KERNEL = """
c.IPKernelApp.exec_lines = [
    "from scripts.pages import notebook_display",
    "notebook_display.install(get_ipython())",
    "del notebook_display",
]
c.IPKernelApp.log_level = "ERROR"
"""
_PATIENCE = 600  # seconds for a kernel to start; on a busy machine 60, the default, are too few
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def files(name: str) -> dict[str, bytes]:
    """The page of the notebook `name` as mkdocs-jupyter makes it, with outputs."""
    path = NOTEBOOKS / f"{name}.ipynb"
    prepare_kernels()
    try:
        made: str = convert.nb2html(str(path), execute=not _has_outputs(path), allow_errors=False)
    except Exception as error:
        found = trouble(error)
        if found is None:
            raise
        raise BuildError(f"{located(path, found.text)}: {found}") from error
    return {f"{name}.html": made.encode()}


def prepare_kernels() -> None:
    """Let every kernel that this process starts show figures as the site does."""
    home = WORK / "ipython"
    write(home / "profile_default" / "ipython_kernel_config.py", _KERNEL.encode())
    settings = {"NotebookClient": {"startup_timeout": _PATIENCE}}
    write(home / "jupyter_nbconvert_config.json", json.dumps(settings).encode())
    os.environ["JUPYTER_CONFIG_DIR"] = str(home)  # without the author's own settings
    os.environ["IPYTHONDIR"] = str(home)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # or the kernel warns of frozen modules


def trouble(error: BaseException) -> PageError | None:
    """One line about the mistake in a notebook; None if `error` has another cause."""
    import nbclient.exceptions as known
    from jupyter_client.kernelspec import NoSuchKernel

    if isinstance(error, known.CellExecutionError):
        code = re.search(r"^-+>\s+\d+ (.+)$", _ANSI.sub("", error.traceback), re.MULTILINE)
        return PageError(f"{error.ename}: {error.evalue}", code.group(1) if code else "")
    if isinstance(error, (known.CellTimeoutError, known.DeadKernelError)):
        return PageError(f"{type(error).__name__}: {error}", "")
    if isinstance(error, RuntimeError) and str(error).startswith("Kernel "):
        return PageError(f"the notebook did not start: {error}", "")
    if isinstance(error, NoSuchKernel):
        return PageError(f"no Jupyter kernel named {error.name!r} is installed", "")
    return None


def executed(path: Path) -> str:
    """The notebook at `path`, as text, with the outputs of a new run."""
    import nbformat
    from nbclient import NotebookClient

    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    metadata = copy.deepcopy(notebook.metadata)
    NotebookClient(
        notebook,
        resources={"metadata": {"path": str(path.parent)}},
        timeout=300,
        startup_timeout=_PATIENCE,
        record_timing=False,
        coalesce_streams=True,
    ).execute()
    notebook.metadata = metadata  # without the version of this Python
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
    made: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    return made


def main() -> None:
    """Run the notebook whose outputs are committed, and write them into it. Needs PyTorch."""
    path = NOTEBOOKS / "pytorch.ipynb"
    write(path, f"{executed(path)}\n".encode())


def _has_outputs(path: Path) -> bool:
    """Whether the outputs of the notebook are committed, so that nothing has to run."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return not any(c["cell_type"] == "code" for c in cells) or any(c.get("outputs") for c in cells)


if __name__ == "__main__":
    main()
