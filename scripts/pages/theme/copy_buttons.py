"""A button on each block of code that copies it.

The theme could add these buttons (`content.code.copy`), but only once the page is shown, and it
would lay out the page again for each. So they are part of the page; the theme's script still does
the copying.
"""

from __future__ import annotations

import re
from itertools import count

_BLOCK = re.compile(r"<pre><code>(.*?)</code>", re.DOTALL)
_SIGNATURE = '<div class="doc-signature highlight">'


def with_copy_buttons(html: str) -> str:
    """The page `html` with a button at the end of each block of code that a reader can paste.

    Signatures and `>>>` examples get none, and lose their `<code>`: the theme takes a millisecond
    to prepare each `pre > code`, on the page of the package longer than for everything else.
    """
    numbers = count(1)

    def with_button(found: re.Match[str]) -> str:
        code = found[1]
        is_example = re.sub(r"<[^>]*>", "", code).startswith("&gt;&gt;&gt; ")
        if is_example or html.endswith(_SIGNATURE, 0, found.start()):
            return f'<pre class="doc-code">{code}'
        name = f"code-{next(numbers)}"
        return (
            f'<pre><code id="{name}">{code}</code><span class="md-code__nav"><button type="button" '
            f'class="md-code__button" title="Copy to clipboard" data-md-type="copy" '
            f'data-clipboard-target="#{name}"></button></span>'
        )

    return _BLOCK.sub(with_button, html)
