"""How many examples Hypothesis tries: all of them in `make thorough`, a quarter in `make test`."""

import os

from hypothesis import settings

ALL = bool(os.environ.get("THOROUGH") or os.environ.get("ALL_EXAMPLES"))


def examples(count: int) -> settings:
    """A decorator for a test that Hypothesis runs `count` times at most."""
    return settings(max_examples=count if ALL else count // 4)
