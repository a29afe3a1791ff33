"""The Nu HTML checker reads every built page. `make html` installs it and runs these tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.page_text import SITE

# Messages of the checker that are accepted, and why. Any other message fails the test.
ACCEPTED = {
    r"Attribute “(displaystyle|scriptlevel)” not allowed on element “m\w+”": (
        "MathML Core allows both on every element; the checker knows MathML 3"
    ),
    r"violates Content Security Policy \(meta tag\)": (
        "the checker reads files, for which it takes nothing as 'self', and hashes no script"
    ),
    r"Attribute “autocomplete” is only allowed when the input type is": (
        "the theme's two checkboxes; without it, Firefox opens the drawer again after a reload"
    ),
    r"Bad value “” for attribute “tabindex” on element “label”": (
        "the theme's, whose script finds the labels of the navigation by this attribute"
    ),
    r"with a “blocking” attribute must have a “rel” attribute whose value is “stylesheet”": (
        "the HTML standard allows the attribute with rel=expect; the checker does not know that"
    ),
    r"Trailing slash on void elements has no effect": "a remark; attributes have quotes",
}


@cache
def messages():
    """The checker's messages, or a skipped test without the checker."""
    jar = os.environ.get("VNU")
    if not jar:
        pytest.skip("the Nu HTML checker is not there: run `make html`")
    pages = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
    assert pages
    command = ["java", "-Xss4m", "-jar", Path(jar).resolve(), "--format", "json", *pages]
    done = subprocess.run(command, cwd=SITE, stderr=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stderr)["messages"]


def test_the_html_checker_finds_nothing_that_is_not_accepted_with_a_reason():
    found = [
        f"{message['url']}:{message.get('lastLine')}: {message['message']}"
        for message in messages()
        if not any(re.search(pattern, message["message"]) for pattern in ACCEPTED)
    ]
    assert found == []


@pytest.mark.parametrize("pattern", ACCEPTED)
def test_each_accepted_message_still_comes(pattern):
    assert any(re.search(pattern, message["message"]) for message in messages())
