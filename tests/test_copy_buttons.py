"""The buttons that copy blocks of code: each has its block, and copies all of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from scripts.pages.theme.copy_buttons import with_copy_buttons
from tests import page_text


def button(number):
    return (
        '<span class="md-code__nav"><button type="button" class="md-code__button" '
        f'title="Copy to clipboard" data-md-type="copy" data-clipboard-target="#code-{number}">'
        "</button></span>"
    )


def test_each_block_gets_a_name_and_a_button_after_its_code_but_no_signature_or_example():
    page = (
        "<p><code>a</code></p><pre><code>b\nc</code></pre><pre>output</pre>"
        '<div class="doc-signature highlight"><pre><code>f(p)</code></pre></div>'
        '<pre><code>&gt;<span class="k">&gt;&gt; </span>f(1)</code></pre><pre><code>d</code></pre>'
        '<pre class="doc-code">e</pre>'
    )
    assert with_copy_buttons(page) == (
        f'<p><code>a</code></p><pre><code id="code-1">b\nc</code>{button(1)}</pre><pre>output</pre>'
        '<div class="doc-signature highlight"><pre class="doc-code">f(p)</pre></div>'
        '<pre class="doc-code">&gt;<span class="k">&gt;&gt; </span>f(1)</pre>'
        f'<pre><code id="code-2">d</code>{button(2)}</pre><pre class="doc-code">e</pre>'
    )


def test_each_block_of_the_site_has_its_button():
    for name, root in page_text.pages().items():
        blocks = root.xpath("//pre/code/@id")
        buttons = "//pre/code/following-sibling::span/button/@data-clipboard-target"
        assert [f"#{block}" for block in blocks] == root.xpath(buttons), name
        assert len(root.xpath("//@data-clipboard-target")) == len(blocks), name
        assert len(root.xpath("//pre/code")) == len(blocks), name


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
