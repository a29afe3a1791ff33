"""Every number of the site beside the oracle's: what docs/numbers.csv holds.

A number that is not the oracle's stops the build before any page is made.
"""

from __future__ import annotations

import csv
import io
from decimal import Context, Decimal

from scripts.files import BuildError
from scripts.numbers import oracle_values, places
from scripts.numbers.expressions import Number
from scripts.numbers.oracle_values import OracleError
from scripts.numbers.places import Place
from scripts.pages import contents

HEADER = ("page", "part", "expression", "format", "shown", "float64", "oracle", "difference")
_RELATIVE, _ABSOLUTE = Decimal("1e-9"), Decimal("1e-12")  # as in tests/test_pages.py
_EXACT = Context(prec=80)


def table() -> bytes:
    """The CSV: a row for each number, page by page, from top to bottom."""
    found = [
        (page, place, number)
        for page in contents.pages()
        for place in places.places(page)
        for number in place.numbers()
    ]
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
        shown = (page.name, place.part, number.code, number.spec, number.text)
        digits = (repr(number.value), oracle_values.digits(exact), f"{difference:.1e}")
        writer.writerow((*shown, *digits))
    return buffer.getvalue().encode()


def _checked(number: Number, exact: oracle_values.Exact, place: Place) -> Decimal:
    """How far `number` is from `exact`; a BuildError if that shows, or is more than rounding."""
    wanted = oracle_values.shown(exact, number.spec)
    value = oracle_values.decimal(exact)
    difference = _EXACT.subtract(Decimal(number.value), value)
    if number.text != wanted:
        raise BuildError(f"{place.where}: {number.code} shows {number.text}, the oracle {wanted}")
    if abs(difference) > max(_RELATIVE * abs(value), _ABSOLUTE):
        raise BuildError(f"{place.where}: {number.code} is {number.value!r}, the oracle's {exact}")
    return difference
