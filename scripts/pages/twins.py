"""A Markdown twin of each page, beside its folder: waves.md beside waves/, for tools and for diffs.

It is made from the page's own source: numbers and tables filled in, claims left out, a figure as
its alt text with a link, and HTML taken off. A twin has the name of its source, so that the links
between sources lead from twin to twin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts import figures, files
from scripts.files import DOCS
from scripts.numbers import counts, expressions, marks, tables, templates
from scripts.pages import contents, extension, front_matter, number_list, repository
from scripts.pages.docstring_list import markdown as documented

INDEX = "llms.txt"  # below the site
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_FOLD = re.compile(r'( *)(?:\?\?\?\+?|!!!|===) *(?:[\w-]+ *)?(?:"(.*)")?')
_KEPT = re.compile(rf"{marks.CODE.pattern}|\$\$.+?\$\$|(?<![\\$])\$(?!\$)[^$]+\$", re.S | re.M)
_PART = re.compile("\x02(\\d+)\x03")
_TABLE = re.compile(r"\{\{\s*(table\(.+?)\}\}(?=\s*(?:\n\n|\Z))", re.DOTALL)
_DOCUMENTED = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
_PICTURE = re.compile(r'^ *<div [^>]*role="img"[^>]*aria-label="([^"]*)".*?(?=\n\n)', re.S | re.M)
_SLIDERS = re.compile(r'(<div class="sliders".*?)\n- .*?(?=</div>)', re.DOTALL)
_SCRIPTED = re.compile(r'<(div|span) class="[^"]*\bscripted"[^>]*>.*?</\1>', re.DOTALL)
_IMAGE = re.compile(r'<img src="([^"]*)" alt="([^"]*)"[^>]*>')
_LINK = re.compile(r'<a href="(?:\.\./)?([^"]*)">(.*?)</a>', re.DOTALL)
_SPAN = re.compile(r'<span id="([\w-]+)"></span>')
_TAG = re.compile(r'<(?!a id="[^"]+"></a>|/a>)/?[a-z][^>]*>')
_ATTRIBUTES = re.compile(r" ?\{:? ?([#.][\w-]|[a-z-]+=)[^{}]*\}")
_CARD = re.compile(r"\[!\[\]\(\S+\)\{.*?\}\n(.+?)\]\((\S+?)\)\n\n.*?</div>", re.DOTALL)


def pages() -> dict[str, bytes]:
    """The twins of all pages of the site, and their list, by their paths there."""
    counts.offer()
    made = {_name(name): twin(DOCS / name).encode() for name in _sources()}
    return {**made, INDEX: _index().encode()}


def twin(path: Path) -> str:
    """The Markdown of the page `path` with everything filled in."""
    name = path.relative_to(DOCS).as_posix()
    source = files.page_text(path)
    if path.suffix == ".ipynb":
        text = _notebook(path.stem, source)
    else:
        text = _page(_FRONT.sub("", source))
    url = path.relative_to(DOCS).with_suffix("").as_posix()
    place = "../" * name.count("/") + ("" if url == "index" else f"{url}/")
    return f"{text.strip()}\n\nThe page with its pictures: [{url}]({place or './'})\n"


def _sources() -> list[str]:
    """The files of all pages, below docs/."""
    excluded = tuple(contents.settings().get("exclude_docs", "").split())
    paths = [*files.matching("docs/**/*.md"), *files.matching("docs/notebooks/*.ipynb")]
    names = sorted(path.relative_to(DOCS).as_posix() for path in paths)
    return [name for name in names if not name.startswith(excluded)]


def _name(source: str) -> str:
    return source.replace(".ipynb", ".md")


def _page(text: str) -> str:
    text = "\n".join(_unfolded(_listed(text).splitlines()))
    text = _changed(text, marks.CODE, _FILLED)
    text = _changed(text, _KEPT, _PLAIN)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r" +$", "", text, flags=re.MULTILINE))


def _changed(text: str, kept: re.Pattern[str], steps: list[tuple[re.Pattern[str], Any]]) -> str:
    """The text after all steps, which see nothing of the parts that `kept` matches."""
    parts: list[str] = []

    def keep(found: re.Match[str]) -> str:
        parts.append(found[0])
        return f"\x02{len(parts) - 1}\x03"

    text = kept.sub(keep, text)
    for pattern, made in steps:
        text = pattern.sub(made, text)
    return _PART.sub(lambda found: parts[int(found[1])], text)


def _listed(text: str) -> str:
    """The text with the lists of the build; the numbers of other pages stand on those."""
    rows = "[All rows as CSV](../numbers.csv)"
    for mark, made in extension.LISTS.items():
        if f"\n{mark}\n" in text:
            text = text.replace(f"\n{mark}\n", f"\n{made()}\n")
    text = _CARD.sub(r"- [\1](\2)", text)
    return marks.NUMBERS_OF.sub(
        lambda found: number_list.part(found[1], found[2], lambda _: rows), text
    )


def _unfolded(lines: list[str]) -> Iterator[str]:
    """Folds and tabs as a bold line, and their content without its indent."""
    inside: list[int] = []  # the indents of open folds
    for line in lines:
        indent = len(line) - len(line.lstrip())
        while inside and line.strip() and indent < inside[-1] + 4:
            inside.pop()
        own = line[4 * len(inside) :] if line.strip() else ""
        found = _FOLD.fullmatch(line)
        if found:
            inside.append(indent)
            own = f"{own[: len(own) - len(own.lstrip())]}**{found[2] or 'Note'}**\n"
        yield own


def _figure(found: re.Match[str]) -> str:
    folder, name = found.groups()
    module = figures.load(name)
    alt = templates.plain(module.ALT).replace("[", "(").replace("]", ")")
    caption = _page(" ".join(module.CAPTION.split()))
    return f'<a id="{contents.anchor(name)}"></a>![{alt}]({folder}{name}.svg)\n\n{caption}'


def _table(found: re.Match[str]) -> str:
    made = tables.table(found[1])
    head = [*([made.corner] if made.rows else []), *(made.columns or [""] * len(made.cells[0]))]
    labels = [[label] for label in made.rows] or [[]] * len(made.cells)
    rows = [
        label + [cell.text for cell in row] for label, row in zip(labels, made.cells, strict=True)
    ]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _attributes(found: re.Match[str]) -> str:
    """An anchor in place of a list of attributes with an id."""
    name = re.search(r"#([\w-]+)", found[0])
    return f'<a id="{name[1]}"></a>' if name else ""


_FILLED: list[tuple[re.Pattern[str], Any]] = [
    (_DOCUMENTED, lambda found: documented(found[1])),
    (_TABLE, _table),
    (re.compile(marks.CLAIM, re.DOTALL), ""),
    (re.compile(marks.NUMBER, re.DOTALL), lambda found: expressions.number(found[1]).text),
    (re.compile(rf"^ *{marks.FIGURE.pattern} *$", re.MULTILINE), _figure),
]
_PLAIN: list[tuple[re.Pattern[str], Any]] = [
    (_PICTURE, r"(\1)"),
    (_SLIDERS, r"\1"),
    (_SCRIPTED, ""),
    (_IMAGE, r"![\2](\1)"),
    (_LINK, r"[\2](\1)"),
    (_SPAN, r'<a id="\1"></a>'),
    (re.compile(r"^ *</?(?:div|noscript)\b[^>]*>\n?", re.MULTILINE), ""),
    (_TAG, ""),
    (_ATTRIBUTES, _attributes),
    (re.compile(r"(?<=\.)ipynb(?=[#)])"), "md"),
    (re.compile(r"(?<=\()([\w-]+)\.md(?=\?)"), r"\1/"),  # the page reads what stands behind "?"
    (re.compile(r"(?<=\S)\n(?=#+ )"), "\n\n"),
]


def _notebook(name: str, text: str) -> str:
    """The words and the code of a notebook, with the captions of its figures."""
    parts, drawn = [], 0
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(_page(source))
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            if "text" in output:
                parts.append(f"```text\n{''.join(output['text']).rstrip()}\n```")
        if shown := cell["metadata"].get("figure"):
            drawn += 1
            alt = templates.plain(shown["alt"])
            parts.append(f"![{alt}]({name}/figure-{drawn}.svg)\n\n{_page(shown['caption'])}")
    return "\n\n".join(parts)


def _index() -> str:
    """A line for each page of the navigation, below its door."""
    settings = contents.settings()
    lines = [f"# {settings['site_name']}", "", settings["site_description"]]
    for door, listed in contents.doors():
        lines += ["", f"## {door}", ""]
        for page in listed:
            meta, _ = front_matter.read(page.path)
            address = f"{repository.site()}{_name(page.name)}"
            lines.append(f"- [{page.title}]({address}): {meta['description']}")
    return "\n".join([*lines, ""])
