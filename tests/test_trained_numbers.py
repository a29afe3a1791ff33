"""The numbers on the page of trained models again, from the committed weights of the first seed.

tests/test_experiments.py compares the pass that repeats them with the oracle's.
"""

import re

import numpy as np
import pytest

from scripts.experiments import accuracy, encodings, forward, grid
from scripts.experiments.forward import Changes
from scripts.files import DOCS
from tests import experiment_oracle
from tests.committed_models import committed, oracle_model, row, same_share

BASE, BACK, LENGTH, WIDTH = 10_000.0, 3, 32, 64
SPEEDS, PAIRS = encodings.frequencies(BASE), np.arange(16)
NEAREST, BUT_FASTEST = Changes(nearest=LENGTH), Changes(speeds=SPEEDS * (PAIRS > 0))
SHARE = re.compile(r"\{\{ *(?:\w+_)?accuracy\(.*?\}\}", re.DOTALL)


def cosine(one, other):
    """The cosine between two arrays of numbers, taken as long vectors."""
    return np.sum(one * other) / np.sqrt(np.sum(one**2) * np.sum(other**2))


def slowed(first, last):
    """The speeds, of which those of the pairs from `first` to before `last` are halved."""
    return Changes(speeds=np.where((first <= PAIRS) & (last > PAIRS), SPEEDS / 2, SPEEDS))


FOUR_PAIRS = Changes(rows=encodings.rows(np.arange(64), BASE) * (np.arange(WIDTH) < 8))


# The committed weights give the stated numbers


@pytest.mark.parametrize("name", grid.LIVE)
@pytest.mark.parametrize(
    "length", [32, *(pytest.param(longer, marks=pytest.mark.thorough) for longer in (64, 128))]
)
def test_stated_accuracies_are_those_of_the_committed_weights(name, length):
    assert_stated(row("lengths", name)["lengths"][str(length)], name, length)


@pytest.mark.parametrize(
    ("entries", "name", "length", "changes"),
    [
        (("scalings", "fast_pairs_slowed", "1"), "rope", 64, slowed(0, 1)),
        (("scalings", "fast_pairs_kept", "1"), "rope", 64, slowed(1, 16)),
        (("pairs", "fastest", "32", "1"), "rope", LENGTH, Changes(speeds=SPEEDS * (PAIRS < 1))),
        (("pairs", "fastest", "64", "4"), "sinusoidal", 64, FOUR_PAIRS),
        (("pairs", "all_but_fastest"), "rope", LENGTH, BUT_FASTEST),
        *((("nearest", "lengths", "64"), name, 64, NEAREST) for name in ("rope", "sinusoidal")),
        *(
            pytest.param(
                *(("scalings", "scalings", scaling, "128"), "rope", 128),
                Changes(encodings.frequencies(BASE, scaling, 4)),
                marks=pytest.mark.thorough,
            )
            for scaling in grid.SCALINGS
        ),
    ],
)
def test_a_stated_accuracy_of_a_changed_model_is_that_of_its_weights(
    entries, name, length, changes
):
    question, *path = entries
    stated = row(question, name)
    for entry in path:
        stated = stated[entry]
    assert_stated(stated, name, length, changes)


def assert_stated(stated, name, length, changes=None):
    """The shares over all places and over the last, or only those over all, are as stated."""
    shares = accuracy.summary(
        accuracy.by_position(committed(name), grid.LIVE[name], length, changes)
    )
    for part, summary in ({"all": stated} if "mean" in stated else stated).items():
        assert same_share(shares[part], summary), part


def test_at_half_speed_answers_are_as_far_back_as_stated():
    tokens, _ = accuracy.test_set("look_back", 64)
    said = accuracy.answers(committed("rope"), grid.LIVE["rope"], tokens, slowed(0, 16))
    for back, stated in row("scalings", "rope")["interpolated_answers"].items():
        right = said[:, int(back) :] == tokens[:, : 64 - int(back)]
        assert same_share(right.mean(), stated)


def by_offset(lines, first):
    """The mean over the queries from `first` on, by places back from the query to a key."""
    queries = [range(max(first, k), LENGTH) for k in range(LENGTH)]
    return [np.mean([lines[p][p - k] for p in some]) for k, some in enumerate(queries)]


@pytest.mark.parametrize("name", [name for name in grid.LIVE if name != "none-2-layers"])
def test_stated_weights_by_offset_are_the_mean_attention_of_the_weights(name):
    tokens, _ = accuracy.test_set("look_back", LENGTH)
    mean = forward.run_model(committed(name), grid.LIVE[name], tokens).weights[0].mean(axis=0)
    for head, stated in zip(mean, row("heads", name)["weights"][0], strict=True):
        assert by_offset(head, 8) == pytest.approx(stated, abs=6e-5)


def test_the_stated_map_is_that_of_the_oracle():
    tokens = experiment_oracle.drawn(1, 16, 64)
    weights, _ = experiment_oracle.first_attention(oracle_model("learned"), tokens)
    for place, stated in enumerate(row("maps", "learned")["weights"][0]):
        assert stated == pytest.approx(weights[place, : place + 1], abs=6e-5)


@pytest.mark.parametrize("name", ["sinusoidal", "learned"])
def test_stated_scores_and_likeness_of_rows_are_those_of_the_oracle(name):
    model = oracle_model(name)
    for head, stated in enumerate(row("heads", name)["scores"][0]):
        scores = experiment_oracle.place_scores(model, head, LENGTH)
        assert by_offset(scores, BACK) == pytest.approx(stated, abs=1e-4)
    rows = experiment_oracle.added(model, LENGTH, WIDTH)
    alike = [[cosine(one, other) for other in rows] for one in rows]
    assert by_offset(alike, 0) == pytest.approx(row("heads", name)["likeness"][0], abs=6e-5)


def test_the_stated_match_with_the_head_built_by_hand_is_that_of_the_oracle():
    model = oracle_model("sinusoidal")
    rows, shift = experiment_oracle.added(model, LENGTH, WIDTH), np.zeros((WIDTH, WIDTH))
    for i in range(0, WIDTH, 2):
        s, c = rows[BACK, i : i + 2]  # the row of a place has its angles
        shift[i : i + 2, i : i + 2] = [[c, s], [-s, c]]
    lines = [rows[: p + 1] @ rows[p - BACK] for p in range(BACK, LENGTH)]
    built = np.concatenate([experiment_oracle.centred(line) for line in lines])
    stated = row("heads", "sinusoidal")
    for head, match in enumerate(stated["by_hand"][0]):
        trained = np.concatenate(experiment_oracle.place_scores(model, head, LENGTH)[BACK:])
        assert built @ trained / (built @ built) == pytest.approx(match["gain"], abs=1e-4)
        assert cosine(built, trained) == pytest.approx(match["correlation"], abs=1e-4)
        for entry, features in (("matrices", WIDTH), ("fast_matrices", 8)):
            part = np.s_[:features, :features]
            found = cosine(experiment_oracle.product(model, head)[part], shift[part])
            assert found == pytest.approx(stated[entry][0][head], abs=1e-4)


def test_a_share_of_right_answers_stands_beside_the_name_of_its_measure():
    """A place near the end of a long text is harder than one near its beginning."""
    for page in DOCS.glob("*.md"):
        for part in re.split(r"\n\n|\n *- ", page.read_text("utf-8")):
            of_the_end = {"last=True" in share for share in SHARE.findall(part)}
            named = {"last eight" in part, "last eight" in part and "all places" not in part}
            assert of_the_end <= named, (page.name, part)
