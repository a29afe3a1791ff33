"""The addresses of the built site, and their files."""

from __future__ import annotations

import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from tests.page_text import SITE

_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


@cache
def addresses() -> list[str]:
    """The addresses in the sitemap."""
    return [loc.text or "" for loc in ElementTree.parse(SITE / "sitemap.xml").iter(_LOC)]


@cache
def site_url() -> str:
    """The address of the start page, which is the shortest in the sitemap."""
    return min(addresses(), key=len)


def address(page: str) -> str:
    """The address of `page`, a path below site/."""
    return urljoin(site_url(), page.removesuffix("index.html"))


def file(url: str) -> Path | None:
    """The file that a web server sends for `url`; None if the site does not have it."""
    path = url.partition("#")[0].partition("?")[0]
    if not path.startswith(site_url()):
        return None
    found = SITE / unquote(path.removeprefix(site_url()))
    found = found / "index.html" if path.endswith("/") else found
    return found if found.is_file() else None


def is_elsewhere(url: str) -> bool:
    """Whether `url` names another host than the site's."""
    return urlsplit(url).netloc != urlsplit(site_url()).netloc


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a server gives the files of `folder`."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
