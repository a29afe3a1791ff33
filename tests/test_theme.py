"""What each part of scripts/pages/theme/ needs of Material, and what to do if a release changes it.

These tests look at the installed theme alone; the tests of each part look at the site.
"""

from __future__ import annotations

import re
from pathlib import Path

import material
import pytest

from scripts.files import ROOT
from scripts.pages.theme import labels, lighter

THEME = Path(material.__file__).parent
TEMPLATES = ROOT / "scripts" / "pages" / "theme" / "templates"
SHEETS, SCRIPT = "templates/assets/stylesheets/*.css", "templates/assets/javascripts/bundle.*.js"
WORKER, PARTS = "templates/assets/javascripts/workers/search.*.js", "templates/partials/*.html"
NEEDS = {  # of a part: the theme's files, what stands in them, and what to do if it does not
    "theme_css.py": (
        SHEETS,
        [".md-", "[dir=rtl]", "[data-md-color-primary=", "table:not([class])", "color-switching]"],
        "take other rules out, or leave _prune_theme out of scripts/pages/site.py: "
        "pages then load 8 kB more",
    ),
    "dark_css.py": (
        SHEETS,
        ["[data-md-color-scheme=slate]", "[data-md-color-scheme=default]"],
        "use the new names of the schemes, in docs/assets/*/style.css too",
    ),
    "lighter.py": (
        SHEETS,
        [f".highlight .{name}" for names in lighter.ALIKE for name in names.split()],
        "read from its stylesheet which classes of code look alike, or leave out `_code`: "
        "pages then load at most 3.5 kB more",
    ),
    "copy_buttons.py": (
        SCRIPT,
        ['class:"md-code__button"', '"data-md-type":"copy"', "data-clipboard-target"],
        "write the button as its script does, or leave the module out and set content.code.copy",
    ),
    "labels.py": (
        PARTS,
        [labels.FOUND, labels.CHECKBOX, labels.LABEL.strip()],
        "listen to the new search and navigation with a screen reader; leave out what they say",
    ),
    "search_hook.py": (
        "plugins/search/plugin.py",
        ['"search_index.json"', 'search.get("exclude")', '"docs": self.entries'],
        "write the entries of scripts/pages/search_index.py into its new index",
    ),
    "templates/main.html": (
        SCRIPT,
        ["search_index.json", "color-scheme", '"no-js"', "XMLHttpRequest"],
        "read what its script does when a page starts, and leave out what it no longer does",
    ),
    "templates/main.html's search": (
        "templates/base.html",
        ["assets/javascripts/workers/search."],
        "point the block `config` at docs/assets/site/search.js",
    ),
    "docs/assets/site/search.js": (
        WORKER,
        ["lunr", "importScripts", '"message"', "postMessage"],
        "read its messages; without the file, the theme's search finds fewer queries",
    ),
    "scripts/pages/offline": (
        SCRIPT,
        ["search/search_index.js", "__index", '"file:"'],
        "load the index as its script does in a folder",
    ),
    "templates/embed.html": (
        SHEETS,
        re.findall(r"--md-[\w-]+", (TEMPLATES / "embed.html").read_text("utf-8")),
        "use its new variables",
    ),
}


@pytest.mark.parametrize("part", NEEDS)
def test_the_theme_has_what_a_part_of_the_site_needs(part):
    files, needed, remedy = NEEDS[part]
    text = "".join(path.read_text("utf-8") for path in THEME.glob(files))
    missing = [words for words in needed if words not in text]
    assert not missing, f"Material no longer has {missing}, which {part} needs: {remedy}"


def test_the_theme_has_the_blocks_that_the_template_fills():
    begun = re.compile(r"{%-? block (\w+)")
    filled = begun.findall((TEMPLATES / "main.html").read_text("utf-8"))
    known = begun.findall((THEME / "templates" / "base.html").read_text("utf-8"))
    assert filled
    assert set(filled) <= set(known), "find the new place of each part of templates/main.html"


def test_each_part_of_the_folder_says_what_it_needs():
    parts = {path.name for path in (ROOT / "scripts" / "pages" / "theme").glob("[!_]*.py")}
    assert parts <= NEEDS.keys()
