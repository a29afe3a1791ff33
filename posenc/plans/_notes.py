"""What a plan notes beside its groups: oddities, and programs that compute something else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Odd:
    """Something in a file that is missing, disagrees, or is not read.

    `code` is one word for the kind, `text` a sentence, `group` the layers it is about, if not all.
    """

    code: str
    text: str
    group: str | None = None


@dataclass(frozen=True)
class Difference:
    """One number that programs compute in different ways from the same file.

    `here` is the plan's value; `others` holds the program, its value (None: it refuses the file)
    and the source: repository, file and commit.
    """

    what: str
    here: float | str
    others: tuple[tuple[str, float | str | None, str], ...]
    group: str | None = None
