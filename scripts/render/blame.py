"""Errors of a figure, reported with the file that its author must correct."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from scripts import figures
from scripts.files import BuildError, relative


class FigureError(BuildError):
    """A figure that cannot be drawn, or whose numbers are not finite."""


@contextmanager
def blamed(name: str) -> Iterator[None]:
    """Turn every error and NumPy's warnings into one error that names the module of a figure."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # for log(-1) and the like
            yield
    except Exception as error:
        where = relative(figures.path(name))
        raise FigureError(f"{where}: {type(error).__name__}: {error}") from error
