"""The file of a worker, or of a script that loads late, holds the modules that it imports."""

from __future__ import annotations

import re

import pytest

from scripts.files import DOCS, BuildError
from scripts.pages.bundles import BUNDLES, bundled
from tests.page_text import SITE


@pytest.fixture
def bundle(tmp_path):
    """A function that bundles a script which imports two.js, with both.js."""

    def made(script, both="export function a() {}\nexport async function b() {}\n"):
        folder = tmp_path / "part"
        folder.mkdir()
        (folder / "one.js").write_text(script)
        two = 'import { a } from "./both.js";\nexport const two = () => a();\n'
        (folder / "two.js").write_text(two)
        (folder / "both.js").write_text(both)
        return bundled(folder / "one.js").splitlines()

    return made


def test_a_module_stands_once_before_those_that_need_it_and_exports_stay(bundle):
    lines = bundle(
        'import { two as second } from "./two.js";\nimport * as both from "./both.js";\n'
        "export const late = second(both);\n"
    )
    begun = [line for line in lines if line.startswith("const $")]
    assert begun == ["const $part_both = (() => {", "const $part_two = (() => {"]
    assert "return { a, b };" in lines
    assert "return { two };" in lines
    ends = ["const { two: second } = $part_two;", "const both = $part_both;"]
    assert lines[-4:] == [*ends, "const late = second(both);", "export { late };"]
    assert "export" not in "".join(lines[:-1])


@pytest.mark.parametrize("left", ['import "./two.js";', "export { a };", "export default a;"])
def test_a_form_that_the_bundle_does_not_know_stops_the_build(bundle, left):
    with pytest.raises(BuildError, match=re.escape(left)):
        bundle('import * as both from "./both.js";\n', f"function a() {{}}\n{left}\n")


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


def test_the_modules_of_the_site_import_each_other_in_no_circle():
    imported = {
        path: {
            (path.parent / name).resolve()
            for name in re.findall(r'^import [^;]*?from "([^"]+)";', path.read_text("utf-8"), re.M)
        }
        for path in (DOCS / "assets").resolve().glob("*/*.js")
        if path.parent.name != "vendor"
    }
    left = dict(imported)
    while free := [path for path, needed in left.items() if not needed & left.keys()]:
        for path in free:
            del left[path]
    assert sorted(path.name for path in left) == []
