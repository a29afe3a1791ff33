"""Numbers on the pages that are about the encoding but not part of the package."""

from scripts.numbers.quantities.alternatives import (
    bit_changes,
    fresh_cosines,
    sine_shift_r_squared,
    speeds,
    t5_bucket,
)
from scripts.numbers.quantities.attention import (
    head_weights,
    robot_embeddings,
    score_terms,
    target_weight,
    targets_found,
    toy_attention,
)
from scripts.numbers.quantities.offsets import (
    closest_offset,
    first_negative_similarity,
    integral_zero,
    law_error,
)
from scripts.numbers.quantities.published import published
from scripts.numbers.quantities.rotary import (
    model_attention,
    model_setting,
    model_wavelengths,
    stretched,
    stretched_attention,
    stretched_similarity,
)
from scripts.numbers.quantities.spectrum import directions, singular_values

__all__ = [
    "bit_changes",
    "closest_offset",
    "directions",
    "first_negative_similarity",
    "fresh_cosines",
    "head_weights",
    "integral_zero",
    "law_error",
    "model_attention",
    "model_setting",
    "model_wavelengths",
    "published",
    "robot_embeddings",
    "score_terms",
    "sine_shift_r_squared",
    "singular_values",
    "speeds",
    "stretched",
    "stretched_attention",
    "stretched_similarity",
    "t5_bucket",
    "target_weight",
    "targets_found",
    "toy_attention",
]
