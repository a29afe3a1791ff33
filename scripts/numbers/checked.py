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
        message, code = error.args
        where = next(place.where for _, place, shown in found if shown.code == code)
        raise BuildError(f"{where}: {message}") from error
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
            claimed = marks.is_claim(place.source)
            try:
                shown = [claims.claim(place.source)] if claimed else tables.numbers(place.source)
            except ExpressionError as error:
                raise BuildError(f"{place.where}: {error}") from error
            yield from ((page, place, one) for one in shown)


def _cells(shown: Number | Claim, exact: oracle_values.Exact, place: Place) -> tuple[str, ...]:
    """The cells of a row behind the expression; a BuildError if the oracle disagrees.

    It does if the text differs, or if the values differ by more than rounding explains.
    """
    where, code = place.where, shown.code
    if isinstance(shown, Claim):
        if exact != 1:
            raise BuildError(f"{where}: the claim {code} is true, but not for the oracle")
        return (shown.kind, "holds", "True", "True", "")
    try:
        wanted = oracle_values.text(exact, shown.spec)
    except ArithmeticError as error:
        raise BuildError(f"{where}: {code}: the oracle's value {error}") from error
    if shown.text != wanted:
        raise BuildError(f"{where}: {code} shows {shown.text}, the oracle {wanted}")
    digits = oracle_values.digits(exact)
    difference = Decimal(shown.value) - Decimal(digits)  # rounded to 28 digits
    if abs(difference) > max(_RELATIVE * abs(Decimal(digits)), _ABSOLUTE):
        raise BuildError(f"{where}: {code} is {shown.value!r}, the oracle's {digits}")
    return (shown.spec, shown.text, repr(shown.value), digits, f"{difference:.1e}")
