"""What made tables, what the file of a model says about positions, and whether arrays fit it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import posenc
from posenc import _arguments
from posenc._output import as_json, complain, named, written
from posenc.checking._compare import verdicts
from posenc.checking._verdict import lines as verdict_lines
from posenc.identification._identify import checked
from posenc.identification._report import Report, reports
from posenc.plans import Plan, _words
from posenc.plans._formats import loaded
from posenc.reading import _files
from posenc.rotary import Rotary

_EXAMPLES = """\
examples:
  python -m posenc config config.json             what turns, layer by layer, and what is odd
  python -m posenc config config.json --length 40000 --json
  python -m posenc identify model.safetensors     the convention of each table in a file
  python -m posenc identify pe.npy --all --json
  python -m posenc compare cache.npz config.json  whether a cache or a turn is right, or its slip
"""
_CODES = (
    "The exit code is 0 if a table is known, 1 if none is, and 2 if the file, an option or the"
    " table cannot be used, or the answer cannot be written."
)
_CONFIG_CODES = (
    "The exit code is 0 if the plan is known, 1 if the config is refused, and 2 if the file or an"
    " option cannot be used, or the answer cannot be written."
)
_COMPARE_CODES = (
    "The exit code is 0 if all is right, 1 if something is wrong, and 2 if a file or an option"
    " cannot be used, or the answer cannot be written."
)
_TABLES = 2  # tables that the summary describes; --all shows every table


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the answer; return 0 if it is known, 1 if it is not, 2 if there is no answer.

    Ctrl-C ends the program with code 130, as a shell reports it.
    """
    given = _parser().parse_args(arguments)
    try:
        code: int = given.answer(given)
    except KeyboardInterrupt:
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m posenc",
        description=__doc__,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"posenc {posenc.__version__}")
    parser.set_defaults(answer=lambda _: _usage(parser))
    commands = parser.add_subparsers()

    def added(name: str, answer: Any, codes: str, what: str, more: str) -> argparse.ArgumentParser:
        about = f"{what[0].upper()}{what[1:]}{more}"
        command = commands.add_parser(
            name, help=what, description=about, epilog=codes, allow_abbrev=False
        )
        command.set_defaults(answer=answer)
        return command

    what = "name the convention that made a table"
    more = ", or say what comes nearest to it."
    command = added("identify", _identified, _CODES, what, more)
    suffixes = ", ".join(_files.READERS)
    command.add_argument(
        "file", type=Path, help=f"a table, a checkpoint or an archive of arrays: {suffixes}"
    )
    command.add_argument(
        "--tolerance",
        type=float,
        help="largest difference, as a fraction of the amplitude and less than 1; by default"
        " 0.001, or twice the rounding that the values show",
    )
    command.add_argument("--all", action="store_true", help="show every table, match and library")
    command.add_argument("--json", action="store_true", help="print every table as JSON")
    what = "say what a model's file means for positions"
    more = ": what turns in which layers, and what is odd."
    command = added("config", _planned, _CONFIG_CODES, what, more)
    command.add_argument("file", type=Path, help="config.json, params.json, its folder, or GGUF")
    command.add_argument("--length", type=float, help="number of positions of the text")
    command.add_argument("--json", action="store_true", help="print the plan as JSON")
    what = "check arrays against a config, a convention or another file"
    more = ", and name the slip that explains a difference."
    command = added("compare", _compared, _COMPARE_CODES, what, more)
    command.add_argument(
        "mine", type=Path, help="your cos and sin, inv_freq or table; or q, turned and positions"
    )
    command.add_argument(
        "reference", help="config.json, its folder, GGUF, a name in CONVENTIONS, or arrays"
    )
    command.add_argument("--group", help="the name of one group of layers of the config")
    command.add_argument("--length", type=float, help="number of positions of the text")
    command.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    return parser


def _usage(parser: argparse.ArgumentParser) -> int:
    parser.print_help(sys.stderr)
    return 2


def _planned(given: argparse.Namespace) -> int:
    """Print the plan of a file, or why it is refused."""
    if not _is_length(given.length):
        return 2
    config = None
    try:
        config = loaded(given.file)
        plan = Plan.from_dict(config)
        lines = list(_words.lines(plan, given.length))
        text = as_json(_values(plan, given.length)) if given.json else ""
    except OSError as error:
        complain(f"{given.file}: {error.strerror}")
        return 2
    except (ValueError, TypeError) as error:
        complain(named(given.file, error))
        return 2 if config is None else 1
    return 0 if written(text.splitlines() if given.json else lines) else 2


def _values(plan: Plan, length: float | None) -> dict[str, Any]:
    """The plan as JSON, with the frequencies of each group whose encoding is known."""
    values = plan.to_dict(length)
    for group, held in zip(plan, values["groups"], strict=True):
        try:
            rotary = group.rotary
        except ValueError:
            continue
        known = rotary.frequencies(length) if isinstance(rotary, Rotary) else rotary.frequencies()
        held["frequencies"] = known
    return values


def _compared(given: argparse.Namespace) -> int:
    """Print the verdict on each array of a file."""
    if not _is_length(given.length):
        return 2
    options = {"group": given.group, "length": given.length}
    try:
        found = list(verdicts(given.mine, given.reference, **options))
        lines = [line for one in found for line in verdict_lines(one)]
        text = as_json(found) if given.json else ""
    except OSError as error:
        complain(f"{given.reference}: {error.strerror}")
        return 2
    except (ValueError, TypeError, MemoryError) as error:
        complain(" ".join(str(error).split()) or "not enough memory")
        return 2
    if not written(text.splitlines() if given.json else lines):
        return 2
    return 0 if all(found) else 1


def _is_length(length: float | None) -> bool:
    """Whether an option is a length of texts; if not, its error is printed."""
    try:
        if length is not None:
            _arguments.positive("--length", length)
    except ValueError as error:
        complain(str(error))
        return False
    return True


def _identified(given: argparse.Namespace) -> int:
    """Print what made the tables of a file, or why there is no answer."""
    try:
        checked(given.tolerance)
    except ValueError as error:
        complain(str(error))
        return 2
    try:
        found = reports(_files.tables(given.file), given.file.name, given.tolerance)
    except (ValueError, TypeError, MemoryError) as error:
        complain(named(given.file, error))
        return 2
    lines = as_json(found).splitlines() if given.json else _lines(found, every=given.all)
    if not written(lines):
        return 2
    return 0 if any(report.answer for report in found) else 1


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
