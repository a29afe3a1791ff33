"""Rows of the encoding as heatmaps, and the numbers that documents print."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from tests import balls, oracle, quantity_oracle
from tests.balls import ball
from tests.figure_oracles import Expected, floats, matrix, numbered, of_curves


def heatmap() -> Expected:
    return matrix(50, 128)


def matshow() -> Expected:
    return matrix(100, 512)


def pcolormesh() -> Expected:
    return matrix(50, 512)


def small_matrix() -> Expected:
    """Each value written on its cell, in black or white on strong colours."""
    values, plain = oracle.positional_encoding(10, 6), matrix(10, 6)
    texts = [oracle.formatted(value, ".2f") for row in values for value in row]
    return replace(plain, others={**plain.others, "strong": strong(values)}, texts=texts)


def strong(rows):
    return [[not -90 <= 100 * value <= 78 for value in row] for row in rows]


def surfaces() -> Expected:
    """The sine and the cosine of every column's angle, and the encoding of that size."""
    angles = np.multiply.outer(range(64), np.repeat(oracle.frequencies(128), 2))
    sine, cosine = balls.sin(angles), balls.cos(angles)
    kept = np.where(np.arange(128) % 2, cosine, sine)  # half of each
    images, columns = [floats(values) for values in (sine, cosine, kept)], {"position": range(64)}
    for name, values in zip(("sine", "cosine", "combined"), images, strict=True):
        columns |= numbered(name, values)
    return Expected(columns, images=images, others=matrix(64, 128).others)


def counter_and_columns() -> Expected:
    """0 to 31 in binary, lowest digit first, and the encoding at d = 10, n = 32."""
    encoding = matrix(32, 10, base=32)
    counter = [[int(digit) for digit in reversed(f"{p:05b}")] for p in range(32)]
    columns = {"position": range(32), **numbered("bit", counter)}
    columns |= numbered("dimension", encoding.images[0])
    others = {"periods": [2, 4, 8, 16, 32], **encoding.others}
    return Expected(columns, images=[counter, *encoding.images], others=others)


def four_codes() -> Expected:
    """The positions 0 to 15 as numbers, as shares of the last one, as unit vectors, in binary."""
    p, short = range(16), [Fraction(k, 7) for k in range(8)]
    scaled, one_hot = [Fraction(k, 15) for k in p], [[int(row == k) for k in p] for row in p]
    bits = [[k // 2**b % 2 for k in p] for b in range(4)]
    return Expected(
        columns={"position": p, "scaled index": scaled, **numbered("bit", zip(*bits, strict=True))},
        lines=[("index", p, p), ("in 8 words", p[:8], short), ("in 16 words", p, scaled)],
        images=[one_hot, bits],
    )


def four_conventions() -> Expected:
    """Position 3 at d = 8, four times: A to D in the figure, the paper's row first."""
    libraries = (
        *("annotated_transformer", "transformers_marian", "tensor2tensor", "guided_diffusion"),
    )
    paper = list(oracle.encode(3, 8))
    angles = [3 * ball(10_000) ** (-ball(i) / 3) for i in range(4)]
    halves = [balls.sin(angle) for angle in angles] + [balls.cos(angle) for angle in angles]
    rows = [paper, paper[0::2] + paper[1::2], halves, paper[1::2] + paper[0::2]]
    return Expected(
        columns={"dimension": range(8), **dict(zip(libraries, rows, strict=True))},
        images=[rows],
        texts=[oracle.formatted(value, ".2f") for row in rows for value in row],
        others={"strong": strong(rows)},
    )


def published_heatmap() -> Expected:
    """Three printed rows, cell by cell, and the three that the formula gives."""
    rows, places = oracle.positional_encoding(3, 128), (0, 1, 2)
    printed = [list(quantity_oracle.published("heatmap", p)) for p in places]
    cells = [(p, j) for p in places for j in range(len(printed[p]))]
    position, dimension = zip(*cells, strict=True)
    columns = {
        "position": position,
        "dimension": dimension,
        "printed": [printed[p][j] for p, j in cells],
        "formula": [rows[p][j] for p, j in cells],
    }
    image = [line + [math.nan] * (128 - len(line)) for line in printed]
    return Expected(columns, images=[image, rows])


def published_line() -> Expected:
    """The printed line of position 10, and the formula's."""
    printed, formula = quantity_oracle.published("line", 10), oracle.encode(10, 128)
    short, whole = range(102), range(128)
    return Expected(
        columns={"dimension": short, "printed": printed, "formula": formula[:102]},
        lines=[("as printed", short, printed), ("by the formula", whole, formula)],
    )


def sentence_sum() -> Expected:
    """Four made-up embeddings, times two, plus the encoding at d = 4 and n = 100."""
    words = quantity_oracle.robot_embeddings() * 2
    rows = oracle.positional_encoding(4, 4, base=100)
    parts = {"embedding": words, "encoding": rows, "input": words + rows}
    columns = {"position": range(4)}
    for name, part in parts.items():
        columns |= numbered(f"{name}, dimension", part)
    return Expected(columns, images=list(parts.values()))


def row_vectors() -> Expected:
    """The sines and cosines of positions 0, 10 and 25 at d = 128."""
    curves = {
        f"position {p}, {kind}": oracle.encode(p, 128)[j::2]
        for p in (0, 10, 25)
        for j, kind in enumerate(("sine", "cosine"))
    }
    waves = {"wavelengths": oracle.wavelengths(128)}
    return replace(of_curves("pair", range(64), curves), others=waves)


def column_waves() -> Expected:
    """The sine columns of pairs 0, 4, 8, 12, 16 at d = 128, at positions and between them."""
    pairs, fine = [0, 4, 8, 12, 16], [k / 4 for k in range(197)]
    waves, fine_waves = floats(oracle.encode(range(50), 128)), floats(oracle.encode(fine, 128))
    lines = []
    for i in pairs:
        lines.append((f"pair {i}", fine, fine_waves[:, 2 * i]))
        lines.append((f"pair {i}, positions", range(50), waves[:, 2 * i]))
    return Expected(
        columns={"position": range(50), **{f"sine of pair {i}": waves[:, 2 * i] for i in pairs}},
        lines=lines,
        others={"wavelengths": [oracle.wavelengths(128)[i] for i in pairs]},
    )


def denominator_by_column() -> Expected:
    """The denominators at d = 16, and with an exponent for each column."""
    columns, by_pair = range(16), [ball(10) ** (ball(i) / 2) for i in range(8)]  # 10000 = 10 ** 4
    denominators = [by_pair[j // 2] for j in columns]
    unpaired = [ball(10_000) ** (ball(j) / 16) for j in columns]
    lines = [("pair", columns, denominators), ("unpaired", columns, unpaired)]
    lines += [("sine", columns[::2], by_pair), ("cosine", columns[1::2], by_pair)]
    pairs = {"column": columns, "pair": [j // 2 for j in columns]}
    return Expected({**pairs, "denominator": denominators, "unpaired": unpaired}, lines)
