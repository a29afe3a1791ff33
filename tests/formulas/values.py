"""Arithmetic as the pages write it: numbers, rows, columns and matrices of balls.

Vectors are arrays with two axes, so that a row and a column differ. A product with a single entry
is a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests import balls, oracle


def product(a: Any, b: Any) -> Any:
    """Matrices times matrices, or a number times anything."""
    if not np.ndim(a) == np.ndim(b) == 2:
        return a * b
    found = a @ b
    return found[0, 0] if found.shape == (1, 1) else found


def dot(a: Any, b: Any) -> Any:
    """The dot product of two vectors of the same kind; otherwise the product."""
    if np.ndim(a) == 2 and np.shape(a) == np.shape(b) and 1 in np.shape(a):
        return (a * b).sum()
    return product(a, b)


def power(base: Any, exponent: Any) -> Any:
    """A power of a number, or a whole power of a matrix."""
    return np.linalg.matrix_power(base, int(exponent)) if np.ndim(base) == 2 else base**exponent


def total(terms: list[Any]) -> Any:
    """A sum of numbers, or of matrices with the same shape."""
    first, *rest = terms
    if any(np.shape(term) != np.shape(first) for term in rest):
        raise ValueError(f"cannot add shapes {[np.shape(term) for term in terms]}")
    return sum(rest, first)


def row(entries: list[Any]) -> Any:
    """Entries in brackets side by side, or columns one below the other."""
    if len(entries) == 1:
        return entries[0]
    columns = all(np.ndim(entry) == 2 and np.shape(entry)[1] == 1 for entry in entries)
    return block([[entry] for entry in entries] if columns else [entries])


def block(rows: list[list[Any]]) -> Any:
    """A matrix of numbers, or of matrices that fit together."""
    return np.block([[np.array(entry, dtype=object, ndmin=2) for entry in line] for line in rows])


def size(value: Any) -> Any:
    """The length of a vector, or the absolute value of a number."""
    return oracle.sqrt((value**2).sum()) if np.ndim(value) == 2 else abs(value)


def equal(a: Any, b: Any, *, tolerance: float = 1e-12) -> bool:
    """Whether two values of one shape differ by less than `tolerance` of the larger."""
    if np.shape(a) != np.shape(b):
        return False
    a, b = np.ravel(a), np.ravel(b)
    return bool(balls.largest(abs(a - b)) <= tolerance * balls.largest([*abs(a), *abs(b), 1e-20]))
