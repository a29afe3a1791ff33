"""Plans: what the report of a plan says about files, and why it refuses some.

test_corpus.py compares plans with what libraries do with published files, and
test_config_answers.py each plan of the corpus and of these files with the page's, word by word.
The files of tests/data/corpus/reports.json reach what the corpus leaves open.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from posenc.plans import Plan
from posenc.plans._data import OTHER_FILES
from posenc.rotary import Rotary

REPORTS = json.loads(
    (Path(__file__).parent / "data" / "corpus" / "reports.json").read_text("utf-8")
)
NAMED, REFUSED, ODD, QUIET = (REPORTS[kind] for kind in ("named", "refused", "odd", "quiet"))


@pytest.mark.parametrize(("words", "config"), NAMED)
def test_a_report_says_what_turns_in_which_layers_and_where_programs_differ(words, config):
    report = str(Plan.from_dict(config))
    for part in words.split("…"):
        before, found, report = report.partition(part.strip(" "))
        assert found, (part, before)


@pytest.mark.parametrize(("reason", "config"), REFUSED)
def test_a_file_without_a_plan_and_a_group_that_no_rotary_can_turn_say_why(reason, config):
    with pytest.raises(ValueError, match=reason):
        _ = [group.rotary for group in Plan.from_dict(config)]


def test_a_file_of_another_kind_is_refused_with_the_key_that_tells_it():
    for key, what in OTHER_FILES.items():
        with pytest.raises(ValueError, match=f"of a model, got the file of {what}, with {key}$"):
            Plan.from_dict({"base_model_name_or_path": "mine", key: "LORA"})
    with pytest.raises(ValueError, match="config must have texts as keys, got 0"):
        Plan.from_dict({0: None})
    with pytest.raises(ValueError, match="got 'ntk', which slows"):
        Rotary.from_config(
            {"model_type": "new", "head_dim": 64, "rope_scaling": {"type": "ntk", "factor": 4.0}}
        )


@pytest.mark.parametrize(("code", "words", "config"), ODD)
def test_a_plan_says_what_is_odd(code, words, config):
    assert any(odd.code == code and words in odd.text for odd in Plan.from_dict(config).odd)


@pytest.mark.parametrize("config", QUIET)
def test_a_plan_finds_nothing_odd_about_a_file_that_its_program_reads_whole(config):
    assert Plan.from_dict(config).odd == ()


def test_a_plan_is_json_with_numbers():
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
    plan = Plan.from_dict({"model_type": "llama", "head_dim": 64, "rope_scaling": yarn})
    values = json.loads(json.dumps(plan.to_dict()))
    (group,) = values["groups"]
    assert group["scaling"]["type"] == "YaRN"
    assert group["attention_factor"] == pytest.approx(1.1386294)
    assert set(values) == {"format", "model", "groups", "odd", "programs"}
