"""The corpus of published config files says where each is from, and has an answer for each."""

from __future__ import annotations

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "data" / "corpus"
CONFIGS = json.loads((FOLDER / "configs.json").read_text("utf-8"))
ANSWERS = json.loads((FOLDER / "answers.json").read_text("utf-8"))


def test_each_file_says_where_it_is_published():
    assert len(CONFIGS) >= 150
    for held in CONFIGS.values():
        assert set(held["source"]) == {"repository", "path", "commit"}
        assert len(held["source"]["commit"]) == 40


def test_each_answer_is_for_a_file_and_says_who_gives_it():
    assert ANSWERS.keys() <= CONFIGS.keys()
    assert all(answer["by"] and answer["groups"] for answer in ANSWERS.values())
