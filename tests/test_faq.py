"""docs/faq.md: each collected question has a heading, an answer and its threads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests import page_text

QUESTIONS = json.loads(
    (Path(__file__).parent / "data" / "questions" / "questions.json").read_text("utf-8")
)
each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: str(q["number"]))


def article():
    return page_text.article(page_text.pages()["faq/index.html"])


def answer(anchor):
    """The elements between the heading with the id `anchor` and the next heading."""
    (heading,) = article().xpath(f".//h3[@id='{anchor}']")
    parts = []
    for element in heading.itersiblings():
        if re.fullmatch("h[1-6]", str(element.tag)):
            break
        parts.append(element)
    return parts


def links(parts):
    return [link.get("href") for part in parts for link in part.iter("a")]


def test_the_questions_are_numbered_from_1_to_26():
    assert [question["number"] for question in QUESTIONS] == list(range(1, 27))


def test_every_heading_of_the_page_is_a_question_of_the_list():
    found = [heading.get("id") for heading in article().iter("h3")]
    assert sorted(found) == sorted(question["id"] for question in QUESTIONS)


@each_question
def test_an_answer_has_a_number_or_a_link_to_the_page_that_shows_it(question):
    parts = answer(question["id"])
    inside = [link for link in links(parts) if link.startswith("../") and "#" in link]
    numbers = [number for part in parts for number in part.iter("data")]
    assert inside, "no link to a section of another page"
    assert numbers or question["id"] == "every-layer"  # this answer needs no number


@each_question
def test_an_answer_links_to_the_threads_where_it_was_asked_and_to_no_others(question):
    found = {link for link in links(answer(question["id"])) if link.startswith("https://")}
    assert found == set(question["threads"])


@each_question
def test_the_contents_at_the_top_link_to_the_question(question):
    (contents,) = article().xpath("./ul")
    assert links([contents]).count(f"#{question['id']}") == 1


def test_the_threads_are_addresses_of_the_four_kinds():
    github = r"github\.com/[\w.-]+/[\w.-]+/(?:issues|pull)/\d+"
    exchange = r"(?:datascience|ai)\.stackexchange\.com/q/\d+"
    forum = r"discuss\.(?:d2l\.ai|pytorch\.org)/t/\d+"
    for question in QUESTIONS:
        for thread in question["threads"]:
            assert re.fullmatch(rf"https://(?:{github}|{exchange}|{forum})", thread), thread
