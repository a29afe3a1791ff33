"""What a page loads for its live parts; tests/test_site.py compares the modules of each page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from scripts.browser.preloads import on_page_context, preloads, sheets
from scripts.files import BuildError

MODULES = {
    "rooms/start.js": 'import { one } from "../shared/one.js";\nimport("./later.js");\n',
    "shared/one.js": 'import { first } from "../rooms/start.js"; // a circle',
    **dict.fromkeys(["sliders/near.js", "site/table.js"], "export const start = () => {};"),
    **{f"{part}/style.css": "p {}" for part in ("rooms", "site", "shared", "sliders", "other")},
}


def test_a_page_preloads_what_is_live_at_once_and_loads_the_stylesheets_beside_all(tmp_path):
    for name, code in MODULES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code, "utf-8")
    parts = ("sliders/near", "site/table", "rooms/start")
    html = "".join(f'<p data-live="{part}"></p>' for part in parts)
    html += '<code>&lt;div data-live="rooms/absent"&gt;</code>'
    found = preloads(html, assets=tmp_path)
    assert found == ["site/table.js", "rooms/start.js", "shared/one.js"]
    wanted = [f"{part}/style.css" for part in ("rooms", "shared", "sliders")]
    assert sheets(html, assets=tmp_path) == wanted


def test_a_live_part_without_a_module_stops_the_build_and_names_the_page():
    file = SimpleNamespace(src_uri="waves.md")
    page = SimpleNamespace(content='<p data-live="rooms/absent">', file=file)
    with pytest.raises(BuildError, match=r"waves\.md: no module .*rooms/absent\.js"):
        on_page_context({}, page=page, config=None, nav=None)
