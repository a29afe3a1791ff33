"""The two pages of the package: every public name, as the package has it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from operator import attrgetter
from types import FunctionType

import posenc
from scripts.files import DOCS
from scripts.pages.docstrings import markdown
from tests import page_text

PAGES = "api", "api-rotary"
SOURCE = "".join((DOCS / f"{page}.md").read_text("utf-8") for page in PAGES)
# A class of `posenc` itself, what `Rotary` makes of frequencies, a union, and two modules.
ELSEWHERE = {"Rotary", "Given", "Scaling", "axes", "positions"}
NAMES = [
    *posenc.__all__,
    *(f"relative.{name}" for name in posenc.relative.__all__),
    *(f"rotary.{name}" for name in {*posenc.rotary.__all__} - ELSEWHERE),
    *(f"rotary.axes.{name}" for name in posenc.rotary.axes.__all__),
    *(f"rotary.positions.{name}" for name in posenc.rotary.positions.__all__),
]
PUBLIC = {name: attrgetter(name)(posenc) for name in NAMES}


def found(path):
    """What `path` finds in the articles of both pages."""
    articles = (page_text.article(page_text.pages()[f"{page}/index.html"]) for page in PAGES)
    return [one for article in articles for one in article.xpath(path)]


def entry(name):
    """The part of a page about the public `name`."""
    (heading,) = found(f".//*[@id='posenc.{name}']")
    return heading.getparent()


def text(element):
    return " ".join("".join(element.itertext()).split())


def test_the_page_has_every_public_name_once_and_no_other():
    assert sorted(re.findall(r"^::: posenc\.([\w.]+)$", SOURCE, re.M)) == sorted(NAMES)
    ids = found(".//h3[starts-with(@id, 'posenc.')]/@id")
    assert sorted(ids) == sorted(f"posenc.{name}" for name in NAMES)
    methods = found(".//h4[starts-with(@id, 'posenc.')]/@id")
    own = [
        f"posenc.{public}.{name}"
        for public, kind in PUBLIC.items()
        if isinstance(kind, type)
        for name, method in vars(kind).items()
        if name[0] != "_" and isinstance(method, (FunctionType, classmethod, property))
    ]
    assert sorted(methods) == sorted(own)


def test_a_signature_names_every_argument_with_its_default():
    for name, public in PUBLIC.items():
        if callable(public):
            shown = text(entry(name).xpath(".//div[contains(@class, 'doc-signature')]")[0])
            for parameter in inspect.signature(public).parameters.values():
                if parameter.name[0] == "_":
                    assert parameter.name not in shown
                    continue
                assert re.search(rf"\b{parameter.name}: \w", shown), (name, shown)
                if isinstance(parameter.default, (int, float, str)):
                    value = repr(parameter.default).replace("'", '"')
                    assert f"= {value}" in shown, (name, parameter)


def test_the_example_of_each_function_and_of_each_method_of_two_classes_calls_it():
    called = [public for public in PUBLIC.values() if isinstance(public, FunctionType)]
    for kind in (posenc.Convention, posenc.Grid):
        called += [one for name, one in vars(kind).items() if name[0] != "_" and callable(one)]
    for one in called:
        assert f"{one.__name__}(" in one.__doc__.partition(">>> ")[2], one


def test_every_docstring_is_there_with_its_examples_as_code():
    for name, public in PUBLIC.items():
        shown = text(entry(name))
        if not callable(public):
            assert "by the library's name" in shown
            continue
        prose, *examples = re.split(r"^>>> ", inspect.getdoc(public), maxsplit=1, flags=re.M)
        first = prose.splitlines()[0].replace("`", "").replace("…", "...")
        code = " ".join(text(pre) for pre in entry(name).iter("pre"))
        lines = [line for example in examples for line in f">>> {example}".splitlines()]
        assert " ".join(first.split()) in shown
        assert [line for line in lines if " ".join(line.split()) not in code] == [], name
    for article in found("."):
        assert ">>>" not in page_text.prose(article)
    assert not found(".//div[contains(@class, 'doc-contents')]//strong")


def test_public_names_in_docstrings_are_links_and_others_and_examples_are_not():
    made = markdown("As `encode`, not `own` of 2**53, `2**3`.\n\n>>> f(2**3)  # `encode`", "own")
    assert made.startswith("As [`encode`][posenc.encode], not `own` of 2⁵³, `2**3`.\n")
    assert ">>> f(2**3)  # `encode`\n" in made
    assert markdown("Raises as `encode` does.", "posenc.encode") == "Raises as `encode` does."
    of_a_method = ("posenc.Convention.table", ["encode", "table"])
    assert markdown("As `encode`.", *of_a_method) == "As [`encode`][posenc.Convention.encode]."
    assert markdown("An `encode`.", "posenc.own", arguments=["encode"]) == "An `encode`."
    assert not entry("Rotary").xpath("./div//a[@href='../api/#posenc.frequencies']")
    assert found(".//a[@href='#posenc.Convention.encode'][code]")
    links = found(".//div[contains(@class, 'doc-contents')]//a/@href")
    assert links.count("#posenc.encode") > 5


def test_the_command_answers_as_the_page_says(tmp_path):
    blocks = re.findall(r"^```(bash|text)\n(.*?)^```$", SOURCE, re.M | re.S)
    (_, commands), (_, answer) = blocks
    code = re.search(r'^python -c "(.*?)"$', commands, re.M | re.S)[1]
    assert commands.endswith("python -m posenc identify table.npy\n")
    run = {"cwd": tmp_path, "check": True, "capture_output": True, "text": True}
    subprocess.run([sys.executable, "-c", code], **run)
    command = [sys.executable, "-m", "posenc", "identify", "table.npy"]
    assert subprocess.run(command, **run).stdout == answer
