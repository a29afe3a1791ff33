"""Where the pages of the built site are: addresses to files, and files to addresses."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from tests.page_text import SITE

_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


@cache
def addresses() -> list[str]:
    """What the sitemap lists."""
    return [loc.text or "" for loc in ElementTree.parse(SITE / "sitemap.xml").iter(_LOC)]


@cache
def site_url() -> str:
    """Where the site says that it is: the shortest address of its sitemap, the start page."""
    return min(addresses(), key=len)


def address(page: str) -> str:
    """The address of `page`, a path below site/."""
    return urljoin(site_url(), page.removesuffix("index.html"))


def file(url: str) -> Path | None:
    """The file that a web server sends for `url`; None if it is not of the site or not there."""
    path = url.partition("#")[0].partition("?")[0]
    if not path.startswith(site_url()):
        return None
    found = SITE / unquote(path.removeprefix(site_url()))
    found = found / "index.html" if path.endswith("/") else found
    return found if found.is_file() else None


def is_elsewhere(url: str) -> bool:
    """Whether `url` names another host than the site's."""
    return urlsplit(url).netloc != urlsplit(site_url()).netloc
