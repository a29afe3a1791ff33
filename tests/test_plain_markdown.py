"""The extension in Python-Markdown, without MkDocs."""

from __future__ import annotations

import re

import markdown
import pytest
import yaml

from scripts.files import ROOT
from tests import page_text


def settings():
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!ENV", lambda loader, node: loader.construct_sequence(node)[-1])
    return yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), Loader)


@pytest.mark.thorough
def test_plain_python_markdown_makes_the_same_pages():
    names, options = [], {}
    for entry in settings()["markdown_extensions"]:
        name, given = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
        names.append(name)
        options[name] = given
    sources = sorted((ROOT / "docs").glob("*.md"))
    assert len(sources) > 20
    for source in sources:
        name = "index.html" if source.stem == "index" else f"{source.stem}/index.html"
        text = re.sub(r"\A---\n.*?\n---\n", "", source.read_text("utf-8"), flags=re.S)
        html = markdown.markdown(text, extensions=names, extension_configs=options)
        page = (page_text.SITE / name).read_text("utf-8")
        assert page_text.made_by_the_extension(html) == page_text.made_by_the_extension(page), name
