"""`python -m posenc identify FILE`: find the convention that made the tables in a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from posenc.conventions import Convention
from posenc.identification import Match, _files, identify

_MATCHES = 3  # answers printed for each table
_NOTHING = (
    "no convention and no known mistake makes such a table to {:g} of its amplitude;"
    " try --tolerance 0.01 for bfloat16"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the answer; return 0 if a table is known, 1 if none is, 2 if the file is unusable."""
    parser = argparse.ArgumentParser("posenc", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("identify", help="name the convention that made a table")
    command.add_argument("file", type=Path, help=".npy, .npz, .csv, .pt or .safetensors")
    command.add_argument(
        "--tolerance",
        type=float,
        default=1e-3,
        help="largest difference, as a fraction of the amplitude",
    )
    given = parser.parse_args(arguments)
    try:
        lines = list(_report(given.file, given.tolerance))
    except (ValueError, TypeError, MemoryError) as error:
        message = " ".join(str(error).split()) or "not enough memory"
        print(f"posenc: {given.file}: {message}", file=sys.stderr)
        return 2
    print(*(lines or [_NOTHING.format(given.tolerance)]), sep="\n")
    return 0 if lines else 1


def _report(path: Path, tolerance: float) -> Iterator[str]:
    """Lines about each table; raises the first error if the file holds no usable table."""
    refused: list[Exception] = []
    found = False
    for name, array in _files.tables(path):
        table = array.squeeze() if array.ndim > 2 else array  # (1, length, d_model) and the like
        try:
            if table.ndim != 2:
                raise ValueError(f"a table must have two axes, got shape {array.shape}")
            matches = identify(table, tolerance=tolerance)
        except (ValueError, TypeError) as error:
            refused.append(error)  # skip weights and masks beside the table
            continue
        found = True
        if matches:
            yield f"{name or path.name}: {table.shape[0]} x {table.shape[1]}, {array.dtype}"
        for match in matches[:_MATCHES]:
            yield from _lines(match)
    if not found:
        raise refused[0] if refused else ValueError("a table must have two axes, got no array")


def _lines(match: Match) -> Iterator[str]:
    yield f"  {_short(match.convention)}"
    yield f"    largest difference {match.error:.1e} of the amplitude"
    if match.libraries:
        yield f"    as in {', '.join(match.libraries)}"
    for mistake in match.mistakes:
        yield f"    {mistake}"


def _short(kind: Convention) -> str:
    """`kind` as code, with only the options that differ from the paper's."""
    options = {field.name: (getattr(kind, field.name), field.default) for field in fields(kind)}
    differing = [
        f"{name}={_plain(got)!r}" for name, (got, usual) in options.items() if got != usual
    ]
    return f"Convention({', '.join(differing)})"


def _plain(option: float | str) -> float | str:
    """An integer instead of a float with no fraction."""
    return int(option) if isinstance(option, float) and option.is_integer() else option


if __name__ == "__main__":
    sys.exit(main())
