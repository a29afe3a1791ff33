"""The files of the copy, and the zip that holds them: the same bytes for the same site."""

from __future__ import annotations

import io
import zipfile
from fnmatch import fnmatch
from pathlib import Path

from scripts import files
from scripts.pages.offline import pages, scripts

ZIP = "dist/posenc-site.zip"  # below the site
_FOLDER = "posenc-site"  # in the zip
# Only a server needs these, or offline.js has them.
_LEFT_OUT = (
    *("404.html", "sitemap.xml*", "robots.txt", "*.map", "search/search_index.json", ZIP),
    *("assets/javascripts/lunr/*", "assets/javascripts/workers/*", "assets/model/weights/*"),
    *("assets/cards/*", "vectors/*", "simple/*", "*.md", "llms.txt"),
)
_GLOSSARY = "notation/index.html"
_REQUESTED = ("figures/*.json", "notebooks/*.json", "assets/model/weights/*", _GLOSSARY)


def add(site: Path, *, site_url: str) -> None:
    """Put the zip of the built site `site` into it, beside the wheel."""
    (site / ZIP).write_bytes(zipped(contents(site, site_url=site_url)))


def contents(site: Path, *, site_url: str) -> dict[str, bytes]:
    """The files of the copy, by their paths."""
    found = {path.relative_to(site).as_posix(): path for path in files.below(site)}
    kept = {name: path for name, path in found.items() if not _is_left_out(name)}
    made = {name: path.read_bytes() for name, path in kept.items()}
    for name, path in kept.items():
        if name.endswith(".html"):
            html = path.read_text("utf-8")
            made[name] = pages.page(html, name, kept, site_url=site_url).encode()
    for name, path in found.items():
        if _matches(name, _REQUESTED):
            made[f"{name}.js"] = scripts.content_js(path.read_bytes())
    index = found["search/search_index.json"].read_text("utf-8")
    made["search/search_index.js"] = pages.search_js(index).encode()
    made["assets/offline.js"] = scripts.offline_js(site).encode()
    readme = (Path(__file__).parent / "README.txt").read_text("utf-8")
    made["README.txt"] = readme.replace("SITE_URL", site_url).encode()
    return made


def zipped(contents: dict[str, bytes]) -> bytes:
    """A zip with the files in one folder, without times and owners."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(f"{_FOLDER}/{name}")  # without a time, of 1980
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # the same on every system
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _is_left_out(name: str) -> bool:
    return _matches(name, _LEFT_OUT) or scripts.is_module(name)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)
