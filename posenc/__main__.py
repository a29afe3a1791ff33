"""`python -m posenc identify FILE`: find the convention that made the tables in a file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import posenc
from posenc.identification import _files
from posenc.identification._identify import checked
from posenc.identification._report import Report, reports

_CODES = (
    "The exit code is 0 if a table is known, 1 if none is, and 2 if the file, an option or the"
    " table cannot be used, or the answer cannot be written."
)
_TABLES = 2  # tables that the summary describes; --all shows every table


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the answer; return 0 if a table is known, 1 if none is, 2 if there is no answer.

    Ctrl-C ends the program with code 130, as a shell reports it.
    """
    given = _parser().parse_args(arguments)
    try:
        return _answered(given)
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m posenc", description=__doc__, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"posenc {posenc.__version__}")
    commands = parser.add_subparsers(required=True)
    what = "name the convention that made a table"
    command = commands.add_parser(
        "identify",
        help=what,
        description=f"{what[0].upper()}{what[1:]}, or say what comes nearest to it.",
        epilog=_CODES,
        allow_abbrev=False,
    )
    suffixes = ", ".join(_files.READERS)
    command.add_argument(
        "file", type=Path, help=f"a table, a checkpoint or an archive of arrays: {suffixes}"
    )
    command.add_argument(
        "--tolerance",
        type=float,
        help="largest difference, as a fraction of the amplitude and less than 1; by default"
        " 0.001, and 0.01 if nothing fits",
    )
    command.add_argument("--all", action="store_true", help="show every table, match and library")
    return parser


def _answered(given: argparse.Namespace) -> int:
    """Print the answer, or why there is none; return the code of `main`."""
    try:
        checked(given.tolerance)
    except ValueError as error:
        _complain(str(error))
        return 2
    try:
        found = reports(_files.tables(given.file), given.file.name, given.tolerance)
    except (ValueError, TypeError, MemoryError) as error:
        message = " ".join(str(error).split()) or "not enough memory"
        _complain(f"{given.file}: {message}")
        return 2
    if sys.stdout is None:  # closed by the shell, as by `>&-`
        _complain("the answer cannot be written: there is no output")
        return 2
    try:
        for line in _lines(found, every=given.all):
            _say(line, sys.stdout)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # takes the flush at exit
        if not isinstance(error, BrokenPipeError):  # `head` has read enough
            _complain(f"the answer cannot be written: {error.strerror}")
            return 2
    return 0 if any(report.answer for report in found) else 1


def _complain(message: str) -> None:
    """Print an error, unless the shell has closed the stream for errors or its disk is full."""
    if sys.stderr is not None:
        with suppress(OSError):
            _say(f"posenc: {message}", sys.stderr)


def _say(line: str, stream: TextIO) -> None:
    """Print one line; unprintable characters, which names may contain, are escaped."""
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    encoding = stream.encoding or "utf-8"
    print(plain.encode(encoding, "backslashreplace").decode(encoding), file=stream)


def _lines(found: list[Report], *, every: bool) -> Iterator[str]:
    """The lines about all tables, at most five unless `every`."""
    if every:
        for report in found:
            yield from report.lines(every=True)
        return
    known = [report for report in found if report.answer]
    known = known or [report for report in found if report.answer.nearest] or found
    if len(known) == 1:
        yield from known[0].lines()
        return
    for report in known[:_TABLES]:
        yield from list(report.lines())[:2]
    if left := len(known) - _TABLES:
        yield f"{left} more: --all shows every table"


if __name__ == "__main__":
    sys.exit(main())
