"""Positions of the tokens of diffusion models, as diffusers 0.42 numbers them.

Sizes are numbers of tokens, after the latents are patched. Each function gives one row of
coordinates for each token that turns, in the order in which attention sees them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._memory import refuse_array

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_PAIRS = "pairs (rows, columns)"


def video(frames: int, rows: int, columns: int) -> IntArray:
    """Frame, row and column from 0 on, shape `(tokens, 3)`: Wan, HunyuanVideo, CogVideoX 1.5.

    Raises ValueError if a size is less than 1, TypeError if it is no integer; so do the others.

    >>> video(1, 2, 2).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]]
    """
    sides = {"frames": frames, "rows": rows, "columns": columns}
    return _lattice(*(_steps(name, count) for name, count in sides.items())).astype(np.int64)


def flux(rows: int, columns: int, *, text: int = 512) -> IntArray:
    """FLUX.1 and Chroma, shape `(text + rows * columns, 3)`: the text's tokens are all at 0.

    >>> flux(1, 2, text=1).tolist()
    [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
    """
    words = np.zeros((_count("text", text), 3), np.int64)
    return np.concatenate([words, video(1, rows, columns)])


def flux2(
    rows: int, columns: int, *, text: int = 512, references: Sequence[Sequence[int]] = ()
) -> IntArray:
    """FLUX.2, shape `(tokens, 4)`: image, row, column, and the number of a word.

    `references` are the rows and columns of images to edit; their tokens come last, at 10, 20, ...
    in the first coordinate.

    >>> flux2(1, 1, text=2, references=[(1, 1)]).tolist()
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [10, 0, 0, 0]]
    """
    zero = np.zeros(1)
    parts = [_lattice(zero, zero, zero, np.arange(_count("text", text)))]
    given = _arguments.entries("references", references, of=_PAIRS)
    others = [_pair("references", pair) for pair in given]
    for number, sides in enumerate([(_steps("rows", rows), _steps("columns", columns)), *others]):
        parts.append(_lattice(zero + 10 * number, *sides, zero))
    return np.concatenate(parts).astype(np.int64)


def z_image(rows: int, columns: int, *, text: int) -> IntArray:
    """Z-Image, shape `(tokens, 3)`: the image, at one beyond the text in time, then the text.

    Both are filled up to a multiple of 32 tokens: the text's fillers count on, those of the image
    are at 0. The text's first word is at 1.

    >>> z_image(4, 8, text=5)[[0, 31, 32, 63]].tolist()
    [[33, 0, 0], [33, 3, 7], [1, 0, 0], [32, 0, 0]]
    """
    words = -(-_count("text", text, least=1) // 32) * 32
    image = video(1, rows, columns)
    image[:, 0] = words + 1
    filler = np.zeros((-len(image) % 32, 3), np.int64)
    return np.concatenate([image, filler, _of_words(words, 1)])


def lumina2(rows: int, columns: int, *, text: int) -> IntArray:
    """Lumina 2, shape `(text + rows * columns, 3)`: words from 0 on in time, then the image there.

    >>> lumina2(1, 2, text=1).tolist()
    [[0, 0, 0], [1, 0, 0], [1, 0, 1]]
    """
    words = _count("text", text)
    image = video(1, rows, columns)
    image[:, 0] = words
    return np.concatenate([_of_words(words, 0), image])


def qwen_image(images: Sequence[Sequence[int]], *, text: int, centred: bool = True) -> IntArray:
    """Qwen-Image, shape `(tokens, 3)`: words, then images around 0, numbered in time.

    `images` has rows and columns of the image, then those of images to edit. Rows and columns run
    from `-(n - n // 2)` to `n // 2 - 1` (`scale_rope`, which the pipelines set), or from 0 if not
    `centred`. Words have the same number in all three coordinates, from the largest half side on.

    >>> qwen_image([(2, 2)], text=1).tolist()
    [[1, 1, 1], [0, -1, -1], [0, -1, 0], [0, 0, -1], [0, 0, 0]]
    """
    centred = _arguments.flag("centred", centred)
    parts, largest = [], 0
    pairs = _arguments.entries("images", images, of=_PAIRS)
    for number, pair in enumerate(pairs):
        sides = _pair("images", pair)
        shifts = [len(side) - len(side) // 2 if centred else 0 for side in sides]
        largest = max(largest, *(len(side) // (2 if centred else 1) for side in sides))
        moved = [side - shift for side, shift in zip(sides, shifts, strict=True)]
        parts.append(_lattice(np.full(1, number), *moved))
    words = np.arange(_count("text", text)) + largest
    return np.concatenate([np.repeat(words, 3).reshape(-1, 3), *parts]).astype(np.int64)


def cogvideox(
    frames: int, rows: int, columns: int, *, trained: Sequence[int] = (30, 45)
) -> FloatArray:
    """CogVideoX 1.0, shape `(tokens, 3)`: the image fits into the grid of training, in its middle.

    `trained` is half of `sample_height` and `sample_width`. Another format leaves a margin, and
    rows and columns are no whole numbers.

    >>> cogvideox(1, 30, 45)[[0, -1]].tolist()
    [[0.0, 0.0, 0.0], [0.0, 29.0, 44.0]]
    """
    height, width = (len(side) for side in _pair("trained", trained))
    high, wide = _count("rows", rows, least=1), _count("columns", columns, least=1)
    if high / wide > height / width:
        size = height, round(height / high * wide)
    else:
        size = round(width / wide * high), width
    first = round((height - size[0]) / 2), round((width - size[1]) / 2)
    sides = [
        np.linspace(start, (start + length) * (n - 1) / n, n)
        for start, length, n in zip(first, size, (high, wide), strict=True)
    ]
    return _lattice(_steps("frames", frames), *sides)


def ltx(
    frames: int,
    rows: int,
    columns: int,
    *,
    fps: float = 25.0,
    compression: Sequence[int] = (8, 32, 32),
    base: Sequence[int] = (20, 2048, 2048),
) -> FloatArray:
    """LTX-Video, shape `(tokens, 3)`: seconds and pixels as parts of `base`, from -1 to 1.

    These are the positions of `posenc.rotary.axes.ltx`: `2 x - 1`, where x is the number of frame,
    row or column, times its `compression` (frames also by `1 / fps`), over `base`.

    >>> ltx(1, 1, 2).tolist()
    [[-1.0, -1.0, -1.0], [-1.0, -1.0, -0.96875]]
    """
    rate = _arguments.positive("fps", fps)
    scales = _three("compression", compression) / (rate, 1.0, 1.0)
    parts = video(frames, rows, columns) * scales / _three("base", base)
    points: FloatArray = 2 * parts - 1
    if not np.isfinite(points).all():
        raise ValueError(f"compression and base must keep positions finite, with fps = {rate}")
    return points


def _of_words(count: int, start: int) -> IntArray:
    out = np.zeros((count, 3), np.int64)
    out[:, 0] = np.arange(count) + start
    return out


def _count(name: str, value: object, *, least: int = 0) -> int:
    return _arguments.integer(name, value, least=least, most=2**20)


def _steps(name: str, count: object) -> FloatArray:
    return np.arange(_count(name, count, least=1), dtype=np.float64)


def _pair(name: str, pair: object) -> tuple[FloatArray, FloatArray]:
    given = _arguments.entries(name, pair, of=_PAIRS)
    if len(given) != 2:
        got = _arguments.shown(pair)
        raise ValueError(f"{name} must have pairs of rows and columns, got {got}")
    return _steps(name, given[0]), _steps(name, given[1])


def _three(name: str, values: object) -> FloatArray:
    given = [_arguments.positive(name, value) for value in _arguments.entries(name, values)]
    if len(given) != 3:
        rule = f"{name} must have numbers for frames, rows and columns"
        raise ValueError(f"{rule}, got {_arguments.shown(values)}")
    return np.array(given)


def _lattice(*sides: npt.NDArray[np.generic]) -> FloatArray:
    """All points of a lattice, the last coordinate fastest, shape `(points, len(sides))`."""
    refuse_array("frames, rows, columns and images", math.prod(map(len, sides)) * len(sides))
    grid = np.meshgrid(*sides, indexing="ij")
    points: FloatArray = np.stack(grid, axis=-1).reshape(-1, len(sides))
    return points
