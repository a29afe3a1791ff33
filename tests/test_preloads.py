"""The modules that a page preloads are those that its live parts import statically."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from scripts.browser.preloads import imported, on_page_context, preloads, sheets
from scripts.files import BuildError

MODULES = {
    "rooms/start.js": """\
/** @typedef {import("./types.js").Row} Row */
import { first } from "./first.js";
import {
  one, two,
} from "../shared/second.js";
export { three } from "./third.js";
import "./fourth.js";

const later = () => import("./later.js");
""",
    "rooms/first.js": 'import { one } from "../shared/second.js";',
    "shared/second.js": 'import { first } from "../rooms/first.js"; // a circle',
    "rooms/third.js": "export const three = 3;",
    "rooms/fourth.js": "const text = 'import x from \"./absent.js\";';",
    **dict.fromkeys(["sliders/near.js", "site/table.js"], "export const start = () => {};"),
    **{f"{part}/style.css": "p {}" for part in ("rooms", "site", "shared", "sliders", "other")},
}
NEEDED = [f"{name}.js" for name in ("rooms/start", "rooms/first", "shared/second", "rooms/third")]
NEEDED += ["rooms/fourth.js"]


@pytest.fixture
def assets(tmp_path):
    for name, code in MODULES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code, "utf-8")
    return tmp_path


def test_static_imports_of_what_is_live_at_once_count_once(assets):
    assert imported(["rooms/start.js"], assets=assets) == NEEDED
    assert imported(["shared/second.js"], assets=assets) == ["shared/second.js", "rooms/first.js"]
    html = """<div class="sliders" data-live="sliders/near"></div>
        <p data-live="rooms/start">text</p><code>&lt;div data-live="rooms/absent"&gt;</code>"""
    assert preloads(html, assets=assets) == NEEDED
    assert preloads("<p>No live part</p>", assets=assets) == []


def test_a_page_loads_the_stylesheets_beside_its_modules(assets):
    parts = ("sliders/near", "site/table", "rooms/start")
    html = "".join(f'<p data-live="{part}"></p>' for part in parts)
    wanted = [f"{part}/style.css" for part in ("rooms", "shared", "sliders")]
    assert sheets(html, assets=assets) == wanted


def test_a_live_part_without_a_module_stops_the_build_and_names_the_page():
    page = SimpleNamespace(
        content='<p data-live="rooms/absent">', file=SimpleNamespace(src_uri="waves.md")
    )
    with pytest.raises(BuildError, match=r"waves\.md: no module .*rooms/absent\.js"):
        on_page_context({}, page=page, config=None, nav=None)
