"""The buttons that copy blocks of code: each has its block, and copies all of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import page_text


def test_each_block_of_the_site_has_its_button_but_no_signature_or_example():
    bare = 0
    for name, root in page_text.pages().items():
        blocks = root.xpath("//pre/code/@id")
        buttons = "//pre/code/following-sibling::span/button/@data-clipboard-target"
        assert [f"#{block}" for block in blocks] == root.xpath(buttons), name
        assert len(root.xpath("//@data-clipboard-target")) == len(blocks), name
        assert len(root.xpath("//pre/code")) == len(blocks), name
        assert not root.xpath("//*[contains(@class, 'doc-signature')]//pre/code"), name
        assert not root.xpath("//pre/code[starts-with(normalize-space(), '>>> ')]"), name
        bare += len(root.xpath("//pre[@class='doc-code']"))
    assert bare


@pytest.mark.browser
@pytest.mark.parametrize("name", ["formula/index.html", "notebooks/numpy/index.html"])
def test_a_button_copies_its_block_and_says_so(name, visit):
    page = visit(name, permissions=["clipboard-read", "clipboard-write"]).page
    block = page.locator(".highlight pre:visible").last
    block.hover()
    block.get_by_role("button", name="Copy to clipboard").click()
    expect(page.locator(".md-dialog")).to_contain_text("Copied to clipboard")
    code = block.locator("code").text_content()
    assert page.evaluate("navigator.clipboard.readText()") == code.rstrip()
    assert code.count("\n") > 1
