"""The file of a worker, or of a script that loads late, holds the modules that it imports."""

from __future__ import annotations

import re

import pytest

from scripts.files import DOCS, BuildError
from scripts.pages.bundles import BUNDLES, bundled
from tests.page_text import SITE


@pytest.mark.parametrize("left", ['import "./two.js";', "export { a };", "export default a;"])
def test_a_form_that_the_bundle_does_not_know_stops_the_build(left, tmp_path):
    script = tmp_path / "one.js"
    script.write_text(f"function a() {{}}\n{left}\n")
    with pytest.raises(BuildError, match=re.escape(left)):
        bundled(script)


def test_the_published_workers_and_bundles_import_nothing():
    workers = {*(DOCS / "assets").rglob("worker.js")}
    assert workers
    for script in {*BUNDLES, *workers}:
        code = (SITE / script.relative_to(DOCS)).read_text("utf-8")
        code = re.sub(r"from posenc(\.\w+)? import\b", "", code)  # in an answer to be copied
        assert not re.search(r"\bimport\s*[{*\"]", code)  # import(...) loads a module later
        names = re.findall(r"^export (?:function|const) (\w+)", script.read_text("utf-8"), re.M)
        if script in workers:
            assert not re.search(r"\bimport\b(?!\.meta)|\bexport\b", code)
        else:
            assert code.endswith(f"export{{{','.join(names)}}};")


def test_a_template_in_another_has_no_space_that_the_minifier_drops():
    """The minifier takes a template in another for code, and drops spaces beside punctuation."""
    inner = re.compile(r"\$\{[^}`\n]*`([^`\n]*)`")
    dropped = re.compile(r"[,:;.=()] | [,:;.=()]")
    scripts = [path for path in (DOCS / "assets").glob("*/*.js") if path.parent.name != "vendor"]
    found = [text for path in scripts for text in inner.findall(path.read_text("utf-8"))]
    assert len(found) >= 10
    assert [text for text in found if dropped.search(re.sub(r"\$\{[^}]*\}", "x", text))] == []
