"""The page "What does my config say?" reads a config as `Rotary.from_config` does."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import Rotary
from tests import site_files
from tests.browsing import script
from tests.page_text import SITE
from tests.test_rotary_config import CONFIGS, FIVE, KEYS, NESTED, SCALINGS, VALUES, WRONG
from tests.test_rotary_models import MODELS

pytestmark = pytest.mark.browser

FOLDER = site_files.address("assets/config/") if SITE.is_dir() else ""
LENGTHS = (None, 1000.0, 131_072.0, 1e7)


@pytest.fixture(scope="module")
def answers(visiting):
    """A function that gives the answers of the page's modules to configs."""
    with visiting("sources/index.html") as visit:

        def asked(*configs):
            texts = [json.dumps(config) for config in configs]
            question = {"folder": FOLDER, "texts": texts, "lengths": LENGTHS}
            return visit.page.evaluate(script("config.js", "answers"), question)

        yield asked


def tried(function, *given):
    """What `function` returns, or the words of its error."""
    try:
        return function(*given)
    except (TypeError, ValueError) as error:
        return str(error)


def in_python(config):
    """The encodings that `from_config` finds, by layer type, or the words of its error."""
    found = tried(Rotary.from_config, config)
    return {None: found} if isinstance(found, Rotary) else found


def options(rotary):
    """The fields of an encoding, as the page names them."""
    scaling = rotary.scaling
    held = scaling and {"type": type(scaling).__name__, **asdict(scaling)}
    return json.loads(json.dumps({**vars(rotary), "scaling": held}))


BEYOND = "base and scaling must keep frequencies within float64, got "


def assert_same(found, wanted):
    """Both are the same words, but for frequencies that only Python's decimals can hold."""
    if BEYOND in wanted:
        found, wanted = found.partition("got")[0], wanted.partition("got")[0]
    assert escaped(found) == escaped(wanted)


def escaped(text):
    """Without the characters that only one of two versions of Unicode knows."""
    return re.sub(r"[^ -~]", lambda one: one[0].encode("unicode_escape").decode(), text)


def assert_as_in_python(found, config):
    wanted = in_python(config)
    if isinstance(wanted, str):
        assert_same(found, wanted)
        return
    assert not isinstance(found, str), found
    assert [kind for kind, _ in found] == list(wanted)
    for (_, one), rotary in zip(found, wanted.values(), strict=True):
        computed = [one.pop("frequencies"), one.pop("attention")]
        assert one == options(rotary)
        for length, frequencies, attention in zip(LENGTHS, *computed, strict=True):
            exact = tried(rotary.frequencies, length)
            if isinstance(exact, str):
                assert_same(frequencies, exact)
            else:
                np.testing.assert_allclose(frequencies, exact, rtol=1e-12, err_msg=str(length))
            np.testing.assert_allclose(attention, rotary.attention_factor(length), rtol=1e-12)


EVERY = {
    **{name: config for name, (config, _) in CONFIGS.items()},
    **{name: {"head_dim": 8, **FIVE[name]["options"]} for name in FIVE},
    **{f"wrong: {message}": config for message, config in WRONG.items()},
    **MODELS,
}


def test_the_page_reads_every_config_of_the_tests_as_python_does(answers):
    for (name, config), found in zip(EVERY.items(), answers(*EVERY.values()), strict=True):
        try:
            assert_as_in_python(found, config)
        except AssertionError as error:
            raise AssertionError(name) from error


@settings(max_examples=100)
@given(
    st.dictionaries(st.sampled_from(KEYS), VALUES),
    st.dictionaries(
        st.sampled_from(("rope_scaling", "rope_parameters", "text_config")),
        VALUES | SCALINGS | NESTED,
    ),
)
def test_the_page_reads_any_config_as_python_does(answers, config, scaling):
    config = {"head_dim": 8, **config, **scaling}
    (found,) = answers(config)
    assert_as_in_python(found, config)
