"""The small trained models: their tasks, their files, and what the results say of them."""

import ast
import json
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from safetensors.numpy import load_file

from scripts.experiments import (
    accuracy,
    encodings,
    forward,
    generator,
    grid,
    provenance,
    results,
    store,
    tasks,
    weights,
)
from scripts.experiments.measures import readout
from scripts.experiments.runs import LENGTH, Run, Tuning, from_options
from tests import experiment_oracle
from tests.committed_models import FOLDER, committed, oracle_model, result, row

LIVE = sorted(grid.LIVE)
QUESTIONS = sorted(results.QUESTIONS)


# Tasks and test sets


def test_the_generator_and_the_test_set_draw_the_numbers_of_the_oracle_row_by_row():
    for state, below in [(1, 16), (100_032, 14), (2**32 - 1, 31)]:
        drawn = generator.xorshift(state)(below, (3, 50)).ravel().tolist()
        assert drawn == experiment_oracle.drawn(state, below, 150)
    tokens, _ = accuracy.test_set("look_back", 48)
    assert tokens.shape == (256, 48)
    assert tokens.ravel().tolist() == experiment_oracle.drawn(100_048, 16, 256 * 48)


def right_answer(task, tokens, place):
    """The answer at one place of one sequence, from the words that describe the task."""
    half = len(tokens) // 2
    if task == "look_back":
        return tokens[place - 3] if place >= 3 else None
    if task == "first":
        return min(14, 15, key=tokens.index) if place == len(tokens) - 1 else None
    if task == "count":
        return min(tokens.count(tokens[place]), 15)
    if place < half:
        return None
    span = tokens[:half] if task == "copy" else tokens[:half][::-1]
    return span[place - half]


@pytest.mark.parametrize("task", ["look_back", "first", "copy", "reverse", "count"])
@pytest.mark.parametrize("length", [32, 48])
def test_answers_follow_the_words_that_describe_the_task(task, length):
    tokens, answers = accuracy.test_set(task, length)
    for line, right in zip(tokens[:40].tolist(), answers[:40].tolist(), strict=True):
        expected = [right_answer(task, line, place) for place in range(length)]
        assert right == [tasks.NOT_ASKED if answer is None else answer for answer in expected]
        if task in ("copy", "reverse"):  # the answers follow a separator, which stands once
            half = length // 2
            assert line.index(15) == half
            assert line[half + 1 :] == right[half:-1]


# Files of weights


@pytest.mark.parametrize("name", LIVE)
def test_a_file_says_which_run_made_it_and_safetensors_reads_it(name):
    content = (FOLDER / f"{name}.safetensors").read_bytes()
    arrays, run, about = weights.unpacked(content)
    for key, array in load_file(FOLDER / f"{name}.safetensors").items():
        np.testing.assert_array_equal(array, arrays[key], strict=True)
    assert run == grid.LIVE[name] == from_options(json.loads(json.dumps(run.options())))
    assert weights.packed(arrays, run, about) == content
    assert json.loads(about["made"])["code"] == provenance.code_hash()


# The forward pass

OTHER_OPTIONS = (
    {"encoding": "none", "causal": False},
    {"encoding": "alibi", "causal": False},
    {"encoding": "sinusoidal", "base": 100.0, "residual": False, "layers": 2},
    {"encoding": "rope", "layers": 3, "scaled": False},
)


def random_model(run):
    """Weights of the shapes that `run` has, without PyTorch."""
    like = "none" if run.encoding in ("sinusoidal", "rope", "alibi") else run.encoding
    shapes = {name: array.shape for name, array in committed(like).items()}
    for layer in range(1, run.layers):
        shapes |= {f"{layer}{n[1:]}": s for n, s in shapes.items() if n.startswith("0.")}
    random = np.random.default_rng(5)
    return {n: random.normal(size=s).astype(np.float32) * 0.3 for n, s in shapes.items()}


@pytest.mark.parametrize("options", OTHER_OPTIONS)
def test_a_pass_with_other_options_gives_the_logits_of_the_oracle(options):
    run = Run("look_back", seed=0, **options)
    assert_same_logits(experiment_oracle.Model(run.options(), random_model(run)))


SLOWED, FEW = encodings.frequencies(10_000.0) / 2, np.arange(16) < 2
FOUR_PAIRS = encodings.rows(np.arange(64), 10_000.0) * (np.arange(64) < 8)


@pytest.mark.parametrize(
    ("name", "changes", "in_words"),
    [
        *((name, {}, {}) for name in LIVE),
        ("rope", {"speeds": SLOWED * FEW}, {"speeds": SLOWED * FEW}),
        ("sinusoidal", {"rows": FOUR_PAIRS}, {"pairs": 4}),
        *((name, {"nearest": LENGTH}, {"nearest": LENGTH}) for name in ("sinusoidal", "rope")),
    ],
)
def test_a_pass_of_committed_weights_gives_the_logits_of_the_oracle(name, changes, in_words):
    assert_same_logits(oracle_model(name), forward.Changes(**changes), **in_words)


def assert_same_logits(model, changes=None, **in_words):
    tokens, _ = accuracy.test_set("look_back", 64)
    again = experiment_oracle.logits(model, tokens[7].tolist(), **in_words)
    found = forward.run_model(model.arrays, from_options(model.run), tokens[6:8], changes)
    np.testing.assert_allclose(found.logits[1], again, rtol=0, atol=1e-5)


# The committed results


@pytest.mark.parametrize("question", QUESTIONS)
def test_results_were_made_by_the_code_that_trains_today(question):
    assert result(question)["made"]["code"] == provenance.code_hash(), "run `make experiments`"
    _, runs = results.QUESTIONS[question]
    rows = result(question)["rows"]
    found = [(row["options"]["task"], row["name"], seed) for row in rows for seed in row["seeds"]]
    assert sorted(found) == sorted({(run.task, grid.name(run), run.seed) for run in runs})
    assert question in ("small", "maps", "desk") or all(len(row["seeds"]) >= 3 for row in rows)


def summaries(found):
    """Each object in a row that has a mean."""
    if isinstance(found, dict):
        if "mean" in found:
            yield found
        for value in found.values():
            yield from summaries(value)


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_summary_in_the_results_is_that_of_its_seeds(question):
    for found in result(question)["rows"]:
        for summary in summaries(found):
            values = summary["seeds"]
            assert len(values) == len(found["seeds"])
            assert summary["mean"] == pytest.approx(sum(values) / len(values), abs=2e-5)
            assert (summary["low"], summary["high"]) == (min(values), max(values))


def test_the_position_is_read_where_it_is_and_not_where_it_is_not():
    positions = np.tile(np.arange(32), (64, 1))
    random = np.random.default_rng(1)
    noise = random.normal(size=(64, 32, 600))  # fits more than half of what it has seen
    mapped = np.stack([noise[..., 0], noise[..., 0] + positions], axis=-1)
    assert readout.r_squared(mapped, positions) == pytest.approx(1)
    assert readout.r_squared(noise, positions) < 0


# Provenance, and runs that are not repeated


def test_the_hash_of_the_code_knows_no_comments_but_every_number():
    def said(source):
        return provenance.said(ast.parse(source))

    plain = "def f(x: int = 3) -> int:\n    return x + 1\n"
    described = 'def f(x: int = 3) -> int:\n    """Doc."""\n    # why\n    return (x + 1)\n'
    assert said(plain) == said(described)
    changed = [plain.replace(*change) for change in (("1", "2"), ("3", "None"), ("1", "None"))]
    assert said(plain) not in map(said, changed)


def test_a_file_of_another_run_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "FOLDER", tmp_path)
    done, missing = (Run("look_back", "none", seed) for seed in (71, 72))
    store.save(done, store.Finished(committed("none"), {"accuracy": []}, {"seconds": 1.0}))
    store.path(done).rename(store.path(missing))
    with pytest.raises(ValueError, match=r"must hold .*seed=72.*, got .*seed=71"):
        store.load(missing)


# With PyTorch


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="PyTorch is not installed: make experiments")


@pytest.fixture
def train(torch):
    assert torch
    return import_module("scripts.experiments.training").train


@pytest.mark.torch
@pytest.mark.parametrize("name", LIVE)
def test_pytorch_gives_the_logits_of_the_numpy_pass(name, torch):
    from scripts.experiments import model

    run, arrays = grid.LIVE[name], committed(name)
    tokens, _ = accuracy.test_set("look_back", LENGTH)
    given = {key: torch.from_numpy(array) for key, array in arrays.items()}
    starts, fixed = torch.zeros(4, dtype=torch.int64), model.constants(run, LENGTH)
    said = model.logits(given, run, fixed, torch.from_numpy(tokens[:4]), starts)
    logits = forward.run_model(arrays, run, tokens[:4]).logits
    np.testing.assert_allclose(said.numpy(), logits, rtol=0, atol=2e-3)


@pytest.mark.torch
def test_the_small_run_trained_again_learns_as_committed(train):
    (run,) = grid.SMALL
    again, found = train(run), row("small", "rope")["curve"]
    # Other processors add up in another order, and training makes such differences grow.
    np.testing.assert_allclose(again.losses, found["loss"][0], rtol=0.02)
    np.testing.assert_allclose(again.accuracies, found["accuracy"][0], atol=0.02)


@pytest.mark.torch
def test_a_tuning_goes_on_from_the_weights_before_it(train):
    run = replace(grid.LIVE["rope"], tuning=Tuning("parts", 64))
    assert train(run, committed("rope")).accuracies[0] > 0.9
