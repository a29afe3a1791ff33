"""The functions of scripts/numbers/quantities/ again, by another way and without posenc."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tests import balls, oracle, result_oracle, rotary_oracle, turning_oracle
from tests.balls import ball, remembered

_MODELS = Path(__file__).parents[1] / "scripts" / "figures" / "data" / "rotary_models.json"
TOY_WORDS = {"dog": [1, 0, 2, 0], "bites": [0, 2, 0, 1], "man": [2, 1, 0, -1], "the": [1, 1, 0, -1]}
_PRINTED = Path(__file__).parents[1] / "scripts" / "figures" / "data" / "published_heatmap.json"


_balls = np.frompyfunc(ball, 1, 1)


def bit_changes(first: int, second: int) -> int:
    """By long arithmetic, digit by digit."""
    return sum(a != b for a, b in zip(f"{first:064b}", f"{second:064b}", strict=True))


def sine_shift_r_squared(frequency: Any, offset: Any, length: int) -> Any:
    """From the residuals of a least-squares line, by its normal equations."""
    x = [balls.sin(ball(frequency) * p) for p in range(length)]
    y = [balls.sin(ball(frequency) * (p + offset)) for p in range(length)]
    sx, sy, sxx, sxy = balls.total(x), balls.total(y), balls.dot(x, x), balls.dot(x, y)
    slope = (length * sxy - sx * sy) / (length * sxx - sx**2)
    start = (sy - slope * sx) / length
    left = balls.total((b - start - slope * a) ** 2 for a, b in zip(x, y, strict=True))
    return 1 - left / balls.total((b - sy / length) ** 2 for b in y)


def directions(matrix: Any, share: float) -> int:
    """By adding up the squares, largest first, until there are enough."""
    squares = [value**2 for value in singular_values(matrix)]
    count, wanted = 0, float(share) * math.fsum(squares)
    while balls.sure(math.fsum(squares[:count]) - wanted, 1e-9 * wanted) < 0:
        count += 1
    return count


@remembered
def fresh_cosines(position: int, length: int, d_model: int) -> np.ndarray:
    """By the law of cosines; the scale differs, but angles do not depend on it."""
    chance = np.random.Generator(np.random.PCG64(0))
    rows = _balls(chance.standard_normal((length, d_model)))
    squares, apart = (rows**2).sum(axis=1), ((rows - rows[position]) ** 2).sum(axis=1)
    return (squares + squares[position] - apart) / (2 * balls.sqrt(squares * squares[position]))


def head_weights(length: int, d_model: int, offset: int, gain: Any) -> np.ndarray:
    """By the exponentials of exact dot products, which depend on the distance to the target."""
    places = np.arange(length)
    distances = abs(np.subtract.outer(places - offset, places))
    parts = _powers(length + offset, d_model, gain)[distances]
    return parts / parts.sum(axis=1, keepdims=True)


@remembered
def _powers(count: int, d_model: int, gain: Any) -> np.ndarray:
    """The exponential of the score at each distance."""
    dots, unit = oracle.similarity(range(count), d_model), ball(gain) / balls.sqrt(d_model)
    return balls.exp(unit * (dots - dots[0]))


@remembered
def _shares(d_model: int, last: int) -> np.ndarray:
    """K(k) / K(0) for k = 0 .. last."""
    return oracle.similarity(range(last + 1), d_model) * 2 / d_model


def scatter(d_model: int, first: int, last: int, *, predicted: bool = False) -> Any:
    """Offset by offset."""
    squares, log = [], balls.log(10_000)
    for k in range(first, last + 1):
        off = _shares(d_model, last)[k] - 1 + (balls.euler + balls.log(k)) / log
        begun = range(1, int(k * log / (balls.pi * d_model)) + 1)
        harmonic = balls.total(ball(1) / m for m in begun)
        squares.append(harmonic / (d_model * log) if predicted else off**2)
    return balls.sqrt(balls.total(squares) / len(squares))


def closed_form(offset: Any, d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """By Arb's cosine integral, one offset after the other."""
    log, points, shares = balls.log(base), np.asarray(offset, dtype=object), []
    for k in map(ball, points.flat):
        step = k * log / d_model  # half of theta
        ends = balls.cos(k) - balls.cos(k / base) + balls.sin(k) * (balls.cot(step) - 1 / step)
        shares.append((balls.ci(k) - balls.ci(k / base)) / log + ends / d_model)
    return np.array(shares, dtype=object).reshape(points.shape)[()]


@lru_cache(maxsize=99)
def first_rise(d_model: int, *, base: Any = 10_000, closed: bool = False) -> int:
    """By the differences of neighbours; a cosine less a cosine is a product of two sines.

    Each sum has at most 1,024 terms, and each term an error of less than 1e-12.
    """
    halves = [float(speed) / 2 for speed in oracle.frequencies(d_model, base=base)]

    def fall(k: int) -> Any:
        if closed:
            return -np.diff(closed_form([k, k + 1], d_model, base=base))[0]
        terms = (math.sin((2 * k + 1) * half) * math.sin(half) for half in halves)
        return balls.sure(math.fsum(terms), 1e-9)

    return next(k for k in range(1, 10_000) if fall(k) < 0)


def law_error(d_model: int, first: Any, last: Any, *, closed: bool = False) -> Any:
    """Offset by offset."""
    law = lambda k: 1 - (balls.euler + balls.log(k)) / balls.log(10_000)  # noqa: E731
    found = (lambda k: closed_form(k, d_model)) if closed else law
    shares, start = _shares(d_model, int(last)), -int(-first)
    start += start < first
    return balls.largest(abs(shares[k] - found(k)) for k in range(start, len(shares)))


def published(figure: str, position: Any) -> np.ndarray:
    """Each number as printed."""
    printed = json.loads(_PRINTED.read_text("utf-8"), parse_float=ball)
    return np.array(printed[figure][str(position)], dtype=object)


def robot_embeddings() -> np.ndarray:
    """The same sixteen numbers, as fractions of twenty."""
    twentieths = [8, -6, 15, 2, -11, 4, 1, -9, 3, 12, -7, 6, -5, -14, 9, 13]
    return (_balls(twentieths) / 20).reshape(4, 4)


def score_terms(query: str, key: str) -> np.ndarray:
    """By products of complex numbers: the query's pairs, turned back, with the key's."""
    words, places = 2 * robot_embeddings(), oracle.positional_encoding(4, 4, base=100)
    parts = {"word": words, "place": places, "both": words + places}
    asked, answers = (
        parts[part] @ [[1, 0], [ball(0, 1), 0], [0, 1], [0, ball(0, 1)]] for part in (query, key)
    )
    turns = [balls.phasor(ball(1)), balls.phasor(ball(1) / 10)]
    products = (asked * turns) @ np.conj(answers).T / 2
    return np.vectorize(lambda product: product.real, otypes=[object])(products)


def speeds(choice: str, pairs: int) -> np.ndarray:
    """Hand by hand; NumPy's generator draws the random ones."""
    if choice == "random":
        chance = np.random.Generator(np.random.PCG64(0))
        return _balls(np.sort(chance.random(pairs))[::-1])
    each = {
        "equal": lambda _: ball(1),
        "even": lambda i: ball(pairs - i) / pairs,
        "geometric": lambda i: 1 / ball(10_000) ** (ball(i) / pairs),
    }[choice]
    return np.array([each(i) for i in range(pairs)], dtype=object)


@lru_cache(maxsize=32)
def closest_offset(d_model: int, farthest: int) -> int:
    """By exclusion: each pair adds to the distance, and an offset that has passed the best is out.

    The squared distance grows pair by pair in float64, where 256 pairs of offsets up to a million
    err by less than 1e-6. Balls measure what is left.
    """
    frequencies = oracle.frequencies(d_model).astype(np.float64)
    left = np.arange(1, farthest + 1)
    total = np.zeros(len(left))
    reached = float(oracle.distance(1, d_model)) ** 2
    for frequency in frequencies:
        total += 4 * np.sin(left * frequency / 2) ** 2
        inside = total <= reached + 1e-6
        left, total = left[inside], total[inside]
    best = left[total <= total.min() + 2e-6]
    return int(min(best, key=lambda k: oracle.distance(int(k), d_model)))


def singular_values(matrix: Any) -> np.ndarray:
    """By the eigenvalues of the smaller Gram matrix, in float64."""
    table = np.asarray(matrix).astype(np.float64)
    gram = table @ table.T if len(table) <= len(table.T) else table.T @ table
    return np.sqrt(np.clip(np.linalg.eigvalsh(gram)[::-1], 0, None))


def t5_bucket(distance: int) -> int:
    """By counting the bounds 16 * 8 ** (j / 16) that are reached, in whole numbers."""
    if distance < 16:
        return int(distance)
    reached = sum(distance**16 >= 16**16 * 8**j for j in range(1, 16))
    return 16 + reached


def toy_attention(sentence: str, *, encoded: bool = False) -> np.ndarray:
    """The sums of the values, word by word."""
    return toy_head(sentence, encoded=encoded)[-1]


def toy_head(sentence: str, *, encoded: bool = False) -> tuple[np.ndarray, ...]:
    """Words, their sums with the encoding, weights and answers of the head.

    The query is a sum's first half, the key its second; a value mixes both.
    """
    words = np.array([TOY_WORDS[word] for word in sentence.split()], dtype=object)
    sums = words + (oracle.encode(range(len(words)), 4) if encoded else ball(0))
    powers = balls.exp(sums[:, :2] @ sums[:, 2:].T / balls.sqrt(2))
    weights = powers / powers.sum(axis=1, keepdims=True)
    a, b, c, e = sums.T
    return words, sums, weights, weights @ np.transpose([a - c, b + c + e])


def target_weight(length: int, d_model: int, offset: int, gain: Any) -> Any:
    """By one sum of exponentials for each query that has a target."""
    powers = _powers(length + offset, d_model, gain)
    return 1 / balls.largest(
        balls.total(powers[abs(p - q - offset)] for q in range(length))
        for p in range(offset, length)
    )


def model_setting(model: str, name: str) -> Any:
    config = _config(model)
    return ball({**config, **(config["rope_scaling"] or {})}[name])


def model_wavelengths(model: str, *, scaled: bool = True) -> np.ndarray:
    """From the definitions of the scalings."""
    scaling = _scaling(model) if scaled else None
    width = {"Llama": 128, "Qwen": 128, "DeepS": 64, "gpt-o": 64, "Phi-3": 96}[model[:5].strip()]
    length = 131_072 if model.startswith("Phi") else None
    return _turn_lengths(width, model_setting(model, "rope_theta"), scaling, length)


def model_attention(model: str) -> Any:
    return ball(rotary_oracle.attention_factor(_scaling(model)))


@remembered
def stretched(scaling: str) -> np.ndarray:
    """From the definitions of the scalings."""
    return _turn_lengths(96, 10_000, _scalings()[scaling], 131_072)


def stretched_similarity(offset: Any, scaling: str) -> Any:
    """One cosine after the other."""
    angles = np.multiply.outer(np.asarray(offset, dtype=object), 2 * balls.pi / stretched(scaling))
    return balls.cos(angles).sum(axis=-1) / 48


def stretched_attention(scaling: str) -> Any:
    return ball(rotary_oracle.attention_factor(_scalings()[scaling]))


def _config(model: str) -> dict[str, Any]:
    models: dict[str, dict[str, Any]] = json.loads(_MODELS.read_text("utf-8"))["models"]
    return models[model]


def _scaling(model: str) -> dict[str, Any] | None:
    """The scaling of a config, with its type and numbers under the names of `rotary_oracle`."""
    config = _config(model)
    given = config["rope_scaling"]
    if given is None:
        return None
    kind = given.get("rope_type", given.get("type"))
    shared = {name: config[name] for name in config if name.startswith("original")}
    return {**shared, **given, "type": kind, "factor": given.get("factor", 32)}


@lru_cache(maxsize=1)
def _scalings() -> dict[str, dict[str, Any] | None]:
    trained = {"original_max_position_embeddings": 4096}
    llama3 = {"low_freq_factor": 1, "high_freq_factor": 4}
    return {
        "none": None,
        "linear": {"type": "linear", "factor": 32},
        "ntk": {"type": "ntk", "factor": 32},
        "yarn": {"type": "yarn", "factor": 32, **trained},
        "llama3": {"type": "llama3", "factor": 32, **llama3, **trained},
        "longrope": _scaling("Phi-3.5-mini"),
    }


def _turn_lengths(width: int, base: Any, scaling: Any, length: Any) -> np.ndarray:
    return 2 * balls.pi / _balls(rotary_oracle.frequencies(width, base, scaling, length))


@lru_cache(maxsize=4)
def targets_found(length: int, d_model: int, offset: int, size: Any) -> int:
    """By complex numbers: turn each key on by the offset, and multiply it with each query.

    A score is a sum of float64 numbers below 100 that errs by less than 1e-9.
    """
    chance = np.random.Generator(np.random.PCG64(0))
    rows = float(size) * chance.standard_normal((length, d_model))
    rows += oracle.positional_encoding(length, d_model).astype(np.float64)
    pairs = rows[:, 0::2] + 1j * rows[:, 1::2]
    turns = np.exp(-1j * offset * oracle.frequencies(d_model).astype(np.float64))
    count, scores = 0, (pairs @ (pairs * turns).conj().T).real
    for target, row in enumerate(scores[offset:]):
        count += balls.sure(row[target] - np.delete(row, target).max(), 1e-9) > 0
    return count


_MODULES = [*map(vars, (result_oracle, turning_oracle)), globals()]
NAMES = {
    name: value
    for module in _MODULES
    for name, value in module.items()
    if callable(value) and name[0] != "_" and value.__module__.endswith("_oracle")
}
