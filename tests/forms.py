"""The forms that take a text or a file: what the tests of their pages share."""

import base64
import re

import pytest
from playwright.sync_api import expect

from tests.browsing import script


def fixtures(name):
    """`visited`, a visit to the page `name` that all tests share, and `page`, its form empty."""

    @pytest.fixture(scope="module")
    def visited(visiting):
        with visiting(name) as visit:
            visit.page.wait_for_selector(".we textarea")
            yield visit

    @pytest.fixture
    def page(visited):
        visited.page.locator(".we-clear").click()
        expect(visited.page.locator(".we-said")).to_be_empty()
        return visited.page

    return visited, page


def given_file(page, name, content):
    page.set_input_files(".we input[type=file]", {"name": name, "mimeType": "", "buffer": content})


def dropped(page, name=None, content=b"", text=""):
    """Drop a file, or else a text, into the page's box."""
    given = [name, base64.b64encode(content).decode(), text]
    page.evaluate(script("which_encoding.js", "drop"), given)


def expect_said(page, said, *, error=False):
    expect(page.locator(".we-said")).to_have_text(said)
    kind = re.compile("is-error") if error else re.compile(r"^we-said$|^we-said $")
    expect(page.locator(".we-said")).to_have_class(kind)
