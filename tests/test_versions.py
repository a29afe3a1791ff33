"""The pages name the versions of libraries at which somebody read or ran what they say."""

from __future__ import annotations

import re
import tomllib

import pytest

from scripts.files import ROOT

CHECKED = tomllib.loads((ROOT / "tests" / "data" / "versions.toml").read_text("utf-8"))["checked"]
PAGES = [
    *("beyond", "conventions", "engines", "faq", "images", "large-tables", "mrope"),
    *("port-weights", "precision", "serve-and-port", "sharded-and-packed", "transformers-5"),
    "turning-in-low-precision",
]
CODE = re.compile(r"^( *)```.*?^\1```", re.S | re.M)
NAMES = "|".join(sorted(map(re.escape, CHECKED), key=len, reverse=True))
MENTION = re.compile(rf"`({NAMES}) (\d+\.\d+[.\d]*)`")  # rows of what was run have two cells


def mentions(page):
    """Each sentence that names a version: library, version, and its line."""
    text = CODE.sub(lambda code: "\n" * code[0].count("\n"), page.read_text("utf-8"))
    for found in MENTION.finditer(text):
        name, version = found.groups()
        yield name, version, text.count("\n", 0, found.start()) + 1


@pytest.mark.parametrize("name", PAGES)
def test_a_sentence_names_a_version_at_which_it_was_checked(name):
    again = {
        f"docs/{name}.md:{line}": f"{library} {version} is not in {CHECKED[library]}: read it again"
        for library, version, line in mentions(ROOT / "docs" / f"{name}.md")
        if version not in CHECKED[library]
    }
    assert not again


def test_each_version_of_the_list_is_named_on_a_page():
    named = {found[:2] for page in PAGES for found in mentions(ROOT / "docs" / f"{page}.md")}
    assert {(library, version) for library in CHECKED for version in CHECKED[library]} == named
