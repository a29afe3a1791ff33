"""A page and the search index of the site, with links that lead to files instead of folders."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection
from urllib.parse import urljoin

_TAG = re.compile(r"""<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>""")
_LINK = re.compile(r"""([\s:](?:href|src)=["'])([^"':#?]+)(?=["'#?])""")  # not of another host
_PRELOAD = re.compile(r'<link rel="(?:module)?preload"[^>]*>\s*')
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')  # a folder has no origin
_MODULE = re.compile(r'<script(?=[^>]* type="module")[^>]* src="[^"]*?assets/([^"]+)"[^>]*>')


def page(html: str, name: str, kept: Collection[str], *, site_url: str) -> str:
    """The page at the path `name`; `kept` has the paths of all files of the copy.

    A link to a file that the copy leaves out leads to the site at `site_url`.
    """
    folder = posixpath.dirname(name)

    def address(link: re.Match[str]) -> str:
        attribute, path = link.groups()
        target = posixpath.normpath(posixpath.join(folder, path))
        if target not in kept:
            path = path.rstrip("/") + "/index.html"
            if posixpath.normpath(posixpath.join(folder, path)) not in kept:
                path = urljoin(site_url, target)
        return attribute + path

    html = _POLICY.sub("", html)
    html = _PRELOAD.sub("", html)  # from a folder, browsers refuse them
    html = _MODULE.sub(r'<script data-module="\1">', html)
    html = _TAG.sub(lambda tag: _LINK.sub(address, tag[0]), html)
    script = posixpath.relpath("assets/offline.js", folder)
    return html.replace("</head>", f'<script src="{script}"></script> </head>')


def search_js(index: str) -> str:
    """The search index as the script that the theme loads from a folder."""
    found = json.loads(index)
    for entry in found["docs"]:
        folder, mark, section = entry["location"].partition("#")
        entry["location"] = f"{folder}index.html{mark}{section}"
    return f"var __index = {json.dumps(found, separators=(',', ':'))};\n"
