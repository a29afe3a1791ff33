"""Other schemes of relative positions: ALiBi, T5, DeBERTa, Swin; and diffusion time steps.

None of these belongs to the paper's encoding; they are here for comparison with it, as
libraries compute them.
"""

from posenc.relative._buckets import deberta_buckets, t5_buckets
from posenc.relative._slopes import alibi_slopes
from posenc.relative._steps import time_steps
from posenc.relative._windows import swin_coordinates, swin_indices

__all__ = [
    "alibi_slopes",
    "deberta_buckets",
    "swin_coordinates",
    "swin_indices",
    "t5_buckets",
    "time_steps",
]
