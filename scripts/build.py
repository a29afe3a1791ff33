"""The one build: front-end parts, figures, pages, site. `python -m scripts.build --help`.

Each stage writes only what changed and every file in one step, so a build that is killed
leaves the previous site as it was, and the next run goes on from there.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts import files, state
from scripts.files import DOCS, FIGURES, NUMBERS, ROOT, SITE, VENDOR, WORK, BuildError
from scripts.render import workers

README_PICTURE = DOCS / "assets" / "readme.svg"
README_FIGURE = "column_waves"


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
        build_known_encodings()
        build_numbers()
        build_site()
    print(f"done in {time.perf_counter() - began:.1f} s")
    if not figures_alone and "SITE_URL" not in os.environ:
        print("to read it: python3 -m http.server 8000 --directory site")
        print("       then open http://127.0.0.1:8000/")


def check() -> int:
    """Say what is stale; 1 if anything is."""
    notes = state.notes()
    stale = [
        f"figure {name}: {'has changed' if name in notes['figures'] else 'is not rendered'}"
        for name in state.figure_names()
        if not state.is_current(name, notes)
    ]
    picture = FIGURES / f"{README_FIGURE}.svg"
    if picture.is_file() and _bytes(README_PICTURE) != picture.read_bytes():
        stale.append(f"{README_PICTURE.relative_to(ROOT)}: differs from its figure")
    from scripts.browser import known_encodings

    if _bytes(known_encodings.PATH) != known_encodings.module():
        stale.append(f"{known_encodings.PATH.relative_to(ROOT)}: differs from posenc")
    if notes["numbers"] != state.numbers():
        stale.append(f"{NUMBERS.relative_to(ROOT)}: has changed, or what it is made from")
    if notes["site"] != state.site():
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
    from scripts.browser import vendor

    notes = state.notes()
    with _step("assets") as say:
        if vendor.are_installed() and notes["assets"] == state.assets():
            say("up to date")
            return
        made, origin = vendor.collect()
        files.replace_folder(VENDOR, made)
        notes["assets"] = state.assets()
        state.save(notes)
        say(origin)


def build_figures() -> None:
    """Render the figures whose inputs changed, into docs/figures/."""
    notes = state.notes()
    names = state.figure_names()
    stale = [name for name in names if not state.is_current(name, notes)]
    for name, made, seconds in workers.rendered(stale):
        for path, content in made.items():
            files.write(FIGURES / path, content)
        notes["figures"][name] = {
            "inputs": state.figure_inputs(name),
            "outputs": files.digest(FIGURES / path for path in made),
        }
        state.save(notes)
        print(f"figure   {name}: rendered ({seconds:.2f} s)")
    kept = {f"{name}{ending}" for name in names for ending in (".svg", ".json", ".csv", ".py.txt")}
    for extra in FIGURES.glob("*"):
        if extra.name not in kept:
            extra.unlink()
    if not stale:
        print(f"figures  {len(names)} up to date")
    files.write(README_PICTURE, (FIGURES / f"{README_FIGURE}.svg").read_bytes())


def build_known_encodings() -> None:
    """What `posenc.identify` knows, into docs/assets/."""
    from scripts.browser import known_encodings

    files.write(known_encodings.PATH, known_encodings.module())


def build_numbers() -> None:
    """Every number of the pages beside the oracle's, into docs/numbers.csv."""
    notes = state.notes()
    with _step("numbers") as say:
        if notes["numbers"] == state.numbers():
            say("up to date")
            return
        from scripts.numbers import checked

        made = checked.table()
        files.write(NUMBERS, made)
        notes["numbers"] = state.numbers()
        state.save(notes)
        say(f"{len(made.splitlines()) - 1} as the oracle has them")


def build_site() -> None:
    """The pages, through MkDocs, into a folder of their own; then it takes the place of site/."""
    notes = state.notes()
    if SITE.exists() and notes["site"] == state.site():
        print("site     up to date")
        return
    from scripts.pages import site

    with _step("site") as say:
        staging = Path(tempfile.mkdtemp(dir=WORK, prefix="staging-"))
        site.make(staging)
        staging.chmod(0o755)
        files.swap(staging, SITE)
        notes["site"] = state.site()
        state.save(notes)
        say(f"{len(files.below(SITE, '*.html'))} pages in {SITE.relative_to(ROOT)}/")


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


@contextmanager
def _step(name: str) -> Iterator[Callable[[str], None]]:
    """Print `name`, what the step says of itself, and its time."""
    began = time.perf_counter()
    said: list[str] = []
    yield said.append
    print(f"{name:8} {'; '.join(said)} ({time.perf_counter() - began:.2f} s)")


if __name__ == "__main__":
    sys.exit(main())
