"""A read-only mapping from names of libraries, whose errors list the names that come nearest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TypeVar

from posenc import _arguments
from posenc._renamed import warn_renamed

T = TypeVar("T")

_SAME = {"hf": "transformers", "t2t": "tensor2tensor"}


class Named(Mapping[str, T]):
    """The `entries`, sorted by name; those in `old` have another name now."""

    def __init__(self, entries: Mapping[str, T], old: Mapping[str, str] | None = None) -> None:
        self._entries, self._old = dict(sorted(entries.items())), dict(old or {})

    def __getitem__(self, name: str) -> T:
        if isinstance(name, str) and name in self._old:
            warn_renamed(name, self._old[name])
            return self._entries[self._old[name]]
        try:
            return self._entries[name]
        except (KeyError, TypeError):
            near = self.like(name) if isinstance(name, str) else []
            cure = f": perhaps {', '.join(map(repr, near[:5]))}" if near else ""
            raise KeyError(f"no library is named {_arguments.shown(name)}{cure}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)

    def like(self, words: str) -> list[str]:
        """The names that hold each of the `words`, or one that is spelt almost so."""
        wanted = [_SAME.get(word, word) for word in re.findall("[a-z0-9]+", words.lower())]
        return [name for name in self if wanted and all(_holds(name, word) for word in wanted)]


def _holds(name: str, word: str) -> bool:
    parts = name.lower().split("_")
    return word in "".join(parts) or bool(get_close_matches(word, parts, n=1, cutoff=0.8))
