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
from scripts.numbers.quantities.trained import (
    accuracy,
    accuracy_at,
    accuracy_spread,
    interpolated_answers,
    kept_fast_accuracy,
    learning_curve,
    matrix_match,
    pairs_accuracy,
    score_match,
    stretched_accuracy,
    stretched_spread,
    trained_weight,
)

__all__ = [
    "accuracy",
    "accuracy_at",
    "accuracy_spread",
    "bit_changes",
    "closest_offset",
    "directions",
    "first_negative_similarity",
    "fresh_cosines",
    "head_weights",
    "integral_zero",
    "interpolated_answers",
    "kept_fast_accuracy",
    "law_error",
    "learning_curve",
    "matrix_match",
    "model_attention",
    "model_setting",
    "model_wavelengths",
    "pairs_accuracy",
    "published",
    "robot_embeddings",
    "score_match",
    "score_terms",
    "sine_shift_r_squared",
    "singular_values",
    "speeds",
    "stretched",
    "stretched_accuracy",
    "stretched_attention",
    "stretched_similarity",
    "stretched_spread",
    "t5_bucket",
    "target_weight",
    "targets_found",
    "toy_attention",
    "trained_weight",
]
