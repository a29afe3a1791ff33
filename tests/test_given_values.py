"""Values that words give to letters, as in `$d = 512$`, are those of the expressions beside them.

Package and oracle evaluate the same expression, so they agree on a number for another width than
the sentence says.
"""

import ast
import re

import pytest

from scripts import figures
from scripts.files import ROOT
from scripts.numbers import marks
from scripts.pages import contents

EXPRESSION = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
GIVEN = re.compile(r"\$([dnpkL]) = ([\d{},]+)\$")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
DEFAULTS = {("n", 10_000)}  # an expression may leave these out
PAGES = [page for page in contents.pages() if page.path.suffix == ".md"]


def given(text):
    """The letters with values in `text`."""
    return {(letter, int(re.sub(r"\D", "", value))) for letter, value in GIVEN.findall(text)}


def numbers(text):
    """The whole numbers in the expressions of `text`."""
    return {int(number) for part in EXPRESSION.findall(text) for number in NUMBER.findall(part)}


def sentences(text):
    """Sentences outside of code that state something and have an expression."""
    for paragraph in re.split(r"\n\s*\n", marks.CODE.sub("", text)):
        kept = EXPRESSION.findall(paragraph)
        words = EXPRESSION.sub("{{}}", paragraph)
        for sentence in re.findall(r".+?(?:[.?!;](?=\s)|$)", words, re.DOTALL):
            own = [kept.pop(0) for _ in range(sentence.count("{{}}"))]
            if own and not sentence.endswith("?"):
                yield sentence.replace("{{}}", "") + "".join(f"{{{{{code}}}}}" for code in own)


def missing(sentence):
    """The values of `sentence` that none of its expressions has; pairs may have half a width."""
    known = numbers(sentence)
    return {
        (letter, value)
        for letter, value in given(sentence) - DEFAULTS
        if value not in known and not (letter == "d" and value // 2 in known)
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_values_that_a_sentence_gives_stand_in_its_expressions(page):
    for sentence in sentences(page.path.read_text("utf-8")):
        assert missing(sentence) == set(), sentence


@pytest.mark.parametrize("name", figures.names())
def test_the_values_that_a_caption_gives_stand_in_the_code_of_its_figure(name):
    figure = figures.load(name)
    code = ast.parse((ROOT / "scripts" / "figures" / f"{name}.py").read_text("utf-8"))
    known = {node.value for node in ast.walk(code) if isinstance(node, ast.Constant)}
    known |= numbers(figure.CAPTION + figure.ALT)
    assert {value for _, value in given(figure.CAPTION) - DEFAULTS} <= known
