"""What the code imports, what the project declares, and the examples in the scripts."""

import ast
import doctest
import re
import subprocess
import sys
import tomllib
from importlib import import_module

import pytest

from scripts import files
from scripts.build import stages
from scripts.files import ROOT

STANDARD = set(sys.stdlib_module_names)
OPTIONAL = {"ml_dtypes", "safetensors", "torch"}  # bfloat16 results, and files of weights


def imports(tree):
    """Every name that a statement of `tree` imports, at the top or in a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "the project imports by full names"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def trees(folder):
    """Path and tree of each module below a folder."""
    for path in files.below(ROOT / folder):
        if path.suffix == ".py":
            yield files.relative(path), ast.parse(path.read_text("utf-8"))


def test_the_package_imports_numpy_and_the_standard_library():
    for path, tree in trees("posenc"):
        found = {name.partition(".")[0] for name in imports(tree)} - STANDARD
        assert found <= {"numpy", "posenc"} | OPTIONAL, path
        top = ast.Module([node for node in tree.body if not hasattr(node, "body")], [])
        assert OPTIONAL.isdisjoint(name.partition(".")[0] for name in imports(top)), path


def test_figures_and_expressions_import_no_pages_and_only_two_modules_import_tests():
    for path, tree in trees("scripts"):
        found = {name for name in imports(tree) if name.startswith(("scripts.", "tests"))}
        rooms = {name.split(".")[1] if "." in name else "" for name in found}
        if path.startswith("scripts/figures/"):
            assert rooms <= {"figures", "numbers"}, path
        asks = path in ("scripts/numbers/oracle_values.py", "scripts/vectors/exact.py")
        assert asks or not any(name.startswith("tests") for name in found), path


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


def test_stages_read_only_the_checkout_and_what_earlier_rounds_made():
    # Otherwise the first build of a clean clone would leave a stage stale.
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    known = {ROOT / name for name in listed.stdout.splitlines()}
    for group in stages.rounds():
        for stage in group:
            assert {files.relative(path) for path in stage.read() - known} == set(), stage.name
        known |= {path for stage in group for path in stage.written()}


MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "scripts").rglob("*.py"))
    if "    >>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_of_a_script_are_true(name):
    failed, tried = doctest.testmod(import_module(name))  # pytest runs those of the package
    assert (failed, tried > 0) == (0, True)
