"""The values of the symbols at random points, by the oracle or by plain loops.

`w_` is the function behind `w_i`, and `all q` the values that a sum over q takes. `holds` says
whether the formulas of a section are true at a point (if it is missing, they are), `expression`
what a formula without a relation stands for, `tolerance` how far apart the sides of an
approximation may be, and `reached` the share of a bound that the other side has to reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from tests import balls, oracle
from tests.formulas import sections
from tests.formulas.parts import embedding, encoding, matrix, member, real, word

Values = dict[str, Any]
INSIDE, OUTSIDE = 4, 3  # points within, and outside, the range of the pairs or of the law


def points(section: str, *, outside: bool) -> Iterator[Values]:
    """The symbols' values at random points, for the formulas below a heading (`page#anchor`).

    With `outside`, some points lie where the conditions of a formula have to fail.
    """
    page = section.partition("#")[0]
    for number in range(INSIDE + OUTSIDE * outside):
        chance = Random(f"{section} {number}")
        at = course(number, chance)
        for name in (page, section):
            known = name.replace(".md", "").replace("-", "_").replace("#", "__")
            if own := getattr(sections, known, None):
                at |= own(at, number, chance)
        yield at


def course(number: int, chance: Random) -> Values:
    """The notation of the course, with rows as vectors."""
    d, n = (4, 6, 8, 4, 6, 8, 4)[number], real(chance, 2, 200)
    p, q, k = real(chance, 0.1, 9), real(chance, 0.1, 9), real(chance, -9, 9)
    pairs = range(d // 2)
    i = (chance.choice(pairs), 0, pairs[-1], chance.choice(pairs), -1, d // 2, d // 2 + 1)[number]
    numbers = {
        **{"d": d, "n": n, "p": p, "q": q, "k": k, "k'": real(chance, -9, 9), "i": i},
        **{"m": 3, "L": 5},
        **{"a": real(chance, -9, 9), "b": real(chance, -9, 9), "w": real(chance, 0.1, 2)},
        **{"varphi": real(chance, -3, 3), "gamma": balls.euler, "pi": balls.pi, "e": balls.e},
    }
    indices = {"i": pairs, "j": range(d), "p": range(5), "q": range(5), "r": range(5)}
    return {
        **numbers,
        **{f"all {letter}": span for letter, span in indices.items()},
        "w_": member(oracle.frequencies(d, base=n)),
        "lambda_": member(oracle.wavelengths(d, base=n)),
        "Ci": balls.ci,
        "identity": matrix(np.eye(d, dtype=int)),
        "PE": lambda p, *j: encoding(p, d, n, *j),
        "M_": lambda k: oracle.shift_matrix(k, d, base=n),
        "K": lambda k: oracle.similarity(k, d, base=n),
        "t_": lambda p: p,
        "E": lambda t: embedding(t, d),
        "x_": lambda p: word(p, d),
        "z_": lambda p: word(p, d) + encoding(p, d, n),
    }
