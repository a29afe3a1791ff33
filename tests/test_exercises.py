"""Exercises that answer: right, nearly, or wrong; and what readers have without JavaScript."""

import pytest

from scripts.files import DOCS
from tests import page_text
from tests.test_course import COURSE
from tests.test_pages import built

ASKED = [
    path.name
    for path in sorted(DOCS.glob("*.md"))
    if 'data-live="ask/start"' in path.read_text("utf-8")
]


def items(host):
    """The answers of an exercise: each item of its list."""
    return host.locator("details ul").first.locator(":scope > li").all()


def answered(host, given):
    host.locator("input").fill(given)
    host.get_by_role("button", name="Check").click()
    return host.locator("output").inner_text()


def test_every_page_of_the_course_has_an_exercise_that_answers():
    assert set(COURSE[1:]) <= set(ASKED)


@pytest.mark.browser
@pytest.mark.parametrize("name", ASKED)
def test_an_exercise_knows_the_right_answer_and_each_slip(name, visit):
    page = visit(built(name)).page
    for host in page.locator(".ask").all():
        host.scroll_into_view_if_needed()
        host.locator("form:not([inert])").wait_for()
        if host.locator("input").count() == 0:
            for item, button in zip(
                items(host), host.locator(".ask-form button").all(), strict=True
            ):
                button.click()
                right = item.locator("strong, em").first.evaluate("e => e.tagName") == "STRONG"
                said = host.locator("output").inner_text()
                assert said.startswith("Right." if right else "Not so.")
                assert len(said) > len("Not so. ")
            continue
        numbers = [item.locator("data").first for item in items(host)]
        for number, item in enumerate(numbers):
            said = answered(host, item.text_content())
            assert said.startswith("Not quite." if number else "Right."), (name, said)
        right = numbers[0].evaluate("e => Number(e.value)")
        assert answered(host, f"{17.3 * right + 1e4}").startswith("Not yet. It is too")
        assert answered(host, "many").startswith("Write a number")


@pytest.mark.parametrize("name", ASKED)
def test_without_javascript_the_question_is_open_and_the_answers_are_in_its_fold(name):
    for host in page_text.article(page_text.pages()[built(name)]).xpath(".//*[@class='ask']"):
        (fold,) = host.xpath("./details")
        assert "".join(fold.getprevious().getprevious().itertext()).strip()
        assert fold.getprevious().get("inert") is not None
        first = fold.xpath(".//ul")[0]
        assert fold.xpath("./summary/following-sibling::*")[0] is first
        kinds = {(item.xpath(".//data | .//strong | .//em") or [None])[0].tag for item in first}
        assert kinds <= {"data"} or kinds == {"strong", "em"}
