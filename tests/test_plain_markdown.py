"""The extension in Python-Markdown, without MkDocs."""

from __future__ import annotations

import re

import markdown
import pytest
import yaml

from scripts.files import ROOT, PageError
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


def converted(text):
    given = ["tables", "pymdownx.superfences", "scripts.pages.extension"]
    return markdown.markdown(text, extensions=given)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A sum $x$.\n\nA sum $x + 1 here.", 3),
        ("A sum $x$ of `$y`\nand *this* `z` costs 5$ and $z$.", 2),
        ("Text\n\n$$\nx + 1\n\nText.", 3),
        ("# A sum $x + 1", 1),
        ("- One.\n- A sum $x + 1.", 2),
        ("| a | b |\n|---|---|\n| $x$ | $x |", 3),
        (r"An escape of an escape \\\\$.", 1),
    ],
)
def test_a_dollar_sign_without_its_partner_is_an_error(text, line):
    with pytest.raises(PageError, match=r"^a \$ without its partner") as raised:
        converted(text)
    assert raised.value.line == line


@pytest.mark.parametrize(
    "text",
    [r"It costs 5\$.", "Write `$x`.", "```\n$x\n```", "$x$ and $y$", "$$\nx\n$$", "Text\n\n    $x"],
)
def test_a_dollar_sign_that_is_escaped_or_in_code_or_has_its_partner_is_none(text):
    converted(text)


def test_a_row_that_would_lose_a_cell_is_an_error():
    head = "| a | b |\n|:--|---|\n"
    with pytest.raises(PageError, match=r"^a row has 3 cells, the head of its table 2$") as raised:
        converted(f"Text.\n\n{head}| 1 | 2 |\n| 1 | 2 | 3 |")
    assert raised.value.line == 6
    wide = converted(rf"{head}| `1 | 2` | 1 \| 2 |" + "\n| 1 |")
    assert wide.count("<td") == 4
    assert 'style="text-align: left;"' in wide


def test_a_line_may_break_inside_a_long_name_of_a_cell_but_not_inside_a_short_one():
    html = converted("| a |\n|---|\n| `max_position_embeddings` and `d_model` |")
    assert "<code>max_<wbr />position_<wbr />embeddings</code> and <code>d_model</code>" in html


def test_a_line_of_a_sentence_breaks_only_inside_a_name_that_fills_a_line_of_a_phone():
    html = converted("`max_position_embeddings`, `tests/data/which_&_whatever_table.npy`")
    assert "<code>max_position_embeddings</code>" in html
    long = (
        "<code>tests/<wbr />data/<wbr />which_&amp;_<wbr />whatever_<wbr />table.<wbr />npy</code>"
    )
    assert long in html
