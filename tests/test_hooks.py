"""What MkDocs' events change: the policy, the notebooks, the templates, the search index."""

import base64
import json
import os
from types import SimpleNamespace

import pytest
from mkdocs.structure.files import File, Files

from scripts.files import PageError
from scripts.pages import hooks, policy
from scripts.pages.theme import labels, search_hook
from scripts.pages.theme.copy_buttons import with_copy_buttons

SHEET = "assets/_mkdocstrings.css"
SVG = '<svg viewBox="0 0 6 4"><title>A figure.</title><desc>A figure.</desc></svg>'
IN_BASE64 = base64.b64encode(SVG.encode()).decode()
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": "# A title\n\n## Part\n\n[a](../waves.md#b)"},
        {
            "cell_type": "markdown",
            "source": "[e](small.ipynb) [f](../waves.md) [g](https://h/i.md)",
        },
        {
            "cell_type": "code",
            "id": "one",
            "source": "draw()",
            "metadata": {
                "figure": {"title": "A drawing", "alt": "A line.", "caption": "A *line*."}
            },
        },
    ],
    "metadata": {"description": "Small.", "needs": "NumPy", "words": {"part": "half"}},
}
RUN = f"""\
<div id="cell-id=one"><div class="highlight-ipynb"><pre>draw()</pre></div>
<div class="jp-OutputArea-output" data-mime-type="text/html"><figure class="pf">\
<img src="data:image/svg+xml;base64,{IN_BASE64}" data-png="{base64.b64encode(b"PNG").decode()}">\
</figure></div></div>"""


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


def test_the_sitemap_has_no_dates_and_404_html_is_a_finished_page():
    template = "<url>\n  <lastmod>2026-01-01</lastmod></url>"
    for name, finished in {
        "404.html": "<url> <lastmod>2026-01-01</lastmod></url>",
        "sitemap.xml": "<url></url>",
        "robots.txt": template,
    }.items():
        assert hooks.on_post_template(template, name, config=None) == finished


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


@pytest.fixture
def notebook(tmp_path):
    """A function that makes the page of a notebook next to the page of waves."""
    docs, site = tmp_path / "docs", tmp_path / "site"
    place = str(docs), str(site), True
    known = [  # mkdocs-jupyter makes such a file of a notebook
        File("notebooks/small.ipynb", *place, dest_uri="notebooks/small/index.html"),
        File("waves.md", *place),
    ]
    own = SimpleNamespace(file=known[0], meta={})
    (docs / "notebooks").mkdir(parents=True)

    def made(notebook):
        (docs / "notebooks" / "small.ipynb").write_text(json.dumps(notebook), "utf-8")
        config = SimpleNamespace(
            markdown_extensions=["toc"], mdx_configs={"toc": {"permalink": "¶"}}
        )
        return hooks.on_page_content(RUN, own, config, Files(known)), own, site

    return made


def test_a_notebook_becomes_a_page_with_its_words_its_contents_and_its_files(notebook):
    for _ in range(2):  # the folder of the files may be there
        html, own, site = notebook(NOTEBOOK)
    assert own.meta == {"description": "Small.", "words": {"part": "half"}}
    assert [(one.title, one.id) for one in own.toc] == [("A title", "a-title")]
    assert [(one.title, one.id) for one in own.toc.items[0].children] == [("Part", "part")]
    assert '<h2 id="part">Part<a class="headerlink" href="#part"' in html
    assert "<figcaption>A <em>line</em>.</figcaption>" in html
    for link in (
        '<a href="../../waves/#b">a</a>',
        '<a href="small.ipynb">e</a>',
        '<a href="../../waves/">f</a>',
        '<a href="https://h/i.md">g</a>',
    ):
        assert link in html
    folder = site / "notebooks" / "small"
    assert sorted(path.name for path in folder.iterdir()) == ["figure-1.png", "figure-1.svg"]
    assert (folder / "figure-1.png").read_bytes() == b"PNG"
    assert (folder / "figure-1.svg").read_text("utf-8") == SVG.replace(
        "<title>A figure.", "<title>A drawing"
    ).replace("<desc>A figure.", "<desc>A line.")


def test_a_link_of_a_notebook_that_leads_nowhere_stops_the_build(notebook):
    lost = {"cell_type": "markdown", "source": "[c](d.md)"}
    with pytest.raises(PageError, match=r"^the link d\.md leads nowhere$") as raised:
        notebook({**NOTEBOOK, "cells": [*NOTEBOOK["cells"], lost]})
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
