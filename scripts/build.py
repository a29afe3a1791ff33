"""The one build: front-end parts, figures, pages, site. `python -m scripts.build --help`.

Each stage writes only what changed and every file in one step, so a build that is killed
leaves the previous site as it was, and the next run goes on from there.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scripts import files
from scripts.files import ROOT, WORK

DOCS, SITE = ROOT / "docs", ROOT / "site"
FIGURES, VENDOR = DOCS / "figures", DOCS / "assets" / "vendor"
README_PICTURE = DOCS / "assets" / "readme.svg"
_README_FIGURE = "column_waves"
_NOTES = WORK / "notes.json"
_NO_NOTES: dict[str, Any] = {"assets": None, "figures": {}, "site": None}
_LIBRARIES = (
    "numpy",
    "matplotlib",
    "plotly",
    "mkdocs",
    "mkdocs-material",
    "math-core",
    "mkdocs-jupyter",
)


class BuildError(Exception):
    """What stops the build, in one line."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.build", description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=("all", "figures", "serve"))
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if anything generated is stale"
    )
    parser.add_argument("--port", type=int, default=8000, help="for serve")
    options = parser.parse_args(arguments)
    os.chdir(ROOT)
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    try:
        if options.check:
            return check()
        if options.what == "serve":
            return serve(options.port)
        build(figures_alone=options.what == "figures")
    except BuildError as error:
        print("error:", *str(error).split(), file=sys.stderr)  # one line, whatever it says
        return 1
    return 0


def build(*, figures_alone: bool = False) -> None:
    """Bring everything generated up to date."""
    began = time.perf_counter()
    files.restore(SITE)
    files.clear_leftovers()
    if not figures_alone:
        build_assets()
    build_figures()
    if not figures_alone:
        build_site()
    print(f"done in {time.perf_counter() - began:.1f} s")
    if not figures_alone and "SITE_URL" not in os.environ:
        print("to read it: python3 -m http.server 8000 --directory site")
        print("       then open http://127.0.0.1:8000/")


def check() -> int:
    """Say what is stale; 1 if anything is."""
    notes = _notes()
    stale = [
        f"figure {name}: {'has changed' if name in notes['figures'] else 'is not rendered'}"
        for name in _figure_names()
        if not _is_current(name, notes)
    ]
    picture = FIGURES / f"{_README_FIGURE}.svg"
    if picture.is_file() and _bytes(README_PICTURE) != picture.read_bytes():
        stale.append(f"{README_PICTURE.relative_to(ROOT)}: differs from its figure")
    if notes["site"] != _site_state():
        stale.append("site: " + ("its sources have changed" if SITE.exists() else "is not built"))
    for line in stale:
        print(f"stale: {line}; run `make site`", file=sys.stderr)
    if not stale:
        print("everything generated is up to date")
    return 1 if stale else 0


def serve(port: int) -> int:
    """Serve the site, and rebuild it when a page, a figure or the package changes."""
    import mkdocs.livereload

    environment = {**os.environ, "SITE_URL": f"http://127.0.0.1:{port}/"}

    def rebuild() -> None:
        # A process of its own, so that changed modules are read anew.
        command = [sys.executable, "-m", "scripts.build"]
        subprocess.run(command, cwd=ROOT, env=environment, check=False)

    rebuild()
    server: Any = mkdocs.livereload.LiveReloadServer(
        builder=rebuild, host="127.0.0.1", port=port, root=str(SITE), mount_path="/"
    )
    for name in ("docs", "posenc", "scripts", "mkdocs.yml"):
        server.watch(str(ROOT / name))
    print(f"serving on http://127.0.0.1:{port}/ (Ctrl+C to stop)")
    try:
        server.serve()
    except KeyboardInterrupt:
        server.shutdown()
    return 0


def build_assets() -> None:
    """Plotly's bundles and the maths font, into docs/assets/vendor/."""
    from scripts import assets

    notes = _notes()
    with _step("assets") as say:
        if assets.are_installed() and notes["assets"] == _assets_state():
            say("up to date")
            return
        made, origin = assets.collect()
        _replace_folder(VENDOR, made)
        notes["assets"] = _assets_state()
        _save(notes)
        say(origin)


def build_figures() -> None:
    """Render the figures whose inputs changed, into docs/figures/."""
    notes = _notes()
    names = _figure_names()
    stale = [name for name in names if not _is_current(name, notes)]
    for name, made, seconds in _rendered(stale):
        for path, content in made.items():
            files.write(FIGURES / path, content)
        notes["figures"][name] = {
            "inputs": _figure_inputs(name),
            "outputs": files.digest(FIGURES / path for path in made),
        }
        _save(notes)
        print(f"figure   {name}: rendered ({seconds:.2f} s)")
    kept = {f"{name}{ending}" for name in names for ending in (".svg", ".json", ".csv", ".py.txt")}
    for extra in FIGURES.glob("*"):
        if extra.name not in kept:
            extra.unlink()
    if not stale:
        print(f"figures  {len(names)} up to date")
    files.write(README_PICTURE, (FIGURES / f"{_README_FIGURE}.svg").read_bytes())


def build_site() -> None:
    """The pages, through MkDocs, into a folder of their own; then it takes the place of site/."""
    notes = _notes()
    if SITE.exists() and notes["site"] == _site_state():
        print("site     up to date")
        return
    with _step("site") as say:
        staging = Path(tempfile.mkdtemp(dir=WORK, prefix="staging-"))
        _run_mkdocs(staging)
        staging.chmod(0o755)
        files.swap(staging, SITE)
        notes["site"] = _site_state()
        _save(notes)
        say(f"{len(files.below(SITE, '*.html'))} pages in {SITE.relative_to(ROOT)}/")


def _run_mkdocs(target: Path) -> None:
    import logging

    import rjsmin
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, MkDocsException

    from scripts import notebooks
    from scripts.assets import MATH_FONT
    from scripts.pages import PageError

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    said: list[str] = []
    listener = Listener(logging.WARNING)
    log = logging.getLogger("mkdocs")
    log.propagate = False
    log.addHandler(listener)
    os.environ.setdefault("SOURCE_DATE_EPOCH", _commit_time())
    try:
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(target), strict=True)
        config.extra["math_font"] = MATH_FONT.is_file()
        cache = str(notebooks.cache(_notebook_inputs()))
        config.plugins["mkdocs-jupyter"].config.update(cache=True, cache_dir=cache)
        mkdocs_build(config)
        for path in (target / "assets").glob("*.js"):
            files.write(path, rjsmin.jsmin(path.read_text("utf-8")).encode())
    except PageError as error:
        raise BuildError(f"{_located(_page_at_fault(said), error.text)}: {error}") from error
    except (Abort, MkDocsException) as error:
        raise BuildError(_explained(said[0] if said else str(error))) from error
    except Exception as error:
        trouble = notebooks.trouble(error)
        if trouble is None:
            raise
        raise BuildError(f"{_located(_page_at_fault(said), trouble.text)}: {trouble}") from error
    finally:
        log.removeHandler(listener)


def _page_at_fault(said: list[str]) -> Path | None:
    page = re.search(r"Error reading page '([^']+)'", "\n".join(said))
    return DOCS / page.group(1) if page else None


def _explained(message: str) -> str:
    """A warning of MkDocs, with the line of the page or of the settings that it speaks of."""
    message = " ".join(message.split())
    settings = ROOT / "mkdocs.yml"
    if match := re.match(r"Doc file '([^']+)' contains .*?link '([^']+)'", message):
        return f"{_located(DOCS / match[1], match[2])}: {message}"
    if match := re.search(r"mkdocs\.yml\", line (\d+)", message):
        return f"mkdocs.yml:{match[1]}: {message}"
    if match := re.match(r"A reference to '([^']+)' is included in the 'nav'", message):
        return f"{_located(settings, match[1])}: {message}"
    if match := re.search(r"not included in the \"(nav)\"|Config value '(\w+)'", message):
        return f"{_located(settings, f'{match[1] or match[2]}:')}: {message}"
    return message


def _located(page: Path | None, text: str) -> str:
    if page is None:
        return text
    lines = page.read_text("utf-8").splitlines()
    number = next((n for n, line in enumerate(lines, 1) if text in line), 1)
    return f"{page.relative_to(ROOT)}:{number}"


def _rendered(names: list[str]) -> Iterator[tuple[str, dict[str, bytes], float]]:
    """Each figure's files, and the seconds that they took, in the order of `names`."""
    if not names:
        return
    workers = min(len(names), os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, initializer=_die_with_the_parent) as pool:
        for name, job in [(name, pool.submit(_render, name)) for name in names]:
            try:
                made, seconds = job.result()
            except Exception as error:
                pool.shutdown(cancel_futures=True)
                raise BuildError(f"scripts/figures/{name}.py: {error}") from error
            yield name, made, seconds


def _die_with_the_parent() -> None:
    """Let a worker end when the build is killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _render(name: str) -> tuple[dict[str, bytes], float]:
    from scripts import render

    began = time.perf_counter()
    return render.files(name), time.perf_counter() - began


def _figure_names() -> list[str]:
    folder = ROOT / "scripts" / "figures"
    return sorted(path.stem for path in folder.glob("[!_]*.py"))


def _figure_inputs(name: str) -> str:
    scripts = ROOT / "scripts"
    paths = [
        scripts / "figures" / f"{name}.py",
        *(scripts / "figures").glob("_*.py"),
        *(scripts / part for part in ("render.py", "expressions.py", "pages.py")),
        *(scripts / "quantities").glob("*.py"),
        DOCS / "assets" / "site.css",  # the palette
        *files.below(ROOT / "posenc", "*.py"),
    ]
    return files.digest(paths, *(version(library) for library in _LIBRARIES[:3]))


def _notebook_inputs() -> str:
    """What the outputs of the notebooks depend on, the notebooks apart."""
    scripts = ROOT / "scripts"
    paths = [
        *(scripts / part for part in ("notebook_display.py", "notebooks.py", "render.py")),
        scripts / "figures" / "_style.py",
        DOCS / "assets" / "site.css",
        *files.below(ROOT / "posenc", "*.py"),
    ]
    return files.digest(paths, *(version(library) for library in _LIBRARIES))


def _is_current(name: str, notes: dict[str, Any]) -> bool:
    note = notes["figures"].get(name)
    outputs = [FIGURES / f"{name}{ending}" for ending in (".svg", ".json", ".csv", ".py.txt")]
    return (
        note is not None
        and all(path.is_file() for path in outputs)
        and note == {"inputs": _figure_inputs(name), "outputs": files.digest(outputs)}
    )


def _assets_state() -> list[str]:
    """Hashes of what the front-end parts are made from, and of the parts."""
    sources = [ROOT / "package-lock.json", ROOT / "scripts" / "assets.py"]
    return [files.digest(sources, version("fonttools")), files.digest(files.below(VENDOR))]


def _site_state() -> list[str]:
    """Hashes of what the site is made from, and of the site."""
    sources = [
        *files.below(DOCS),
        *files.below(ROOT / "posenc", "*.py"),
        *files.below(ROOT / "scripts"),
        ROOT / "mkdocs.yml",
    ]
    libraries = (version(library) for library in _LIBRARIES)
    return [
        files.digest(sources, os.environ.get("SITE_URL", ""), *libraries),
        files.digest(files.below(SITE)) if SITE.exists() else "",
    ]


def _replace_folder(folder: Path, content: dict[str, bytes]) -> None:
    for name, data in content.items():
        files.write(folder / name, data)
    for extra in folder.glob("*"):
        if extra.name not in content:
            extra.unlink()


def _notes() -> dict[str, Any]:
    try:
        notes: dict[str, Any] = json.loads(_NOTES.read_text("utf-8"))
        return {**_NO_NOTES, **notes, "figures": dict(notes["figures"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {**_NO_NOTES, "figures": {}}


def _save(notes: dict[str, Any]) -> None:
    files.write(_NOTES, json.dumps(notes, indent=1, sort_keys=True).encode())


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _commit_time() -> str:
    """When the last commit was made: two builds of one commit give the same bytes."""
    command = ["git", "log", "-1", "--format=%ct"]
    try:
        made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "0"
    return made.stdout.strip() or "0"


@contextmanager
def _step(name: str) -> Iterator[Callable[[str], None]]:
    """Print `name`, what the step says of itself, and its time."""
    began = time.perf_counter()
    said: list[str] = []
    yield said.append
    print(f"{name:8} {'; '.join(said)} ({time.perf_counter() - began:.2f} s)")


if __name__ == "__main__":
    sys.exit(main())
