"""Symbols with a special meaning on one page, or below one heading.

The name of a function is that of the page, and perhaps `__` and the heading's anchor.
"""

from __future__ import annotations

from random import Random
from statistics import NormalDist
from typing import Any

import numpy as np

from tests import balls, oracle
from tests.balls import ball
from tests.formulas.parts import encoding, matrix, member, permutation, real, scores, table, word

Values = dict[str, Any]


def advantages__shift(at: Values, _: int, __: Random) -> Values:
    """The formula without a relation is the block of pair i in the shift matrix."""
    first = 2 * at["i"]
    return {"expression": at["M_"](at["k"])[first : first + 2, first : first + 2]}


def advantages__unique(at: Values, number: int, chance: Random) -> Values:
    """Positions at a whole number of turns; with the same sine; with the same cosine; any."""
    p, turns = at["p"], 2 * balls.pi * chance.randint(1, 5)
    q = (p + turns, balls.pi - p, -p, at["q"])[number]
    return {"q": q, "c": balls.nearest(-turns / (2 * balls.pi)), "holds": number == 0}


def advantages__real_positions(at: Values, _: int, __: Random) -> Values:
    """The four hands of d = 8 at n = 10,000, a thousand turns of the first apart."""
    turns = [ball(10) ** (3 - i) for i in range(4)]
    law = {"d": 8, "n": 10_000, "q": at["p"] - 2000 * balls.pi, "c_": member(turns)}
    rows = {"PE": lambda p: encoding(p, 8, 10_000), "lambda_": member(oracle.wavelengths(8))}
    return {**law, **rows, "all i": range(4), "i": at["i"] % 4}


def wavelengths__why_10000(_: Values, number: int, __: Random) -> Values:
    """Offsets where the law holds at d = 512, and three where it does not.

    The law leaves out Ci(k), which is at most 1/k, and takes a sum for an integral.
    """
    k = ball((11, 30, 90, 170, 2, 405, 3000)[number])
    tolerance = 1 / (k * balls.log(10_000)) + ball("0.003")
    law = {"d": 512, "n": ball(10_000), "k": k, "tolerance": tolerance}
    law |= {"w_": member(oracle.frequencies(512)), "all i": range(256)}
    return {**law, "K": lambda k: oracle.similarity(k, 512)}


def wavelengths__closed_form(at: Values, number: int, chance: Random) -> Values:
    """Offsets in most of the law's range; the shorter form leaves out 1 / (k * k * ln n)."""
    k, log = ball((11, 30, 60, 110)[number]), balls.log(10_000)
    law = {**wavelengths__why_10000(at, number, chance), "k": k, "theta": 2 * k * log / 512}
    return {**law, "tolerance": ball("1e-4") + 1 / (k * k * log)}


def wavelengths__how_many_pairs_does_a_text_use(at: Values, number: int, _: Random) -> Values:
    """A text in which pair i does, or does not, finish a turn; the formula says which."""
    length = at["lambda_"](at["i"]) * (ball("1.1") if number % 2 else ball("0.9"))
    return {"L": length, "holds": bool(at["lambda_"](at["i"]) <= length)}


def waves__one_wave_three_numbers(at: Values, _: int, chance: Random) -> Values:
    """Whole positions; the formula without a relation is a wave with the angle φ at position 0."""
    p = chance.randint(1, 50)
    turned, start = balls.cosine_sine(at["w"] * p), balls.cosine_sine(at["varphi"])
    return {"p": p, "expression": turned[1] * start[0] + turned[0] * start[1]}


def why_these_clocks__near_and_far(_: Values, __: int, chance: Random) -> Values:
    """A density of speeds that is the same on every scale."""
    total, k = real(chance, 1, 3), ball(chance.randint(2, 9))
    known = {"A": total, "h": total, "k": k, "c": real(chance, 1, 4), "b": ball(2)}
    return {**known, "rho": lambda w: total / w, "varepsilon": ball("0.1")}


def why_these_clocks__converse(at: Values, _: int, chance: Random) -> Values:
    """Two hands, a constant and an alternating entry, as columns that one matrix turns."""
    step, columns = matrix(np.diag([0, 0, 0, 0, 1, -1])), [table(chance, 6, 1)]
    step[:4, :4] = oracle.shift_matrix(1, 4, base=at["n"])
    for _ in range(6):
        columns.append(step @ columns[-1])
    first, p = columns[0][:, 0], chance.randint(1, 4)
    lengths = [balls.size(first[:2]), balls.size(first[2:4])]
    return {
        **{"T": step, "v_": member(columns), "p": p, "q": p - 1, "k": 5, "i": 1, "all i": range(2)},
        **{"a": first[4], "b": first[5], "a_": member(lengths)},
        "K": lambda k: balls.dot(first, columns[abs(int(k))][:, 0]),
        "w_": member(oracle.frequencies(4, base=at["n"])),
    }


def notation(at: Values, _: int, chance: Random) -> Values:
    """Any two vectors."""
    u, v = table(chance, 1, at["d"]), table(chance, 1, at["d"])
    return {"u": u, "v": v, "u_": member(u[0]), "v_": member(v[0])}


def same_matrix(at: Values, _: int, __: Random) -> Values:
    """The sines along a row."""
    return {"f_": lambda p: member(oracle.encode(p, at["d"], base=at["n"])[::2])}


def why_order(at: Values, _: int, chance: Random) -> Values:
    """A head without an encoding."""
    d, m, length = at["d"], 3, 5
    query, key, value = (table(chance, d, m) for _ in range(3))
    words = np.vstack([at["x_"](p) for p in range(length)])
    powers = lambda asks, answers: balls.exp(scores(asks, answers, query, key))  # noqa: E731
    total = lambda p: powers(word(p, d), words).sum()  # noqa: E731

    def weights(asks: Any, answers: Any) -> Any:
        return powers(asks, answers) / powers(asks, answers).sum(axis=1, keepdims=True)

    return {
        **{"W_Q": query, "W_K": key, "W_V": value, "m": m, "X": words, "A": weights(words, words)},
        **{"R": permutation(length), "I": matrix(np.eye(length, dtype=int))},
        "alpha": lambda p, q: powers(word(p, d), word(q, d))[0, 0] / total(p),
        "Attention": lambda words: weights(words, words) @ words @ value,
        **{"f": lambda words: words**3, "h": lambda words: words**2 - words},
        "s": lambda p, q: scores(word(p, d), word(q, d), query, key)[0, 0],
        "y_": lambda p: weights(word(p, d), words) @ words @ value,
    }


def into_the_model(at: Values, _: int, chance: Random) -> Values:
    """A head that reads the sum of words and encodings."""
    d, m, sums = at["d"], 3, at["z_"]
    query, key = table(chance, d, m), table(chance, d, m)
    return {
        **{"W_Q": query, "W_K": key, "W_1": table(chance, d, m), "W_2": table(chance, d, m)},
        **{"m": m, "g": real(chance, 1, 20), "u": table(chance, 1, d), "v": table(chance, 1, d)},
        "s": lambda p, q: scores(sums(p), sums(q), query, key)[0, 0],
    }


def into_the_model__a_head_that_looks_back(at: Values, _: int, __: Random) -> Values:
    """Queries that are turned by the offset, and no words."""
    d, turned, rows, same = at["d"], at["g"] * at["M_"](at["k"]), at["PE"], at["identity"]
    law = {"m": d, "z_": rows, "W_Q": turned, "W_K": same}
    return {**law, "s": lambda p, q: scores(rows(p), rows(q), turned, same)[0, 0]}


def from_adding_to_turning(at: Values, _: int, chance: Random) -> Values:
    """Queries and keys of width m; each pair turns as a complex number does."""
    d, m, n = at["d"], 6, at["n"]
    query, key, u = table(chance, d, m), table(chance, d, m), table(chance, 1, m)
    frequencies = oracle.frequencies(m, base=n)

    def turned(row: Any, p: Any) -> np.ndarray:
        pairs = zip(row[0::2], row[1::2], frequencies, strict=True)
        points = [ball(a, b) * balls.phasor(p * w) for a, b, w in pairs]
        return matrix([[part for point in points for part in (point.real, point.imag)]])

    def score(p: Any, q: Any) -> Any:
        asks, answers = (at["x_"](p) @ query)[0], (at["x_"](q) @ key)[0]
        return balls.dot(turned(asks, p)[0], turned(answers, q)[0]) / balls.sqrt(m)

    return {
        **{"m": m, "all i": range(m // 2), "i": chance.randrange(m // 2), "s": score},
        **{"W_Q": query, "W_K": key, "W_V": key, "z_": at["x_"], "w_": member(frequencies)},
        **{"u": u, "v": table(chance, 1, m), "u_": member(u[0])},
        "u'_": member(turned(u[0], at["p"])[0]),
        "M_": lambda k: oracle.shift_matrix(k, m, base=n),
        "K": lambda k: oracle.similarity(k, m, base=n),
    }


def from_adding_to_turning__complex(at: Values, _: int, __: Random) -> Values:
    """A query's and a key's pair as complex numbers."""
    numbers = {"a": ball(at["a"], at["b"]), "b": ball(at["k"], at["k'"]), "i": ball(0, 1)}
    return {**numbers, "Re": lambda number: number.real}


def beyond(at: Values, _: int, chance: Random) -> Values:
    """Queries and keys are columns on this page, and rows of the table are rows."""
    d, n = 8, at["n"]
    a, b = table(chance, d, 1), table(chance, d, 1)
    return {
        **{"d": d, "a": a, "b": b, "all i": range(d // 2), "i": chance.randrange(d // 2)},
        "PE": lambda p: encoding(p, d, n),
        "B": lambda k: oracle.shift_matrix(k, d, base=n),
        **{"j": 2, "k": 3, "c": ball(5), "w_": member(oracle.frequencies(d, base=n))},
    }


def beyond__transformer_xl(at: Values, _: int, chance: Random) -> Values:
    """Four products, of two queries with a key and with the encoding of an offset."""
    u, v, moved = (table(chance, *shape) for shape in ((8, 1), (8, 1), (8, 8)))
    a, b = at["a"], at["b"]

    def s(p: Any, q: Any) -> Any:
        place = moved @ encoding(p - q, 8, at["n"]).T
        return ((a + u) * b + (a + v) * place).sum()

    return {"u": u, "v": v, "W_R": moved, "s": s}


def images(at: Values, _: int, chance: Random) -> Values:
    """Row y and column x of a patch, encoded at half the width each."""
    n = at["n"]
    return {
        **{"d": 8, "y": real(chance, 0, 9), "x": real(chance, 0, 9)},
        "PE_": lambda width: lambda p: encoding(p, width, n).T,
        "PE_d": lambda y, x: matrix([*encoding(y, 4, n).T, *encoding(x, 4, n).T]),
    }


def beyond__xpos(_: Values, __: int, chance: Random) -> Values:
    """The share of pair i, from the number of the pair among d / 2 pairs."""
    d, i = 2 * chance.randint(4, 60), chance.randint(0, 3)
    share = lambda i: (ball(i) / (d // 2) + ball("0.4")) / ball("1.4")  # noqa: E731
    return {"d": d, "i": i, "zeta_": share}


def beyond__alibi(at: Values, _: int, chance: Random) -> Values:
    """Eight heads with the slopes 1/2, 1/4, ..., 1/256."""
    slopes = [ball(1) / 2 ** (h + 1) for h in range(8)]
    h, dots = chance.randint(1, 8), (at["a"] * at["b"]).sum()
    s = lambda p, q: dots / balls.sqrt(8) - slopes[h - 1] * (p - q)  # noqa: E731
    return {"H": 8, "h": h, "m_": lambda h: slopes[h - 1], "s": s}


def beyond__relative(at: Values, _: int, chance: Random) -> Values:
    """Two tables: vectors on the keys (Shaw et al.), and numbers on the scores (T5)."""
    vectors, numbers = {}, {}
    for entry in range(-3, 4):
        vectors[entry], numbers[entry] = table(chance, 8, 1), real(chance, -2, 2)
    clip = lambda k: max(-3, min(3, balls.nearest(k)))  # noqa: E731
    a, b = at["a"], at["b"]
    return {
        **{"c": clip, "r_": vectors.__getitem__, "beta_": numbers.__getitem__},
        "label Shawetal": {
            "s": lambda p, q: (a * (b + vectors[clip(p - q)])).sum() / balls.sqrt(8)
        },
        "label T5": {"s": lambda p, q: (a * b).sum() + numbers[clip(p - q)]},
    }


def beyond__fourier_features(_: Values, __: int, chance: Random) -> Values:
    """Frequencies at the quantiles of a normal distribution, and two near points."""
    deviation = real(chance, 1.5, 2)
    normal = [deviation * NormalDist().inv_cdf((place + 0.5) / 16) for place in range(16)]
    b = matrix([[first, second] for first in normal for second in normal])

    def features(v: Any) -> Any:
        return np.vstack([balls.sin(b @ v), balls.cos(b @ v)])

    v = table(chance, 2, 1)
    u = v + matrix([[chance.uniform(0.2, 0.6)], [chance.uniform(0.2, 0.6)]])
    return {"F": b, "v": v, "u": u, "sigma": deviation, "gamma": features, "tolerance": 0.03}


def port_weights(at: Values, _: int, chance: Random) -> Values:
    """A model whose columns are in another order: column j comes from column order[j]."""
    d, moved, sums = at["d"], permutation(at["d"]), at["z_"]
    order = [list(column).index(1) for column in moved.T]
    rows = np.vstack([at["PE"](p) for p in range(5)])
    return {
        **{"P": moved, "I": at["identity"], "W": table(chance, d, 3), "PE_A": at["PE"]},
        **{"T_A": rows, "T_B": rows[:, order], "z'_": lambda p: sums(p)[:, order]},
    }


def precision__where_the_error_comes_from(_: Values, number: int, chance: Random) -> Values:
    """Three roundings in a format; of many draws, the one with the largest error."""
    name, digits = (("bfloat16", 8), ("float16", 11), ("float32", 24), ("float64", 53))[number]
    fl = lambda value: ball(oracle.rounded(value, name))  # noqa: E731

    def draw() -> tuple[Any, Any]:
        near = [1 + ball(chance.getrandbits(100)) / 2**105 for _ in "pw"]
        return 64 * near[0], near[1] / 4  # behind powers of two, where steps are widest

    def error(drawn: tuple[Any, Any]) -> Any:
        return abs(fl(fl(drawn[0]) * fl(drawn[1])) / (drawn[0] * drawn[1]) - 1)

    p, frequency = max((draw() for __ in range(300)), key=error)
    base = 1 / frequency**2
    (value,) = oracle.encode_low([p], 4, precision=name, base=base)[:, 2]
    return {
        **{"d": 4, "n": base, "w_": member(oracle.frequencies(4, base=base))},
        **{"fl": fl, "t": digits, "p": p, "i": 1},
        **{"p'": fl(p), "w'_": {1: fl(frequency)}.__getitem__, "value": value},
        **{"varphi'": fl(fl(p) * fl(frequency))},
        **({"reached": 0.75} if digits > 20 else {}),
    }


def longer_than_trained__scalings(at: Values, _: int, chance: Random) -> Values:
    """A head of m features, and the base of which NTK makes one for a factor f."""
    m, f = 2 * chance.randint(3, 60), real(chance, 1.5, 40)
    base = balls.exp(balls.log(at["n"]) + balls.log(f) / (1 - ball(2) / m))
    return {"m": m, "f": f, "n'": base, "i": chance.randrange(m // 2)}


def turning_in_low_precision__score(_: Values, __: int, ___: Random) -> Values:
    """The largest relative error of a rounding to bfloat16."""
    return {"u": ball(2) ** -8}
