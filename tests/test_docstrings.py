"""The examples in the docstrings of the scripts. pytest itself runs those of the package."""

import doctest
from importlib import import_module

import pytest

from scripts.files import ROOT

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "scripts").rglob("*.py"))
    if "    >>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_of_a_script_are_true(name):
    failed, tried = doctest.testmod(import_module(name))
    assert (failed, tried > 0) == (0, True)
