"""The live model computes what NumPy computes, and readers can do with it what its page says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scripts.experiments import accuracy, encodings, forward, weights
from scripts.experiments.generator import xorshift
from scripts.experiments.grid import LIVE, SCALINGS
from scripts.experiments.results import FOLDER
from scripts.experiments.runs import HEAD_WIDTH, LENGTH, VOCABULARY
from tests import site_files
from tests.browsing import script
from tests.page_text import SITE, gzipped

pytestmark = pytest.mark.browser

PAGE = "trained-models/index.html"
MODULES = site_files.address("assets/model/") if SITE.is_dir() else ""
LENGTHS = (1, 2, 3, 31, 32, 33, 64, 127, 128)
SEQUENCES = 64  # of the 256 in the test set

each_model = pytest.mark.parametrize("name", LIVE)


@pytest.fixture(scope="module")
def modules(visiting):
    """A function that calls one of tests/browser/live_model.js with the modules of the page."""
    with visiting("sources/index.html") as visit:
        yield lambda function, **given: visit.page.evaluate(
            script("live_model.js", function), {"folder": MODULES, **given}
        )


def unpacked(name):
    """The arrays and the options of a live model."""
    arrays, run, _ = weights.unpacked((FOLDER / f"{name}.safetensors").read_bytes())
    return arrays, run


# As in NumPy


@pytest.mark.parametrize("off", [False, True])
@each_model
def test_the_forward_pass_in_the_browser_is_numpys(name, off, modules):
    arrays, run = unpacked(name)
    run = replace(run, encoding="none") if off else run
    draw = xorshift(7)
    texts = [draw(VOCABULARY, (1, length)) for length in LENGTHS]
    passes = modules("passes", name=name, isOff=off, texts=[text[0].tolist() for text in texts])
    for found, text in zip(passes, texts, strict=True):
        exact = forward.run_model(arrays, run, text)
        np.testing.assert_allclose(found["logits"], exact.logits.ravel(), rtol=0, atol=1e-9)
        attention = np.concatenate([layer.ravel() for layer in exact.weights])
        np.testing.assert_allclose(found["weights"], attention, rtol=0, atol=1e-9)


def test_the_scalings_of_rope_are_numpys(modules):
    factors = [1, 33 / 32, 1.5, 2, 4]
    base = LIVE["rope"].base
    found = modules("frequencies", base=base, scalings=SCALINGS, factors=factors)
    exact = [[encodings.frequencies(base, name, factor) for factor in factors] for name in SCALINGS]
    assert np.shape(found) == (len(SCALINGS), len(factors), HEAD_WIDTH // 2)
    np.testing.assert_allclose(found, exact, rtol=1e-14)


@pytest.mark.parametrize("state", [1, 100_032, 2**31, 2**32 - 1])
@pytest.mark.parametrize("below", [1, 3, 16, 128])
def test_the_generator_in_the_browser_is_pythons(state, below, modules):
    found = modules("draws", state=state, below=below, count=300)
    assert found == xorshift(state)(below, (300,)).tolist()


def first_sequences(name, length, scaling):
    """The accuracy of NumPy's pass on the first sequences of the test set."""
    arrays, run = unpacked(name)
    tokens, right = (part[:SEQUENCES] for part in accuracy.test_set(run.task, length))
    speeds = encodings.frequencies(run.base, scaling, length / LENGTH)
    said = accuracy.answers(arrays, run, tokens, forward.Changes(speeds=speeds))
    shares = np.where(right[0] < 0, np.nan, (said == right).mean(axis=0))
    return accuracy.summary(shares)


@pytest.mark.parametrize(
    ("name", "scaling"),
    [*((name, "trained") for name in LIVE), *(("rope", scaling) for scaling in SCALINGS[1:])],
)
def test_the_live_model_has_numpys_accuracy_on_the_test_set(name, scaling, modules):
    for length in (LENGTH, 64):
        state = 100_000 + length
        given = {"name": name, "scaling": scaling, "length": length, "state": state}
        found = modules("accuracy", count=SEQUENCES, **given)
        assert found == pytest.approx(first_sequences(name, length, scaling), abs=1e-9)


@each_model
def test_the_weights_of_a_model_are_light(name):
    served = (SITE / "assets" / "model" / "weights" / f"{name}.safetensors").read_bytes()
    assert served == (FOLDER / f"{name}.safetensors").read_bytes()
    assert gzipped(served) <= 150_000
