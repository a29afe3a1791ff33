"""The numbers on the page of trained models again, from the committed weights of the first seed.

tests/test_experiments.py compares the pass that repeats them with the oracle's.
"""

import re

import numpy as np
import pytest

from scripts.experiments import accuracy, encodings, grid, results, store
from scripts.experiments.forward import Changes
from scripts.files import DOCS
from tests.committed_models import committed, row, same_share

BASE, LENGTH, WIDTH = 10_000.0, 32, 64
SPEEDS, PAIRS = encodings.frequencies(BASE), np.arange(16)
NEAREST, BUT_FASTEST = Changes(nearest=LENGTH), Changes(speeds=SPEEDS * (PAIRS > 0))
SHARE = re.compile(r"\{\{ *(?:\w+_)?accuracy\(.*?\}\}", re.DOTALL)


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


def numbers(found):
    """All numbers in objects and lists, in their order."""
    if isinstance(found, float | int):
        return [found]
    parts = found.values() if isinstance(found, dict) else found
    return [number for part in parts for number in numbers(part)]


@pytest.mark.parametrize(
    ("question", "name"),
    [*(("heads", name) for name in grid.LIVE if name != "none-2-layers"), ("maps", "learned")],
)
def test_what_is_stated_of_heads_is_measured_on_the_committed_weights(question, name, monkeypatch):
    finished = store.Finished(committed(name), {}, {})
    monkeypatch.setattr(store, "load", lambda _: finished)
    measure, _ = results.QUESTIONS[question]
    measured = measure(grid.LIVE[name])
    stated = {key: row(question, name)[key][0] for key in measured}
    assert numbers(measured) == pytest.approx(numbers(stated), abs=1e-4)


def test_a_share_of_right_answers_stands_beside_the_name_of_its_measure():
    """A place near the end of a long text is harder than one near its beginning."""
    for page in DOCS.glob("*.md"):
        for part in re.split(r"\n\n|\n *- ", page.read_text("utf-8")):
            of_the_end = {"last=True" in share for share in SHARE.findall(part)}
            named = {"last eight" in part, "last eight" in part and "all places" not in part}
            assert of_the_end <= named, (page.name, part)
