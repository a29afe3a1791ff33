"""The site's scripts for a folder without a server: assets/offline.js, and files as scripts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import rjsmin

from scripts.files import DOCS
from scripts.pages.bundles import bundled, function_body

_HERE = Path(__file__).parent
_ASSETS = DOCS / "assets"
_OWN = re.compile(r"assets/(?!vendor/|javascripts/)[^/]+/[^/]+\.js")
_SEARCH = "site/search.js"  # a plain script, which loads the theme's worker


def is_module(name: str) -> bool:
    """Whether assets/offline.js holds the file at the path `name` of the site."""
    return bool(_OWN.fullmatch(name))


def offline_js(site: Path) -> str:
    """The script that runs the modules and the workers of the built site `site`."""
    found = (path.relative_to(DOCS).as_posix() for path in _ASSETS.glob("*/*.js"))
    names = sorted(name.removeprefix("assets/") for name in found if is_module(name))
    workers = {name: _worker(name) for name in names if name.endswith("/worker.js")}
    modules = [n for n in names if n not in workers and n != _SEARCH]
    functions = ",\n".join(f"{json.dumps(name)}: {_module(name)}" for name in modules)
    workers[_SEARCH] = _search(site)
    runtime = rjsmin.jsmin((_HERE / "runtime.js").read_text("utf-8"))
    return f"{runtime}\noffline({{\n{functions}\n}}, {json.dumps(workers, indent=0)});\n"


def content_js(content: bytes) -> bytes:
    """A script that holds the bytes of a file, one in each character."""
    text = json.dumps(content.decode("latin-1"), ensure_ascii=False)
    return f"var offlineFile = {text};\n".encode()


def _module(name: str) -> str:
    def held(path: Path) -> str:
        return f"exported({json.dumps(path.relative_to(_ASSETS).as_posix())})"

    body = rjsmin.jsmin(function_body(_ASSETS / name, held))
    # Comments, which contain imports of types, are gone.
    body = body.replace("import.meta.url", "meta.url").replace("import(", "meta.import(")
    return f"(exported, meta) => {{\n{body}\n}}"


def _worker(name: str) -> str:
    address = json.dumps(f"file:///assets/{name}")
    code = rjsmin.jsmin(bundled(_ASSETS / name)).replace("import.meta.url", address)
    return f"{rjsmin.jsmin((_HERE / 'worker.js').read_text('utf-8'))}\n{code}"


def _search(site: Path) -> str:
    """The search's worker, with the theme's worker in a function instead of a file to load."""
    (theme,) = site.glob("assets/javascripts/workers/search.*.min.js")
    own = rjsmin.jsmin((_ASSETS / _SEARCH).read_text("utf-8"))
    return f"self.importScripts = () => {{\n{theme.read_text('utf-8')}\n}};\n{own}"
