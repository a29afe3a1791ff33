"""Other schemes of relative positions: ALiBi, T5, DeBERTa, Swin.

None of these belongs to the paper's encoding; they are here for comparison with it, as
libraries compute them.
"""

import warnings
from typing import Any

from posenc.relative._buckets import deberta_buckets, t5_buckets
from posenc.relative._slopes import alibi_slopes
from posenc.relative._windows import swin_coordinates, swin_indices
from posenc.steps import time_steps as _time_steps

__all__ = [
    "alibi_slopes",
    "deberta_buckets",
    "swin_coordinates",
    "swin_indices",
    "t5_buckets",
]


def __getattr__(name: str) -> Any:
    if name == "time_steps":
        rule = "posenc.relative.time_steps is now posenc.time_steps, and the old name will go"
        warnings.warn(rule, DeprecationWarning, stacklevel=2)
        return _time_steps
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
