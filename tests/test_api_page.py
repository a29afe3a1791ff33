"""The page of the package: every public name, as the package has it."""

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

PAGE = "api/index.html"
SOURCE = (DOCS / "api.md").read_text("utf-8")
# A class of `posenc` itself, what `Rotary` makes of frequencies, a union, and two modules.
ELSEWHERE = {"Rotary", "Given", "Scaling", "axes", "positions"}
NAMES = [
    *posenc.__all__,
    *(f"relative.{name}" for name in posenc.relative.__all__),
    *(f"rotary.{name}" for name in {*posenc.rotary.__all__} - ELSEWHERE),
    *(f"rotary.positions.{name}" for name in posenc.rotary.positions.__all__),
]
PUBLIC = {name: attrgetter(name)(posenc) for name in NAMES}


def article():
    return page_text.article(page_text.pages()[PAGE])


def entry(name):
    """The part of the page about the public `name`."""
    return article().xpath(f".//*[@id='posenc.{name}']/..")[0]


def text(element):
    return " ".join("".join(element.itertext()).split())


def test_the_page_has_every_public_name_once_and_no_other():
    assert sorted(re.findall(r"^::: posenc\.([\w.]+)$", SOURCE, re.M)) == sorted(NAMES)
    ids = article().xpath(".//h3[starts-with(@id, 'posenc.')]/@id")
    assert sorted(ids) == sorted(f"posenc.{name}" for name in NAMES)
    methods = article().xpath(".//h4[starts-with(@id, 'posenc.')]/@id")
    own = [
        f"posenc.{public}.{name}"
        for public, kind in PUBLIC.items()
        if isinstance(kind, type)
        for name, method in vars(kind).items()
        if name[0] != "_" and isinstance(method, (FunctionType, classmethod, property))
    ]
    assert sorted(methods) == sorted(own)


def test_a_signature_names_every_argument_with_its_default():
    for name, found in PUBLIC.items():
        if callable(found):
            shown = text(entry(name).xpath(".//div[contains(@class, 'doc-signature')]")[0])
            for parameter in inspect.signature(found).parameters.values():
                assert re.search(rf"\b{parameter.name}: \w", shown), (name, shown)
                if isinstance(parameter.default, (int, float, str)):
                    value = repr(parameter.default).replace("'", '"')
                    assert f"= {value}" in shown, (name, parameter)


def test_every_docstring_is_there_with_its_examples_as_code():
    for name, found in PUBLIC.items():
        shown = text(entry(name))
        if not callable(found):
            assert "by the library's name" in shown
            continue
        prose, *examples = re.split(r"^>>> ", inspect.getdoc(found), maxsplit=1, flags=re.M)
        first = prose.splitlines()[0].replace("`", "").replace("…", "...")
        code = " ".join(text(pre) for pre in entry(name).iter("pre"))
        lines = [line for example in examples for line in f">>> {example}".splitlines()]
        assert " ".join(first.split()) in shown
        assert [line for line in lines if " ".join(line.split()) not in code] == [], name
    assert ">>>" not in page_text.prose(article())
    assert not article().xpath(".//div[contains(@class, 'doc-contents')]//strong")


def test_public_names_in_docstrings_are_links_and_others_and_examples_are_not():
    made = markdown("As `encode`, not `own` of 2**53, `2**3`.\n\n>>> f(2**3)  # `encode`", "own")
    assert made.startswith("As [`encode`][posenc.encode], not `own` of 2⁵³, `2**3`.\n")
    assert ">>> f(2**3)  # `encode`\n" in made
    assert markdown("Raises as `encode` does.", "posenc.encode") == "Raises as `encode` does."
    assert article().xpath(".//a[@href='#posenc.Convention.encode'][code]")
    links = article().xpath(".//div[contains(@class, 'doc-contents')]//a/@href")
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
