"""The extension in Python-Markdown, without MkDocs."""

from __future__ import annotations

from types import SimpleNamespace

import markdown
import pytest

from scripts.files import PageError
from scripts.pages import breaks, extension


def converted(text):
    given = ["tables", "attr_list", "md_in_html", "pymdownx.superfences"]
    return markdown.markdown(text, extensions=[*given, "scripts.pages.extension"])


# The elements that the build adds


BOX = (
    '<div aria-label="Table" class="table-scroll" role="group" tabindex="0"><table class="{}">'
    "<thead><tr>{}</tr></tbody></table></div>"
)
CELLS = "".join(
    f'<td><data data-format="d" title="{n} = {n}" value="{n}">{n}</data></td>' for n in (1, 2)
)
ROW = f'<th scope="col">x</th><th scope="col">y</th></tr></thead><tbody><tr>{CELLS}'
WITH_ROWS = ROW.replace("<tbody><tr>", '<tbody><tr><th scope="row">a</th>')
ELEMENTS = {
    "{{ 1 / 4 : .2f }}, `{{ 1 : d }}`.": (
        '<p><data data-format=".2f" tabindex="0" title="1 / 4 = 0.25" value="0.25">0.25</data>'
        ", <code>{{ 1 : d }}</code>.</p>"
    ),
    "It is ($x$), then.\n\n$$\nx\n$$": (
        '<p>It is (<span class="math"><math><mi>x</mi></math>),</span> then.</p>'
        '<div aria-label="Formula" class="math-block" role="group" tabindex="0">'
        '<math display="block"><mi>x</mi></math></div>'
    ),
    '{{ table([[1, 2]], columns=["x", "y"]) : d }}': BOX.format("numbers", ROW),
    '{{ table([[1, 2]], rows=["a"], columns=["x", "y"]) : d }}': (
        BOX.format("numbers", f"<td></td>{WITH_ROWS}")
    ),
    '{{ table([[1, 2]], rows=["a"], columns=["x", "y"], corner="n") : d }}': (
        BOX.format("numbers", f"<th>n</th>{WITH_ROWS}")
    ),
    "| a |\n|---|\n| 1 |": BOX.format("words", "<th>a</th></tr></thead><tbody><tr><td>1</td>"),
}


@pytest.mark.parametrize("text", ELEMENTS)
def test_a_number_a_formula_or_a_table_becomes_this_element(text):
    assert converted(f"{text}\n\nEnd.").replace("\n", "") == f"{ELEMENTS[text]}<p>End.</p>"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("0.00025 : .1e", "2.5 × 10<sup>−4</sup>"),
        ("pi : .1e", "3.1"),
        ("9.99 : .0e", "1 × 10<sup>1</sup>"),
    ],
)
def test_a_power_of_ten_is_written_as_one(code, shown):
    assert f">{shown}</data>" in converted(f"{{{{ {code} }}}}")


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """Drawings of two figures, one with a faulty caption."""
    captions = {"waves": "Two\n waves.", "faulty": "A sum $x."}
    monkeypatch.setattr(extension, "FIGURES", tmp_path)
    monkeypatch.setattr(
        extension.figures, "load", lambda name: SimpleNamespace(CAPTION=captions[name])
    )
    for name in captions:
        (tmp_path / f"{name}.svg").write_text('<svg viewBox="0 0 6 4"><desc>D</desc></svg>')


# Mistakes

SLIDERS = '- One.\n\n<div class="sliders" data-live="sliders/x" markdown>\n\n{}\n\n</div>'
DOLLAR = r"^a \$ without its partner"


@pytest.mark.usefixtures("drawn")
@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("check: 1 > 2\n\ntwo\n{{ check: 1 > 2 }}", 4, "is false"),
        ("one\n\ntwo {{ 1 \\* 2 : d }}", 3, "invalid|unexpected"),
        ("one\n\n{{ table([[1]],\n   rows=[nothing]) : d }}", 3, "nothing"),
        ("one\n\ntwo $x \\nothing$", 3, r'^x \\nothing: 2: Unknown command "\\nothing"\.$'),
        ("$$\n\\nonsense\n$$", 2, "nonsense"),
        ("one\n\n![](figures/heatmap.svg)", 3, "'heatmap' has not been rendered: run `make site`"),
        ("one\n\n![](figures/nothing.svg)", 3, "^no figure 'nothing'$"),
        ("one\n\n![](figures/faulty.svg)", 1, DOLLAR),  # its caption stands elsewhere
        *((SLIDERS.format(part), 3, "^sliders need") for part in ("![](figures/waves.svg)", "- A")),
        ("Text.\n\n| a | b |\n|:--|---|\n| 1 | 2 | 3 |", 5, "^a row has 3 cells, .* its table 2$"),
        ("A sum $x$ of `$y`\nand *this* `z` costs 5$ and $z$.", 2, DOLLAR),
        ("Text\n\n$$\nx + 1\n\nText.", 3, DOLLAR),
        ("| a | b |\n|---|---|\n| $x$ | $x |", 3, DOLLAR),
        (r"An escape of an escape \\\\$.", 1, DOLLAR),
    ],
)
def test_a_mistake_is_named_in_one_line_with_its_place(text, line, message):
    with pytest.raises(PageError, match=message) as raised:
        converted(text)
    assert raised.value.line == line
    assert "\n" not in str(raised.value)


def test_a_dollar_sign_that_is_escaped_or_in_code_or_has_its_partner_is_none():
    converted("It costs 5\\$, `$x`, $x$ and $y$.\n\n```\n$x\n```\n\n$$\nx\n$$\n\n    $x")


def test_a_row_may_have_fewer_cells_and_bars_in_its_code():
    wide = converted("| a | b |\n|:--|---|\n" + r"| `1 | 2` | 1 \| 2 |" + "\n| 1 |")
    assert wide.count("<td") == 4
    assert 'style="text-align: left;"' in wide


@pytest.mark.parametrize(("longest", "page"), [(20, "| a |\n|---|\n| `{}` |"), (30, "`{}`.")])
def test_a_word_breaks_if_it_is_longer_than_a_cell_or_than_a_line_of_a_phone(longest, page):
    fits = f"{'a' * 9}_{'b' * (longest - 10)}"
    assert f"<code>{fits}</code>" in converted(page.format(fits))
    assert f"<code>aaaaaaaaa_<wbr />{fits[10:]}&amp;</code>" in converted(page.format(f"{fits}&"))


def test_the_pieces_of_code_are_the_code():
    code = 'f(a_b) is  fooBar["x"] and a_b'
    assert breaks.pieces(code, 4) == ["f(", "a_", "b) is  foo", "Bar[", '"x"] and a_b']
