"""The structure of the code: which modules import which, and how deep that goes."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

from scripts import files
from scripts.build import stages
from scripts.files import ROOT

STANDARD = set(sys.stdlib_module_names)
OPTIONAL = {"ml_dtypes", "safetensors", "torch"}  # bfloat16 results, and files of weights


def module(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules():
    """The tree of each module of scripts/, by its name."""
    paths = sorted((ROOT / "scripts").rglob("*.py"))
    return {module(path): ast.parse(path.read_text("utf-8")) for path in paths}


def imports(tree):
    """Every name that a statement of `tree` imports, at the top or in a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "the project imports by full names"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def graph():
    """The modules of scripts/ that each one imports; a package is not its modules' import."""
    edges = {
        name: {
            found
            for found in imports(tree)
            if found in modules() and found != name and not name.startswith(f"{found}.")
        }
        for name, tree in modules().items()
    }
    for group in stages.rounds():  # stages import their makers by name
        edges["scripts.build.stages"] |= {stage.make[0] for stage in group}
    return edges


def longest_chains():
    """The longest chain of imports that starts at each module; an error if there is a circle."""
    chains = {}

    def chain(name, above):
        assert name not in above, f"a circle of imports: {' -> '.join([*above, name])}"
        if name not in chains:
            below = [chain(other, [*above, name]) for other in sorted(graph()[name])]
            chains[name] = [name, *max(below, key=len, default=[])]
        return chains[name]

    for name in graph():
        chain(name, [])
    return chains


def test_imports_within_scripts_have_no_circle_and_no_long_chain():
    longest = max(longest_chains().values(), key=len)
    assert len(longest) <= 9, " -> ".join(longest)


def test_scripts_has_few_entries_at_its_top():
    entries = {path.name for path in (ROOT / "scripts").iterdir()} - {"__init__.py", "__pycache__"}
    assert len(entries) <= 10, sorted(entries)


def test_figures_import_no_pages_and_nothing_that_renders_them():
    for name, chain in graph().items():
        if name.startswith("scripts.figures"):
            rooms = {other.split(".")[1] for other in reached(name)}
            assert rooms <= {"figures", "numbers"}, (name, rooms, chain)


def test_the_language_of_expressions_imports_no_pages():
    for name in ("expressions", "tables", "marks", "quantities"):
        rooms = {other.split(".")[1] for other in reached(f"scripts.numbers.{name}")}
        assert rooms <= {"numbers"}, (name, rooms)


def test_the_package_imports_numpy_and_the_standard_library():
    for path in sorted((ROOT / "posenc").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        found = {name.partition(".")[0] for name in imports(tree)} - STANDARD
        assert found <= {"numpy", "posenc"} | OPTIONAL, (path.name, found)


def test_the_package_requires_numpy_and_nothing_else():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [named(dependency) for dependency in project["dependencies"]] == ["numpy"]


def test_every_library_that_the_project_requires_has_a_pinned_version():
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {named(line) for line in pins if "==" in line and not line.startswith("#")}
    for group in groups.keys() - {"experiments", "divergences"}:  # they have their own
        assert {named(one) for one in groups[group] if isinstance(one, str)} <= pinned, group


def named(requirement):
    """The name of the package in `requirement`, as package indexes compare names."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def test_the_package_reads_optional_formats_only_when_a_file_has_them():
    for path in sorted((ROOT / "posenc").rglob("*.py")):
        top = [n for n in ast.parse(path.read_text("utf-8")).body if not hasattr(n, "body")]
        found = {name.partition(".")[0] for name in imports(ast.Module(top, []))}
        assert OPTIONAL.isdisjoint(found), path.name


def test_only_two_modules_of_the_build_import_tests():
    found = {
        name
        for name, tree in modules().items()
        if any(other.partition(".")[0] == "tests" for other in imports(tree))
    }
    assert found == {"scripts.numbers.oracle_values", "scripts.vectors.exact"}


def reached(name):
    """The modules of scripts/ that `name` imports, directly or through others, and itself."""
    found, left = set(), [name]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += graph()[one]
    return found


def test_every_file_of_scripts_is_imported_somewhere():
    loaded = {"scripts.build.__main__", "scripts.experiments.__main__", "scripts"}
    loaded |= {name for name in modules() if name.startswith("scripts.figures")}  # by name
    settings = Path(ROOT / "mkdocs.yml").read_text("utf-8")
    for name in modules():
        in_settings = name in settings or f"{name.replace('.', '/')}.py" in settings
        package = any(other.startswith(f"{name}.") for other in modules())
        if in_settings or package or name == "scripts.pages.notebook_display":  # in a kernel
            loaded.add(name)
    loaded |= {other for edges in graph().values() for other in edges}
    assert set(modules()) == loaded


def test_stages_read_only_the_checkout_and_what_earlier_rounds_made():
    # Otherwise the first build of a clean clone would leave a stage stale.
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    known = {ROOT / name for name in listed.stdout.splitlines()}
    for group in stages.rounds():
        for stage in group:
            assert {files.relative(path) for path in stage.read() - known} == set(), stage.name
        known |= {path for stage in group for path in stage.written()}
