"""What MkDocs' events change: the policy, the notebooks, the templates, the search index."""

import json
import os
from types import SimpleNamespace

import pytest
from mkdocs.structure.files import File, Files

from scripts.files import PageError
from scripts.pages import hooks, policy
from scripts.pages.theme import labels, search_hook
from scripts.pages.theme.copy_buttons import with_copy_buttons


@pytest.fixture(autouse=True)
def without_live_reload(monkeypatch):
    monkeypatch.setattr(os, "environ", {**os.environ})
    os.environ.pop("LIVE_RELOAD", None)


# The policy


def test_a_page_has_its_policy_except_while_mkdocs_serves():
    page = '<meta charset="utf-8"><p>Text.</p>'
    hooks.on_startup("build")
    assert hooks.on_post_page(page) == policy.with_policy(page) != page
    hooks.on_startup("serve", dirty=False)
    assert hooks.on_post_page(page) == page


# Pages and templates


def page(name="waves.md", **more):
    return SimpleNamespace(file=File(name, "docs", "site", True), meta={}, **more)


@pytest.mark.parametrize(
    ("html", "finished"),
    [
        ('<label for="__toc">Menu</label>', "<label>Menu</label>"),
        ('<label for="__toc"></label><a id="__toc">', '<label for="__toc"></label><a id="__toc">'),
        ('<meta name="generator" content="mkdocs">\n  <title>', "<title>"),
        (f"<div {labels.FOUND}></div>", f'<div {labels.FOUND} role="status"></div>'),
        ("<p>\n\n  Text.</p>", "<p> Text.</p>"),
        ("<pre><code>f(1)</code></pre>", with_copy_buttons("<pre><code>f(1)</code></pre>")),
    ],
)
def test_a_finished_page_says_and_weighs_less(html, finished):
    assert hooks.on_post_page(html) == finished
    assert hooks.on_post_page(html, page=page(), config=None) == finished


# Notebooks


def test_a_notebook_that_the_build_has_run_is_not_run_again(tmp_path):
    (tmp_path / "small.html").write_text("<p>Run.</p>", "utf-8")
    made, elsewhere = {"notebooks": str(tmp_path)}, "by mkdocs-jupyter"
    for name, extra, said in (
        ("notebooks/small.ipynb", made, None),
        ("notebooks/small.ipynb", {}, elsewhere),
        ("waves.md", made, elsewhere),
    ):
        own, config = page(name, render=lambda *_: elsewhere), SimpleNamespace(extra=extra)
        assert hooks.on_pre_page(own, config, files=None) is own
        assert own.render(config, None) == said
        assert said or (own.content, list(own.toc)) == ("<p>Run.</p>", [])


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


# The search


def test_the_index_has_the_entries_of_all_pages_and_the_settings_of_the_plugin(tmp_path):
    config = SimpleNamespace(extra={}, site_dir=str(tmp_path))
    index = tmp_path / "search" / "search_index.json"
    index.parent.mkdir()
    index.write_text('{"config": {"lang": ["en"]}, "docs": ["Material\'s"]}', "utf-8")
    settings = {"search": {"boost": 2}, "words": {"page": "dépht"}}
    for title, meta in (("Waves", {}), ("Matrix", settings)):
        own = SimpleNamespace(meta=meta, url=f"{title.lower()}/", title=title)
        html = "<p>Text.</p>"
        assert search_hook.on_page_content(html, own, config, files=None) == html
    search_hook.on_post_build(config)
    assert index.read_text("utf-8") == (
        '{"config":{"lang":["en"]},"docs":['
        '{"location":"waves/","title":"Waves","text":"Text."},'
        '{"location":"matrix/","title":"Matrix","text":"Text.","words":"dépht","boost":2}]}'
    )
