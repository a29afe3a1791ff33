"""Exercises that answer: right, nearly, or wrong; and what readers have without JavaScript."""

import re

import pytest

from scripts.files import DOCS
from tests import page_text
from tests.browsing import script
from tests.page_text import SITE
from tests.test_course import COURSE
from tests.test_pages import built

ASKED = [
    path.name
    for path in sorted(DOCS.glob("*.md"))
    if 'data-live="ask/start"' in path.read_text("utf-8")
]
each_page = pytest.mark.parametrize("name", ASKED)


def test_every_page_of_the_course_has_an_exercise_that_answers():
    assert set(COURSE[1:]) <= set(ASKED)


@pytest.mark.browser
@each_page
def test_an_exercise_knows_the_right_answer_and_each_slip(name, visit):
    page, told = visit(built(name)).page, script("asks.js", "told")
    for host in page.locator(".ask").all():
        host.scroll_into_view_if_needed()
        host.locator("form:not([inert])").wait_for()
        asks_for_number, said = host.evaluate(told)
        if asks_for_number:
            right, *slips, other, word = said
            assert right.startswith("Right.")
            assert [one for one in slips if not one.startswith("Not quite.")] == []
            assert other.startswith("Not yet. It is too")
            assert word.startswith("Write a number")
        else:
            for is_right, one in said:
                assert re.match(r"Right\. ." if is_right else r"Not so\. .", one)


@each_page
def test_without_javascript_the_question_is_open_and_the_answers_are_in_its_fold(name):
    for host in page_text.article(page_text.parsed(SITE / built(name))).xpath(".//*[@class='ask']"):
        (fold,) = host.xpath("./details")
        assert "".join(fold.getprevious().getprevious().itertext()).strip()
        assert fold.getprevious().get("inert") is not None
        first = fold.xpath(".//ul")[0]
        assert fold.xpath("./summary/following-sibling::*")[0] is first
        kinds = {(item.xpath(".//data | .//strong | .//em") or [None])[0].tag for item in first}
        assert kinds <= {"data"} or kinds == {"strong", "em"}
