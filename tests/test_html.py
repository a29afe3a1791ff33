"""The Nu HTML checker reads every built page. `make html` installs it and runs these tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
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


def test_the_html_checker_says_what_is_accepted_with_a_reason_and_nothing_else():
    jar = os.environ.get("VNU")
    if not jar:
        pytest.skip("the Nu HTML checker is not there: run `make html`")
    pages = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
    assert pages
    command = ["java", "-Xss4m", "-jar", Path(jar).resolve(), "--format", "json", *pages]
    done = subprocess.run(command, cwd=SITE, stderr=subprocess.PIPE, text=True, check=False)
    unused, others = {*ACCEPTED}, []
    for message in json.loads(done.stderr)["messages"]:
        reasons = {pattern for pattern in ACCEPTED if re.search(pattern, message["message"])}
        unused -= reasons
        place = f"{message['url']}:{message.get('lastLine')}"
        others += [] if reasons else [f"{place}: {message['message']}"]
    assert others == []
    assert not unused
