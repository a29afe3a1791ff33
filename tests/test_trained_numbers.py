"""The numbers on the page of trained models again, from the committed weights of the first seed.

The pass over whole test sets repeats them, and the oracle's loops over places repeat that pass.
"""

import re

import numpy as np
import pytest

from scripts.experiments import accuracy, encodings, forward, grid
from scripts.experiments.forward import Changes
from scripts.files import DOCS
from tests import experiment_oracle
from tests.committed_models import FOLDER, committed, row, same_share

BASE, BACK, LENGTH, WIDTH = 10_000.0, 3, 32, 64
SPEEDS = encodings.frequencies(BASE)
NEAREST = Changes(nearest=LENGTH)
SHARE = re.compile(r"\{\{ *(?:\w+_)?accuracy\(.*?\}\}", re.DOTALL)
BUT_FASTEST = Changes(speeds=SPEEDS * (np.arange(len(SPEEDS)) > 0))


def in_loops(name):
    return experiment_oracle.model(FOLDER / f"{name}.safetensors")


def cosine(one, other):
    """The cosine between two vectors."""
    return one @ other / np.sqrt((one @ one) * (other @ other))


def slowed(first, last):
    """The speeds, of which those of the pairs from `first` to before `last` are halved."""
    pairs = np.arange(len(SPEEDS))
    return Changes(speeds=np.where((first <= pairs) & (pairs < last), SPEEDS / 2, SPEEDS))


def with_pairs(count, length):
    """The sinusoidal rows with only the fastest `count` pairs."""
    rows = encodings.rows(np.arange(length), BASE)
    return Changes(rows=rows * (np.arange(WIDTH) < 2 * count))


def turning(count):
    """The speeds, of which only the fastest `count` are not zero."""
    return Changes(speeds=np.where(np.arange(len(SPEEDS)) < count, SPEEDS, 0))


# Two passes agree


@pytest.mark.parametrize(
    ("name", "changes", "in_words"),
    [
        ("rope", slowed(1, 16), {"speeds": slowed(1, 16).speeds}),
        ("rope", turning(2), {"speeds": turning(2).speeds}),
        ("sinusoidal", with_pairs(4, 64), {"pairs": 4}),
        *((name, NEAREST, {"nearest": LENGTH}) for name in ("sinusoidal", "rope")),
    ],
)
def test_a_changed_model_gives_the_logits_of_the_plain_loops(name, changes, in_words):
    tokens, _ = accuracy.test_set("look_back", 64)
    again = experiment_oracle.logits(in_loops(name), tokens[3].tolist(), **in_words)
    found = forward.run_model(committed(name), grid.LIVE[name], tokens[3:4], changes).logits[0]
    np.testing.assert_allclose(found, again, rtol=0, atol=1e-5)


# The committed weights give the stated numbers


AT = (32, *(pytest.param(longer, marks=pytest.mark.thorough) for longer in (64, 128)))


@pytest.mark.parametrize("name", grid.LIVE)
@pytest.mark.parametrize("length", AT)
def test_stated_accuracies_are_those_of_the_committed_weights(name, length):
    assert_stated(row("lengths", name)["lengths"][str(length)], name, length)


@pytest.mark.thorough
@pytest.mark.parametrize("scaling", grid.SCALINGS)
def test_stated_accuracies_with_a_scaling_are_those_of_the_committed_weights(scaling):
    changes = Changes(encodings.frequencies(BASE, scaling, 4))
    assert_stated(row("scalings", "rope")["scalings"][scaling]["128"], "rope", 128, changes)


@pytest.mark.parametrize(
    ("entries", "name", "length", "changes"),
    [
        (("scalings", "fast_pairs_slowed", "1"), "rope", 64, slowed(0, 1)),
        (("scalings", "fast_pairs_kept", "1"), "rope", 64, slowed(1, 16)),
        (("pairs", "fastest", "32", "1"), "rope", LENGTH, turning(1)),
        (("pairs", "fastest", "64", "4"), "sinusoidal", 64, with_pairs(4, 64)),
        (("pairs", "all_but_fastest"), "rope", LENGTH, BUT_FASTEST),
        *((("nearest", "lengths", "64"), name, 64, NEAREST) for name in ("rope", "sinusoidal")),
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


def test_the_stated_map_is_that_of_the_plain_loops():
    tokens = experiment_oracle.drawn(1, 16, 64)
    again = experiment_oracle.first_attention(in_loops("learned"), tokens)
    for found, heads in zip(row("maps", "learned")["weights"][0], again, strict=True):
        assert found == pytest.approx(heads[0], abs=6e-5)


@pytest.mark.parametrize("name", ["sinusoidal", "learned"])
def test_stated_scores_and_likeness_of_rows_are_those_of_the_plain_loops(name):
    model = in_loops(name)
    for head, stated in enumerate(row("heads", name)["scores"][0]):
        scores = experiment_oracle.place_scores(model, head, LENGTH)
        assert by_offset(scores, BACK) == pytest.approx(stated, abs=1e-4)
    rows = [experiment_oracle.added(model, place, WIDTH) for place in range(LENGTH)]
    alike = [[cosine(one, other) for other in rows] for one in rows]
    assert by_offset(alike, 0) == pytest.approx(row("heads", name)["likeness"][0], abs=6e-5)


def test_the_stated_match_with_the_head_built_by_hand_is_that_of_the_plain_loops():
    model, speeds = in_loops("sinusoidal"), BASE ** (-np.arange(0, WIDTH, 2) / WIDTH)
    shift = np.zeros((WIDTH, WIDTH))
    for i, angle in enumerate(BACK * speeds):
        c, s = np.cos(angle), np.sin(angle)
        shift[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    dots = [np.cos(k * speeds).sum() for k in range(LENGTH)]
    lines = [[dots[abs(p - q - BACK)] for q in range(p + 1)] for p in range(LENGTH)]
    built = np.concatenate([experiment_oracle.centred(line) for line in lines[BACK:]])
    stated = row("heads", "sinusoidal")
    for head, match in enumerate(stated["by_hand"][0]):
        trained = np.concatenate(experiment_oracle.place_scores(model, head, LENGTH)[BACK:])
        assert built @ trained / (built @ built) == pytest.approx(match["gain"], abs=1e-4)
        assert cosine(built, trained) == pytest.approx(match["correlation"], abs=1e-4)
        for entry, features in (("matrices", WIDTH), ("fast_matrices", 8)):
            part = np.s_[:features, :features]
            found = cosine(
                experiment_oracle.product(model, head)[part].ravel(), shift[part].ravel()
            )
            assert found == pytest.approx(stated[entry][0][head], abs=1e-4)


def test_a_share_of_right_answers_stands_beside_the_name_of_its_measure():
    """A place near the end of a long text is harder than one near its beginning."""
    for page in DOCS.glob("*.md"):
        for part in re.split(r"\n\n|\n *- ", page.read_text("utf-8")):
            of_the_end = {"last=True" in share for share in SHARE.findall(part)}
            named = {"last eight" in part, "last eight" in part and "all places" not in part}
            assert of_the_end <= named, (page.name, part)
