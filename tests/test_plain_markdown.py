"""The extension in Python-Markdown, without MkDocs."""

from __future__ import annotations

import re
from types import SimpleNamespace

import markdown
import pytest
import yaml

from scripts.files import ROOT, PageError
from scripts.pages import breaks, extension
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
    given = ["tables", "attr_list", "md_in_html", "pymdownx.superfences"]
    return markdown.markdown(text, extensions=[*given, "scripts.pages.extension"])


# The elements that the build adds


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "{{ 1 / 4 : .2f }}, `{{ 1 : d }}`.",
            '<p><data data-format=".2f" tabindex="0" title="1 / 4 = 0.25" value="0.25">0.25</data>'
            ", <code>{{ 1 : d }}</code>.</p>",
        ),
        (
            "{{ 10**21 : .0e }}",
            '<p><data data-format=".0e" tabindex="0" title="10 ** 21 = 1000000000000000000000" '
            'value="1000000000000000000000">1 × 10<sup>21</sup></data></p>',
        ),
        (
            "It is $x$, then.\n\n$$\nx\n$$\n\nEnd.",
            '<p>It is <span class="math"><math><mi>x</mi></math>,</span> then.</p>\n'
            '<div aria-label="Formula" class="math-block" role="group" tabindex="0">'
            '<math display="block"><mi>x</mi></math></div>\n'
            "<p>End.</p>",
        ),
    ],
)
def test_a_number_or_a_formula_becomes_this_element(text, html):
    assert converted(text) == html


TABLE = (
    '<div aria-label="Table" class="table-scroll" role="group" tabindex="0">'
    '<table class="{}">{}<tbody>{}</tbody></table></div><p>End.</p>'
)
COLUMNS = '<th scope="col">x</th><th scope="col">y</th></tr></thead>'


@pytest.mark.parametrize(
    ("given", "head", "label"),
    [
        ("", "", ""),
        (', columns=["x", "y"]', f"<thead><tr>{COLUMNS}", ""),
        (', rows=["a"], columns=["x", "y"]', f"<thead><tr><td></td>{COLUMNS}", "a"),
        (', rows=["a"], columns=["x", "y"], corner="n"', f"<thead><tr><th>n</th>{COLUMNS}", "a"),
    ],
)
def test_a_table_of_numbers_has_the_headings_that_its_author_gives(given, head, label):
    html = converted(f"{{{{ table([[1, 2]]{given}) : d }}}}\n\nEnd.").replace("\n", "")
    row = f'<th scope="row">{label}</th>' * bool(label) + "".join(
        f'<td><data data-format="d" title="{n} = {n}" value="{n}">{n}</data></td>' for n in (1, 2)
    )
    assert html == TABLE.format("numbers", head, f"<tr>{row}</tr>")


def test_a_table_of_words_stands_in_a_box_that_scrolls():
    html = converted("| a |\n|---|\n| 1 |\n\nEnd.").replace("\n", "")
    head, row = "<thead><tr><th>a</th></tr></thead>", "<tr><td>1</td></tr>"
    assert html == TABLE.format("words", head, row)


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """A drawing with the name of a figure, and the figure's module."""
    module = SimpleNamespace(CAPTION="Two\n waves.", interactive=None)
    monkeypatch.setattr(extension, "FIGURES", tmp_path)
    monkeypatch.setattr(extension.figures, "load", {"clock_hands": module}.get)
    (tmp_path / "clock_hands.svg").write_text(
        '<?xml version="1.0"?>\n<svg viewBox="0 0 6 4"><desc>D</desc>'
        '<style id="standalone">\na {}\n</style><path/></svg>'
    )
    return module


PANEL = """\
<div class="sliders-panel" data-search-exclude="">
<div class="sliders-control"><label><em>Base</em></label><input type="range" /><span></span></div>
<div class="sliders-control"><label>Width</label><input type="range" /><span></span></div>
<div class="sliders-sentence"></div>
<button type="button">Reset</button><div class="sliders-status" role="status"></div>
</div>
"""


@pytest.mark.usefixtures("drawn")
def test_sliders_have_their_panel_between_the_drawing_and_the_caption_of_their_figure():
    """tests/test_site.py looks at the figures of all pages."""
    figure = "![](../figures/clock_hands.svg)\n\n- *Base*\n- Width"
    html = converted(f'<div class="sliders" data-live="sliders/x" markdown>\n\n{figure}\n\n</div>')
    assert f"</svg></div>\n{PANEL}<figcaption>Two waves.</figcaption>" in html


@pytest.mark.usefixtures("drawn")
@pytest.mark.parametrize("content", ["![](figures/clock_hands.svg)", "- Base"])
def test_sliders_without_a_figure_or_without_names_are_an_error(content):
    start = '<div class="sliders" data-live="sliders/x" markdown>'
    message = r"^sliders need a figure, and a list with a name for each$"
    with pytest.raises(PageError, match=message) as raised:
        converted(f"- One.\n\n{start}\n\n{content}\n\n</div>")
    assert (raised.value.text, raised.value.line) == ('data-live="sliders/x"', 3)


@pytest.mark.parametrize(
    ("name", "caption", "message"),
    [
        ("heatmap", "One.", "figure 'heatmap' has not been rendered: run `make site`"),
        ("nothing", "One.", "no figure 'nothing'"),
        ("clock_hands", "The sum {{ nothing : d }}.", "nothing"),
        ("clock_hands", "A sum $x.", "a $ without its partner"),
        ("clock_hands", r"A sum $\nothing$.", r"\nothing"),
    ],
)
def test_a_figure_without_a_drawing_or_with_a_wrong_caption_is_an_error(
    name, caption, message, drawn
):
    drawn.CAPTION = caption
    with pytest.raises(PageError) as raised:
        converted(f"Text.\n\n![](figures/{name}.svg)")
    assert message in str(raised.value)
    assert raised.value.line == (1 if name == "clock_hands" else 3)  # a caption stands elsewhere


# Mistakes


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
        ("It costs 5$\nand *more*.", 1),
        ("It costs\n5$ or *more*\nthan $x$.", 2),
    ],
)
def test_a_dollar_sign_without_its_partner_is_an_error(text, line):
    with pytest.raises(PageError, match=r"^a \$ without its partner") as raised:
        converted(text)
    assert raised.value.line == line


def test_an_error_in_a_formula_says_in_one_line_what_is_wrong():
    with pytest.raises(PageError, match=r'^x \\nothing: 2: Unknown command "\\nothing"\.$'):
        converted(r"A sum $x \nothing$.")


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


def test_a_word_breaks_if_it_is_longer_than_a_cell_or_than_a_line_of_a_phone():
    for longest, page in ((20, "| a |\n|---|\n| `{}` |"), (30, "A name: `{}`.")):
        fits = f"{'a' * 9}_{'b' * (longest - 10)}"
        assert f"<code>{fits}</code>" in converted(page.format(fits))
        assert f"<code>aaaaaaaaa_<wbr />{fits[10:]}b</code>" in converted(page.format(f"{fits}b"))


def test_the_pieces_of_code_are_the_code():
    code = 'f(a_b) is  fooBar["x"] and a_b'
    assert breaks.pieces(code, 4) == ["f(", "a_", "b) is  foo", "Bar[", '"x"] and a_b']


def test_a_line_of_a_sentence_breaks_only_inside_a_name_that_fills_a_line_of_a_phone():
    html = converted("`max_position_embeddings`, `tests/data/which_&_whatever_table.npy`")
    assert "<code>max_position_embeddings</code>" in html
    long = (
        "<code>tests/<wbr />data/<wbr />which_&amp;_<wbr />whatever_<wbr />table.<wbr />npy</code>"
    )
    assert long in html
