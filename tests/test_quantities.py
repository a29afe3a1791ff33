"""What pages call beside the package agrees with the oracle, also where no page asks.

The build compares the arguments that stand on a page. Here are others, most of them small.
"""

import numpy as np
import pytest

from scripts.numbers import quantities
from tests import quantity_oracle

MATRIX = np.array([[3.0, 0.0, 1.0], [0.0, -2.0, 0.5], [1.0, 1.0, 1.0], [0.0, 0.0, 4.0]])
SCALINGS = ("none", "linear", "ntk", "yarn", "llama3", "longrope")
WAYS = ("last", "table", "products", "angles", "frequencies", "float32")


def call(*arguments, **named):
    return arguments, named


# The closest rows at width 4 are 71,000 apart, until they are 84,823 apart.
CLOSEST = [(2, 1), (2, 6), (2, 43), (2, 44), (4, 70_999), (4, 71_000), (4, 84_822), (8, 1000)]
CALLS = {
    "accuracy": [
        *(call("rope", 64, last=True), call("sinusoidal-random-start", 32)),
        *(call("rope-ntk-64", 64), call("alibi-2-layers", 128), call("t5", 48, task="first")),
    ],
    "accuracy_seeds": [
        call("rope", 32),
        call("t5", 64, last=True),
        call("none", 48, task="count"),
    ],
    "angle_error": [call("bfloat16", 64), call("float16", 200), call("float32", 1000)],
    "bit_changes": [call(7, 8), call(0, 1023), call(5, 5)],
    "built_score": [call(0), call(2), call(3), call(4), call(31)],
    "closed_form": [call(k, 64, base=n) for k in (1, 4, 21.5) for n in (32, 10_000)],
    "closest_offset": [call(*one) for one in CLOSEST],
    "desk_right": [call("trained"), call("parts")],
    "desk_share": [call("linear"), call("parts")],
    "directions": [call(MATRIX, share) for share in (0.3, 0.5, 0.7, 0.99, 1e-9)],
    "first_rise": [call(48, base=n, closed=c) for n in (10, 1000) for c in (False, True)],
    "frequent_accuracy": [call()],
    "fresh_cosines": [call(0, 3, 4), call(2, 5, 16)],
    "head_weights": [call(5, 8, 0, 1.0), call(6, 4, 2, 30.0), call(6, 4, 2, 1e5)],
    "interpolated_answers": [call(3), call(6)],
    "interpolated_seeds": [call(6)],
    "kept_fast_accuracy": [call(1), call(2)],
    "law_error": [call(64, 3, 40), call(16, 2.5, 9.5), call(64, 1, 9, closed=True)],
    "matrix_match": [call("sinusoidal"), call("sinusoidal", fastest=True)],
    "model_attention": [call(model) for model in ("Phi-3.5-mini", "gpt-oss", "Qwen 3")],
    "model_setting": [call("gpt-oss", "factor"), call("Llama 3.1 8B", "rope_theta")],
    "model_wavelengths": [
        call(model, scaled=scaled)
        for model in ("Phi-3.5-mini", "gpt-oss", "Qwen 3", "Llama 3.1 8B", "DeepSeek-V3")
        for scaled in (True, False)
    ],
    "nearest_accuracy": [call("rope", 64), call("rope", 128, last=True)],
    "nearest_seeds": [call("sinusoidal", 64, last=True)],
    "pairs_accuracy": [call("rope", 4), call("sinusoidal", -1)],
    "pairs_seeds": [call("rope", 4, length=128), call("sinusoidal", 16, length=64, last=True)],
    "published": [call("heatmap", 2), call("line", 25)],
    "read_out": [
        *(call("none-4-layers", 0), call("none-4-layers", 1)),
        *(call("sinusoidal-4-layers", 2, of="shuffled"), call("none-4-layers", 1, of="added")),
        call("sinusoidal-4-layers", 3, of="added"),
    ],
    "read_out_spread": [call("none-4-layers"), call("sinusoidal-4-layers", of="added")],
    "robot_embeddings": [call()],
    "row_likeness": [call("learned", 1), call("sinusoidal", 5)],
    "scatter": [call(16, 9, 25), call(16, 9, 25, predicted=True)],
    "score_error": [
        *(call(way, 300) for way in WAYS),
        *(call(way, 17, 1) for way in WAYS),
        call("angles", 0, 0),
    ],
    "score_match": [call("sinusoidal")],
    "score_terms": [
        call(query, key) for query in ("word", "place", "both") for key in ("word", "place", "both")
    ],
    "sine_shift_r_squared": [call(0.3, 2, 50), call(1.0, 5.5, 20)],
    "singular_values": [call(MATRIX), call(MATRIX.T)],
    "slowed_fast_accuracy": [call(1), call(2)],
    "speeds": [
        call(choice, n) for choice in ("equal", "even", "random", "geometric") for n in (1, 5)
    ],
    "stretched": [call(name) for name in SCALINGS],
    "stretched_accuracy": [call("linear", 64), call("ntk", 64, last=True)],
    "stretched_attention": [call(name) for name in SCALINGS],
    "stretched_seeds": [call("linear", 64), call("ntk", 256, last=True)],
    "stretched_similarity": [call(7, name) for name in SCALINGS],
    "t5_bucket": [call(distance) for distance in (0, 1, 15, 16, 40, 127, 128, 500)],
    "target_weight": [call(5, 8, 0, 1.0), call(6, 4, 2, 30.0), call(4, 16, 3, 100.0)],
    "targets_found": [call(12, 8, 2, 0.5), call(9, 4, 0, 0.1), call(20, 16, 5, 1.0)],
    "toy_attention": [
        *(call("dog bites man"), call("man bites dog", encoded=True), call("man")),
        call("bites bites dog man", encoded=True),
    ],
    "trained_map": [call("learned")],
    "trained_scores": [call("sinusoidal", 0), call("sinusoidal", 5)],
    "trained_weight": [call("sinusoidal", 0), call("sinusoidal", 31), call("rope", 3)],
    "tuned_answers": [call("rope-linear-64", 3), call("rope-linear-128", 6)],
}


def test_every_quantity_is_called():
    assert sorted(CALLS) == sorted(quantities.__all__)


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, number) for name, calls in CALLS.items() for number in range(len(calls))],
)
def test_a_quantity_is_the_oracles(name, number):
    arguments, named = CALLS[name][number]
    found = getattr(quantities, name)(*arguments, **named)
    wanted = quantity_oracle.NAMES[name](*arguments, **named)
    found, wanted = (np.asarray(value, dtype=np.float64) for value in (found, wanted))
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
