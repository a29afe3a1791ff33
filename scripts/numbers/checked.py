"""Every number and claim of the site beside the oracle's value: the content of docs/numbers.csv.

A number that differs from the oracle's, or a claim that is false, stops the build before any
page is made.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from decimal import Decimal

from scripts.files import BuildError
from scripts.numbers import claims, counts, marks, oracle_values, tables
from scripts.numbers.claims import Claim
from scripts.numbers.expressions import ExpressionError, Number
from scripts.numbers.oracle_values import OracleError
from scripts.numbers.places import Place, places
from scripts.pages import contents

HEADER = ("page", "part", "expression", "format", "shown", "float64", "oracle", "difference")
_RELATIVE, _ABSOLUTE = Decimal("1e-9"), Decimal("1e-12")  # as in tests/test_pages.py


def table() -> bytes:
    """The CSV: a row for each number and each claim, page by page, from top to bottom."""
    counts.offer()
    found = list(_found())
    try:
        oracle = oracle_values.values({shown.code for _, _, shown in found})
    except OracleError as error:
        code, _ = error.args
        place = next(place for _, place, shown in found if shown.code == code)
        raise BuildError(f"{place.where}: {error}") from error
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(HEADER)
    for page, place, shown in found:
        cells = _cells(shown, oracle[shown.code], place)
        writer.writerow((page.name, place.part, shown.code, *cells))
    return buffer.getvalue().encode()


def _found() -> Iterator[tuple[contents.Page, Place, Number | Claim]]:
    for page in contents.pages():
        for place in places(page):
            try:
                for shown in _evaluated(place.source):
                    yield page, place, shown
            except ExpressionError as error:
                raise BuildError(f"{place.where}: {error}") from error


def _evaluated(source: str) -> list[Number] | list[Claim]:
    return [claims.claim(source)] if marks.is_claim(source) else tables.numbers(source)


def _cells(shown: Number | Claim, exact: oracle_values.Exact, place: Place) -> tuple[str, ...]:
    """The cells of a row behind the expression; a BuildError if the oracle disagrees."""
    if isinstance(shown, Claim):
        if exact != 1:
            raise BuildError(
                f"{place.where}: the claim {shown.code} is true, but not for the oracle"
            )
        return (shown.kind, "holds", "True", "True", "")
    difference = _checked(shown, exact, place)
    digits = (repr(shown.value), oracle_values.digits(exact), f"{difference:.1e}")
    return (shown.spec, shown.text, *digits)


def _checked(number: Number, exact: oracle_values.Exact, place: Place) -> Decimal:
    """The difference between `number` and `exact`.

    A BuildError if it changes the text, or is larger than rounding explains.
    """
    try:
        wanted = oracle_values.text(exact, number.spec)
    except ArithmeticError as error:
        raise BuildError(f"{place.where}: {number.code}: the oracle's value {error}") from error
    value = Decimal(oracle_values.digits(exact))
    difference = Decimal(number.value) - value  # rounded to 28 digits
    if number.text != wanted:
        raise BuildError(f"{place.where}: {number.code} shows {number.text}, the oracle {wanted}")
    if abs(difference) > max(_RELATIVE * abs(value), _ABSOLUTE):
        raise BuildError(f"{place.where}: {number.code} is {number.value!r}, the oracle's {value}")
    return difference
