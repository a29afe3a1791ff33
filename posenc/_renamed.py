"""Options under their old names, which work for one release."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def renamed(old: str, new: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator of a function that takes the option `new` by the name `old` too, and warns."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def taking(*given: P.args, **options: P.kwargs) -> T:
            if old in options:
                warn_renamed(old, new)
                options[new] = options.pop(old)
            return function(*given, **options)

        return taking

    return decorate


def rename(cls: type[Any], old: str, new: str, *, attribute: str | None = None) -> None:
    """Let `cls` take its option `new`, and its objects give the `attribute`, by `old` too."""

    def give(self: object, name: str) -> Any:
        if name != old:
            raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}")
        warn_renamed(old, new)
        return getattr(self, attribute or new)

    cls.__init__ = renamed(old, new)(cls.__init__)
    cls.__getattr__ = give


def warn_renamed(old: str, new: str) -> None:
    """Warn whoever called the caller of this function."""
    rule = f"{old} is now {new}, and the old name will go"
    warnings.warn(rule, DeprecationWarning, stacklevel=3)
