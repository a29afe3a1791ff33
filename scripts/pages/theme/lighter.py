"""Finished pages and stylesheets with fewer bytes and elements, which read the same.

The theme's templates leave half of a page's lines empty, and Pygments gives each token of code a
`<span>`, even to a comma. Both cost the reader's browser time before it shows anything. The pages
look the same, except that code has no colours for most names, for operators and for punctuation.
"""

from __future__ import annotations

import re
from itertools import groupby

# Classes for which the theme has no colour or a shade of the text: names, operators, punctuation,
# prompts. On this site they have the colour of the text, and need no span.
PLAIN = "n kc p o ow ge gh go gp gr gs gt gu na nv vc vg vi fm sa w"
# Classes that look alike in the theme and the site's stylesheet; the first stands for all.
ALIKE = (
    "s cpf l s1 s2 sb sc si ss",
    "cp se sh sr sx",
    "m il mb mf mh mi mo",
    "k kd kn kp kr kt nd ni nl nt",
    "nb bp no",
    "nc ne nf nn",
    "c c1 ch cm cs sd",
)
_LOOK = dict.fromkeys(PLAIN.split(), "") | {
    name: names.split()[0] for names in ALIKE for name in names.split()
}
_KEPT = re.compile(
    r'(<(?P<name>code|pre|script|style|textarea)\b.*?</(?P=name)>|<[^<>"]*(?:"[^"]*"[^<>"]*)*>)',
    re.DOTALL,
)
_EMPTY = "(?:<span></span>)?"  # Pygments starts with one
_CODE = re.compile(
    rf'(?<=<pre>){_EMPTY}(<code(?: id="[^"]*")?>){_EMPTY}(.*?)(?=</code>)', re.DOTALL
)
_SPACES = re.compile(r"(\"[^\"]*\")|\s*([{};,])\s*|(:)\s+|\s+")  # not those within a string
_PIECE = re.compile(r'<span class="(\w+)">([^<]*)</span>|([^<]+)|(<[^>]+>)')


def lighter(html: str) -> str:
    """The page `html` without spaces that browsers do not show, with fewer spans in its code."""
    parts = _KEPT.split(html)  # text, an element or tag that keeps its spaces, its name, text, ...
    parts[::3] = [re.sub(r"[ \t\n\r\f]+", " ", text) for text in parts[::3]]
    del parts[2::3]
    return _CODE.sub(lambda found: found[1] + _code(found[2]), "".join(parts).lstrip())


def lighter_css(sheet: str) -> str:
    """The stylesheet `sheet` without comments and without spaces that say nothing."""
    bare = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    return _SPACES.sub(lambda found: found[1] or found[2] or found[3] or " ", bare).strip()


def _code(code: str) -> str:
    """The inside of a block of code, in which neighbours of one look share a span."""
    return "".join(
        text if look in ("", "<") else f'<span class="{look}">{text}</span>'
        for look, text in _runs(code)
    )


def _runs(code: str) -> list[tuple[str, str]]:
    """(look, text) of neighbours of one look; "<" for other tags, "" for text without a look.

    Spaces take the look of what precedes them.
    """
    pieces: list[tuple[str, str]] = []
    for name, spanned, text, tag in _PIECE.findall(code):
        text = spanned or text or tag
        look = "<" if tag else _LOOK.get(name, name)
        if look != "<" and not text.strip():
            look = pieces[-1][0] if pieces else ""
        pieces.append((look, text))
    return [
        (look, "".join(text for _, text in group))
        for look, group in groupby(pieces, key=lambda piece: piece[0])
    ]
