"""The table of docs/which-model.md says what plans and libraries say of the published files."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import numpy as np
import pytest

from posenc.plans import Plan
from scripts.files import BuildError
from scripts.pages import model_list
from tests import page_text
from tests.test_corpus import ANSWERS, ENCODERS, EVERY, unknown

LISTED = tomllib.loads(model_list.MODELS.read_text("utf-8"))
MODELS = LISTED["models"]


@cache
def table():
    """The rows of the built page, as texts of their cells, and the link of each model."""
    (found,) = page_text.pages()["which-model/index.html"].xpath("//*[contains(@class, 'models')]")
    links = {link.text: link.get("href") for link in found.iter("a")}
    rows = [row.findall("td") for row in found.xpath(".//tbody/tr")]
    return [[" ".join("".join(cell.itertext()).split()) for cell in row] for row in rows], links


def numbers(text):
    return [int(number.replace(",", "")) for number in re.findall(r"(?<![\w.])\d[\d,]*", text)]


def plan(name):
    groups = Plan.from_dict(EVERY[name]["config"])
    return [group for group in groups if not group.name.startswith(ENCODERS)]


def test_the_table_has_sixty_models_and_each_file_once():
    files = [name for names in MODELS.values() for name in names]
    assert len(MODELS) >= 60
    assert len(set(files)) == len(files)


@pytest.mark.parametrize("model", MODELS)
def test_each_row_of_a_model_says_what_its_plan_says_and_links_to_its_file(model):
    """tests/test_corpus.py compares the plans with the libraries, but not the width of a head."""
    source = EVERY[MODELS[model][0]]["source"]
    rows, links = table()
    start = f"https://github.com/{source['repository']}/blob/{source['commit']}/"
    assert links[model].startswith(start)
    found, groups = [row for row in rows if row[0] == model], plan(MODELS[model][0])
    assert all(source["repository"] in row[-1] for row in found)
    assert len(found) == len(groups)
    answers = [one for name in MODELS[model] for one in ANSWERS[name]["groups"] if one["turn"]]
    known = [(2 * len(one["turn"]["frequencies"]), one.get("width")) for one in answers]
    assert not any(map(unknown, groups))
    for (_, layers, positions, base, turned, layout, scaling, _), group in zip(
        found, groups, strict=True
    ):
        window = [size for size in (group.window, group.chunk) if size]
        assert numbers(layers)[-len(window) :] == window or not window
        if len(groups) > 1 and group.layers:
            total = sum(len(other.layers) for other in groups)
            assert numbers(layers) == [len(group.layers), total, *window]
        assert positions.startswith(("RoPE", "M-RoPE")) == group.turns
        if group.turns:
            assert numbers(base) == [group.base]
            assert numbers(positions) == list(group.sections)
            turns, width = numbers(turned)
            assert turns == 2 * np.count_nonzero(group.rotary.frequencies())
            assert (turns, width) in known or (turns, None) in known
            assert layout == group.layout
            told = [getattr(group.scaling, "factor", 1)] if group.scaling else [1]
            told += [getattr(group.scaling, "original_max_position_embeddings", 0) or 0]
            assert numbers(scaling) == [number for number in told if number not in (0, 1)]
        else:
            assert (base, turned, layout, scaling) == ("", "", "", "")


def test_files_that_differ_cannot_share_a_row(monkeypatch, tmp_path):
    listed = tmp_path / "models.toml"
    listed.write_text('read = 2026-01-01\n[models]\n"A" = ["Qwen3-8B", "GLM-5"]\n', "utf-8")
    monkeypatch.setattr(model_list, "MODELS", listed)
    monkeypatch.setattr(model_list, "relative", str)
    with pytest.raises(BuildError, match=r"A: Qwen3-8B and GLM-5 differ$"):
        model_list.markdown()
