"""0 to 31 in binary, lowest digit first, and the encoding at d = 10, n = 32."""

from __future__ import annotations

from tests.figure_oracles import Expected, matrix, numbered


def expected() -> Expected:
    encoding = matrix(32, 10, base=32)
    counter = [[int(digit) for digit in reversed(f"{p:05b}")] for p in range(32)]
    return Expected(
        fields={
            **encoding.fields,
            "bits": [0, 1, 2, 3, 4],
            "periods": [2, 4, 8, 16, 32],
            "counter": counter,
        },
        columns={
            "position": range(32),
            **numbered("bit", counter),
            **numbered("dimension", encoding.images[0]),
        },
        images=[counter, *encoding.images],
    )
