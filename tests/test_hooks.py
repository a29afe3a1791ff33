"""What MkDocs' events change, beyond what tests/test_site.py sees on the built pages."""

import json
import os
from types import SimpleNamespace

import pytest
from mkdocs.structure.files import File, Files

from scripts.files import PageError
from scripts.pages import hooks, policy


def test_a_page_has_its_policy_except_while_mkdocs_serves(monkeypatch):
    monkeypatch.setattr(os, "environ", {**os.environ})
    os.environ.pop("LIVE_RELOAD", None)
    page = '<meta charset="utf-8"><p>Text.</p>'
    hooks.on_startup("build")
    assert hooks.on_post_page(page) == policy.with_policy(page) != page
    hooks.on_startup("serve", dirty=False)
    assert hooks.on_post_page(page) == page


def test_a_notebook_has_contents_and_a_link_of_it_that_leads_nowhere_stops_the_build(tmp_path):
    place = str(tmp_path), str(tmp_path / "site"), True
    known = [File("small.ipynb", *place, dest_uri="small/index.html"), File("waves.md", *place)]
    own = SimpleNamespace(file=known[0], meta={})
    config = SimpleNamespace(markdown_extensions=["toc"], mdx_configs={})

    def finished(text):
        cells = [{"cell_type": "markdown", "source": f"# A title\n\n## Part\n\n{text}"}]
        notebook = {"cells": cells, "metadata": {"description": "Small.", "needs": "NumPy"}}
        (tmp_path / "small.ipynb").write_text(json.dumps(notebook), "utf-8")
        return hooks.on_page_content("", own, config, Files(known))

    links = '<a href="../waves/#b">a</a> <a href="small.ipynb">b</a> <a href="https://h/i.md">c</a>'
    assert links in finished("[a](waves.md#b) [b](small.ipynb) [c](https://h/i.md)")
    assert [(one.id, [part.id for part in one.children]) for one in own.toc] == [
        ("a-title", ["part"])
    ]
    with pytest.raises(PageError, match=r"^the link d\.md leads nowhere$") as raised:
        finished("[c](d.md)")
    assert (raised.value.text, raised.value.line) == ("d.md", 1)
