"""Every number of the site beside the oracle's value: the content of docs/numbers.csv.

A number that differs from the oracle's stops the build before any page is made.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from decimal import Context, Decimal

from scripts.files import BuildError
from scripts.numbers import counts, oracle_values, tables
from scripts.numbers.expressions import ExpressionError, Number
from scripts.numbers.oracle_values import OracleError
from scripts.numbers.places import Place, places
from scripts.pages import contents

HEADER = ("page", "part", "expression", "format", "shown", "float64", "oracle", "difference")
_RELATIVE, _ABSOLUTE = Decimal("1e-9"), Decimal("1e-12")  # as in tests/test_pages.py
_EXACT = Context(prec=80)


def table() -> bytes:
    """The CSV: a row for each number, page by page, from top to bottom."""
    counts.offer()
    found = list(_numbers())
    try:
        oracle = oracle_values.values({number.code for _, _, number in found})
    except OracleError as error:
        place = next(place for _, place, number in found if number.code == error.code)
        raise BuildError(f"{place.where}: {error}") from error
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(HEADER)
    for page, place, number in found:
        exact = oracle[number.code]
        difference = _checked(number, exact, place)
        on_page = (page.name, place.part, number.code, number.spec, number.text)
        digits = (repr(number.value), oracle_values.digits(exact), f"{difference:.1e}")
        writer.writerow((*on_page, *digits))
    return buffer.getvalue().encode()


def _numbers() -> Iterator[tuple[contents.Page, Place, Number]]:
    for page in contents.pages():
        for place in places(page):
            try:
                numbers = tables.numbers(place.source)
            except ExpressionError as error:
                raise BuildError(f"{place.where}: {error}") from error
            for number in numbers:
                yield page, place, number


def _checked(number: Number, exact: oracle_values.Exact, place: Place) -> Decimal:
    """The difference between `number` and `exact`.

    A BuildError if it changes the text, or is larger than rounding explains.
    """
    wanted = oracle_values.text(exact, number.spec)
    value = oracle_values.decimal(exact)
    difference = _EXACT.subtract(Decimal(number.value), value)
    if number.text != wanted:
        raise BuildError(f"{place.where}: {number.code} shows {number.text}, the oracle {wanted}")
    if abs(difference) > max(_RELATIVE * abs(value), _ABSOLUTE):
        raise BuildError(f"{place.where}: {number.code} is {number.value!r}, the oracle's {exact}")
    return difference
