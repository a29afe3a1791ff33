"""The pages of questions: each collected question has a heading, an answer and its threads."""

import json
import math
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import posenc
from tests import page_text

QUESTIONS = json.loads(
    (Path(__file__).parent / "data" / "questions" / "questions.json").read_text("utf-8")
)
ANSWERS = [f"#{one['id']}" for one in QUESTIONS if "page" not in one]


def page_of(question):
    return question.get("page", "faq")


def article(page="faq"):
    return page_text.article(page_text.pages()[f"{page}/index.html"])


def answer(anchor, page="faq"):
    """The elements between the heading with the id `anchor` and the next heading."""
    (heading,) = article(page).xpath(f".//h3[@id='{anchor}']")
    parts = []
    for element in heading.itersiblings():
        if re.fullmatch("h[1-6]", str(element.tag)):
            break
        parts.append(element)
    return parts


def links(parts):
    return [link.get("href") for part in parts for link in part.iter("a")]


@pytest.mark.parametrize("page", ["faq", "serve-and-port"])
def test_every_heading_of_the_page_is_a_question_of_the_list(page):
    found = [heading.get("id") for heading in article(page).iter("h3")]
    assert sorted(found) == sorted(one["id"] for one in QUESTIONS if page_of(one) == page)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: str(q["number"]))
def test_an_answer_shows_something_and_links_to_a_page_its_threads_and_documents(question):
    parts = answer(question["id"], page_of(question))
    inside = [link for link in links(parts) if link.startswith("../") and "#" in link]
    shown = [element for part in parts for element in part.iter("data", "pre", "table", "dt")]
    assert inside, "no link to a section of another page"
    assert shown, "no number, run or table"
    outside = {link for link in links(parts) if link.startswith("https://")}
    assert outside == {*question["threads"], *question.get("documents", [])}


def test_the_contents_at_the_top_link_to_each_question_of_the_faq_once():
    contents, *_ = article().xpath("./ul")
    found = [link for link in links([contents]) if link in ANSWERS]
    assert sorted(found) == sorted(ANSWERS)


# The test that readers paste


def pasted():
    """The function `check` of the page."""
    (block,) = (part for part in answer("test-your-own") if part.xpath(".//pre"))
    scope = {}
    exec(block.xpath("string(.//pre)"), scope)
    return scope["check"]


def pairs(length, d, kind=np.float64):
    """Sines and cosines from angles in this dtype."""
    frequencies = np.asarray(10_000, kind) ** -(2 * np.arange(d // 2, dtype=kind) / d)
    angles = np.arange(length, dtype=kind)[:, None] * frequencies
    angles = angles.astype(np.float32) if kind == ml_dtypes.bfloat16 else angles
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(length, d)


def own_frequencies(length, d):
    """The slip of question 11: each column has a separate exponent."""
    angle = np.arange(length)[:, None] / 10_000 ** (np.arange(d) / d)
    return np.where(np.arange(d) % 2, np.cos(angle), np.sin(angle))


RIGHT = [
    posenc.positional_encoding,
    lambda n, d: posenc.positional_encoding(n, d, dtype=np.float32),
    lambda n, d: pairs(n, d, np.float32),
    pairs,
    lambda n, d: pairs(n, d).astype(ml_dtypes.bfloat16),  # cast last
    lambda n, d: pairs(n, d).astype(np.float16),
]
OTHERS = [  # the options of conventions with another formula, among them i instead of 2i, degrees
    *({"layout": "halves"}, {"freq_shift": 1}, {"base": 1000}, {"base": 100}, {"start": 1}),
    *({"order": "cos_first"}, {"amplitude_power": 0.5}, {"angle_scale": 180 / math.pi}),
]
WRONG = [
    *(posenc.Convention(**options).table for options in OTHERS),
    own_frequencies,
    lambda n, d: pairs(n, d, np.float16),  # the angles are rounded
    lambda n, d: pairs(n, d, ml_dtypes.bfloat16),
    lambda n, d: np.repeat(pairs(1, d), n, axis=0),  # the batch axis
    lambda n, d: pairs(n, d)[:, None],  # an axis too many
    lambda n, d: pairs(4096, d)[np.arange(n) % 4096],  # rows repeat
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # float16 overflows
def test_the_pasted_test_accepts_right_implementations_and_refuses_wrong_ones():
    text = " ".join(" ".join(part.itertext()) for part in answer("test-your-own"))
    assert "six right implementations, and on fourteen wrong ones" in " ".join(text.split())
    assert (len(RIGHT), len(WRONG)) == (6, 14)
    check = pasted()
    for make in RIGHT:
        check(make)
    for make in WRONG:
        with pytest.raises(AssertionError):
            check(make)


# The messages that readers paste


def quoted():
    return [term.xpath("string()") for part in answer("error-messages") for term in part.iter("dt")]


def message(error, action):
    with pytest.raises(error) as raised:
        action()
    return str(raised.value)


@pytest.mark.torch
def test_pytorch_raises_the_messages_that_the_page_quotes():
    torch = pytest.importorskip("torch")
    if not torch.__version__.startswith("2.13"):
        pytest.skip(f"the page quotes PyTorch 2.13, installed is {torch.__version__}")

    def odd():
        torch.zeros(10, 5)[:, 1::2] = torch.zeros(10, 3)

    table = torch.zeros(50, 1, 8)
    said = [
        message(RuntimeError, odd),
        message(RuntimeError, lambda: torch.zeros(32, 60, 8) + table[:60].transpose(0, 1)),
        message(RuntimeError, lambda: torch.zeros(64, 20, 8) + table[:64]),
        "IndexError: " + message(IndexError, lambda: torch.nn.Embedding(512, 8)(torch.arange(600))),
        message(
            RuntimeError,
            lambda: torch.nn.Linear(8, 8).bfloat16()(
                torch.zeros(1, 50, 8).bfloat16() + table[:, 0]
            ),
        ),
    ]
    for found in said:
        assert any(found.startswith(text) for text in quoted()), found
    assert (torch.zeros(32, 20, 8) + table[:32]).shape == (32, 20, 8)  # a smaller batch passes
