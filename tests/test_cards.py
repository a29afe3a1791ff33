"""The social cards: one for each page, small, with all its words and the page's own figure."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace

import numpy as np
import pytest
from jinja2 import DictLoader, Environment
from lxml import html
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from scripts import files
from scripts.files import ROOT, BuildError
from scripts.pages import cards
from scripts.render import card as drawing
from tests import page_text
from tests.page_text import SITE
from tests.signed_colours import coloured, on_paper

CARDS = {card.page: card for card in cards.cards()}
THEME = (ROOT / "scripts/pages/theme/templates/main.html").read_text("utf-8")
BASE = "".join(f"{block}{{% endblock %}}" for block in re.findall(r"\{% block \w+ %\}", THEME))


def made(page):
    """The PNG of a card, made anew."""
    card = CARDS[page]
    (content,) = drawing.files(card.page, card.title, card.line, card.figure).values()
    return content


# The pictures


def test_every_page_of_the_site_has_a_small_card():
    pages = {name.removesuffix("index.html").rstrip("/") or "index" for name in page_text.pages()}
    assert set(CARDS) == pages - {"404.html"}
    folder = SITE / cards.FOLDER
    assert set(files.below(folder)) == {folder / f"{page}.png" for page in CARDS}
    for path in files.below(folder):
        with Image.open(path) as opened:
            assert opened.size == (1200, 630)
        assert path.stat().st_size <= 65 * 1024, path


@pytest.mark.thorough
@pytest.mark.parametrize("page", CARDS)
def test_all_words_of_a_card_are_on_it_and_in_their_column(page):
    card = CARDS[page]
    left, top, right, bottom = drawing.COLUMN
    texts = drawing.drawn(card.title, card.line).texts
    assert " ".join(text.get_text() for text in texts) == f"posenc {card.title} {card.line}"
    above = top - 1
    for text in texts:
        box = text.get_window_extent()
        assert left - 2 <= box.x0
        assert box.x1 <= right + 2
        assert above < drawing.HEIGHT - box.y1  # below the line above
        above = drawing.HEIGHT - box.y0
    assert above <= bottom


@pytest.mark.parametrize(
    ("title", "line", "height"),
    [("Pneumono" * 4, "Short", 198), ("Short", "word " * 90, 299)],
)
def test_words_that_do_not_fit_stop_the_build(title, line, height):
    message = f"^docs/a/page: a card has 420 x {height} pixels for '"
    with pytest.raises(BuildError, match=message):
        drawing.files("a/page", title, line, "")


def panel(png):
    """The pixels of a card's picture, (height, width, colour)."""
    left, top, right, bottom = drawing.PANEL
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), int)[top:bottom, left:right]


def test_a_page_without_a_figure_shows_the_matrix_itself():
    dimensions = np.arange(62)
    angles = np.arange(50)[:, None] / 1000 ** (dimensions // 2 * 2 / 62)
    shades = on_paper(coloured(np.where(dimensions % 2, np.cos(angles), np.sin(angles))))
    assert abs(panel(made("faq"))[5::10, 5::10] - shades).max() < 12


def test_a_card_has_the_sines_of_a_matrix_at_the_bottom_and_two_inks():
    pixels = np.asarray(drawing.drawn("A title", "A line").canvas.buffer_rgba(), int)[..., :3]
    phases = np.arange(240) / 40 ** (np.arange(8)[:, None] / 8)
    shades = on_paper(coloured(np.sin(phases)))
    band, middle = pixels[-42:], [int(42 / 8 * (pair + 0.5)) for pair in range(8)]
    for first in (0, 4):  # the columns of pixels at the edges of each cell
        assert abs(band[middle, first::5] - shades).max() < 12
        assert abs(band[[0, 41], first::5] - shades[[0, 7]]).max() < 12
    left, _, right, _ = drawing.COLUMN
    for top, bottom, ink in ((70, 110, "#1f2328"), (152, 201, "#1f2328"), (225, 300, "#57606a")):
        words = pixels[top:bottom, left + 64 : right].reshape(-1, 3)
        darkest = words[words.sum(axis=1).argmin()]
        assert darkest.tolist() == [round(255 * part) for part in to_rgb(ink)]


def test_a_small_picture_stands_in_the_middle_of_the_panel(monkeypatch):
    monkeypatch.setattr(drawing, "_figure", lambda _: Image.new("RGB", (101, 61), "red"))
    (content,) = drawing.files("a/page.md", "A title", "A line", "any").values()
    wanted = np.zeros((500, 620), bool)
    wanted[219:-220, 259:-260] = True
    np.testing.assert_array_equal((panel(content) == (255, 0, 0)).all(axis=2), wanted)


@pytest.mark.parametrize("inches", [(12, 2), (2, 12)])
def test_a_figure_of_which_a_part_has_a_fixed_shape_fits_the_panel(inches, monkeypatch):
    figure = Figure(figsize=inches)
    figure.subplots(1, 2)[0].set_aspect("equal")
    module = SimpleNamespace(data=lambda: None, static=lambda _: figure)
    monkeypatch.setattr(drawing.figures, "load", lambda _: module)
    left, top, right, bottom = drawing.PANEL
    across, down = drawing._figure("any").size
    assert min(right - left - across, bottom - top - down) == 0
    assert across / down == pytest.approx(inches[0] / inches[1], rel=0.02)


def test_a_figure_stands_on_its_card_in_the_colours_of_the_light_scheme():
    pixels = panel((SITE / cards.FOLDER / "why-order.png").read_bytes()).reshape(-1, 3)
    for color in ("#3d6bc9", "#99381f", "#297a4f", "#673193"):
        expected = np.array(to_rgb(color)) * 255
        assert abs(pixels - expected).max(axis=1).min() < 8, color


# What they say


def test_a_card_shows_the_first_figure_of_its_page_or_the_one_that_the_page_names():
    shown = [CARDS[page].figure for page in ("waves", "in-ten-minutes", "faq")]
    assert shown == ["four_codes", "clock_hands", ""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: a page needs a title and a description"),
        ("description: one: two", "2: mapping values are not allowed"),
        ("description: [a, b]", "2: description must be a text"),
        ("description: A.\nwords: {page: 3}", "3: words must have a text for each section"),
        ("description: A.\nsearch: 3", "3: search must be names with values"),
        ("description: A.\nhide: [toc, 3]", "3: hide must be a list of texts"),
        ("description: A.\ncard: [nope]", "3: no figure ['nope']"),
        ("description: 2026-13-45", "1: the front matter: month must be in 1..12"),
        ("description: \a", "1: the front matter: unacceptable character"),
        ("- a", "1: the front matter must be names with values"),
        # notebooks
        ("[3]", "1: no notebook"),
        ('{"metadata": [], "cells": [{"source": "# A"}]}', "1: the front matter must be"),
        ('{"cells": [{"source": "# A"}],\n"metadata": {"title": 3}}', "2: title must be a text"),
    ],
)
def test_a_page_without_the_words_of_a_card_stops_the_build(text, message, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "ROOT", tmp_path)
    name, content = "new.md", f"---\n{text}\n---\n\n# A title\n".encode("utf-8-sig")
    if text.startswith(("[", "{")):
        name, content = "notebooks/new.ipynb", text.encode()
    (tmp_path / "docs" / "notebooks").mkdir(parents=True)
    (tmp_path / "docs" / name).write_bytes(content)
    with pytest.raises(BuildError) as raised:
        cards.cards()
    assert str(raised.value).startswith(f"docs/{name}:{message}")
    assert "\n" not in str(raised.value)


# The tags


def tags(page, **extra):
    """The content of the tags on a page of the template, by their name."""
    environment = Environment(loader=DictLoader({"base.html": BASE, "main.html": THEME}))
    environment.filters["url"] = str
    made = environment.get_template("main.html").render(
        nav={"pages": []},
        config={"site_name": "posenc", "site_url": "https://site.example/", "extra": extra},
        page={
            "file": {"src_uri": page},
            "title": "In the navigation",
            "meta": {"description": "A description."},
            "is_homepage": page == "index.md",
            "canonical_url": "https://site.example/here/",
        },
    )
    found = html.fromstring(f"<div>{made}</div>").iter("meta")
    return {tag.get("property") or tag.get("name"): tag.get("content") for tag in found}


def test_the_tags_of_a_page_name_its_card_by_an_absolute_address():
    card = CARDS["waves"]
    without_card = tags("waves.md")
    assert without_card == {
        "og:type": "article",
        "og:site_name": "posenc",
        "og:title": "In the navigation",
        "og:description": "A description.",
    }
    shown = "Positions 0 to 15 in four codes: index, scaled index, one-hot and bits."
    assert tags("waves.md", cards=CARDS) == {
        **without_card,
        "og:title": card.title,
        "og:url": "https://site.example/here/",
        "og:image": "https://site.example/assets/cards/waves.png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": f"{card.title}: {card.line}. Beside it: {shown}",
        "twitter:card": "summary_large_image",
    }
    assert tags("index.md", cards=CARDS)["og:type"] == "website"
