"""A button on each block of code that copies it.

The theme could add these buttons (`content.code.copy`), but only once the page is shown, and it
would lay out the page again for each. So they are part of the page; the theme's script still does
the copying.
"""

from __future__ import annotations

import re
from itertools import count

_BLOCK = re.compile(r"(?<=<pre>)(<code)(>.*?</code>)", re.DOTALL)


def with_copy_buttons(html: str) -> str:
    """The page `html` with a button at the end of each block of code."""
    numbers = count(1)

    def with_button(found: re.Match[str]) -> str:
        name = f"code-{next(numbers)}"
        return (
            f'{found[1]} id="{name}"{found[2]}<span class="md-code__nav"><button type="button" '
            f'class="md-code__button" title="Copy to clipboard" data-md-type="copy" '
            f'data-clipboard-target="#{name}"></button></span>'
        )

    return _BLOCK.sub(with_button, html)
