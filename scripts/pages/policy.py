"""The Content-Security-Policy of each page: the site itself is the only source of what it loads.

A page's own scripts between its tags are named by their hashes, so that a script that anyone
slips into a page does not run. Styles may stand in the page, because the figures have some.
"""

from __future__ import annotations

import base64
import hashlib
import re

_START = '<meta charset="utf-8">'
_SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)
_DATA = re.compile(r'\bsrc=|\btype="application/(?:ld\+)?json"')  # no code in place
_SOURCES = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",  # for saving pictures of Plotly
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
}


def with_policy(html: str) -> str:
    """The page `html` with its policy in the first place where a browser reads one."""
    scripts = (code for attributes, code in _SCRIPT.findall(html) if not _DATA.search(attributes))
    hashes = dict.fromkeys(f" '{_hash(code)}'" for code in scripts)
    sources = {**_SOURCES, "script-src": _SOURCES["script-src"] + "".join(hashes)}
    policy = ";".join(f"{kind} {allowed}" for kind, allowed in sources.items())
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return html.replace(_START, _START + meta, 1)


def _hash(code: str) -> str:
    digest = hashlib.sha256(code.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
