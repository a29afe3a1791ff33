"""How to cite a page or a figure: BibTeX, and one line of plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from scripts.files import ROOT
from scripts.pages import repository


@dataclass(frozen=True)
class Citation:
    """A citation in both forms."""

    bibtex: str
    plain: str


def citation(title: str, path: str, *, kind: str = "") -> Citation:
    """The citation of what stands at `path` below the site's address; `kind` is `Figure` or empty.

    Version and date are those of CITATION.cff, so that they change only with a release. The
    address is missing if nobody has said where the site is published.
    """
    said = _said()
    (author,) = (one["name"] for one in said["authors"])
    day = said["date-released"]
    release = f"posenc, version {said['version']}"
    title = title if path.strip("./") else said["title"]  # Home stands for the whole site
    address = repository.site() and repository.site() + path
    fields = {
        "author": f"{{{{{author}}}}}",
        "title": f"{{{_escaped(title)}}}",
        "howpublished": f"{{{f'{kind} in ' if kind else ''}{release}}}",
        "year": f"{day.year}",
        "month": f"{day:%b}".lower(),
        **({"url": f"{{{address}}}"} if address else {}),
    }
    key = "-".join(["posenc", *re.findall(r"[\w-]+", path)])
    lines = "".join(f"  {name} = {value},\n" for name, value in fields.items())
    named = f"{title.rstrip('.')} [{kind}]" if kind else title
    end = "" if named.endswith("?") else "."
    dated = f"{release} ({day.day} {day:%B %Y})."
    plain = f"{author[0].upper()}{author[1:]} ({day.year}). {named}{end} In: {dated} {address}"
    return Citation(f"@misc{{{key},\n{lines}}}", plain.rstrip())


def _escaped(title: str) -> str:
    """`title` as BibTeX wants it."""
    return re.sub(r"[&%$#_]", r"\\\g<0>", title)


@cache
def _said() -> dict[str, Any]:
    said: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return said
