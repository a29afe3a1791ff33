"""Numbers on the pages that are about the encoding but not part of the package."""

from scripts.quantities.alternatives import (
    bit_changes,
    fresh_cosines,
    sine_shift_r_squared,
    t5_bucket,
)
from scripts.quantities.attention import (
    head_weights,
    robot_embeddings,
    target_weight,
    toy_attention,
)
from scripts.quantities.offsets import closest_offset
from scripts.quantities.published import published
from scripts.quantities.spectrum import directions, singular_values

__all__ = [
    "bit_changes",
    "closest_offset",
    "directions",
    "fresh_cosines",
    "head_weights",
    "published",
    "robot_embeddings",
    "sine_shift_r_squared",
    "singular_values",
    "t5_bucket",
    "target_weight",
    "toy_attention",
]
