"""Positions of texts with images, videos and sounds: three coordinates for each token (M-RoPE)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._memory import refuse_array

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Patches:
    """An image or a video in a text: frames, rows and columns of patches, before they are merged.

    It is what processors of transformers call `grid_thw`. `step` is the number of positions from
    a frame to the next: 1 for an image and for Qwen2-VL; for a video of Qwen2.5-VL it is
    `tokens_per_second * second_per_grid_ts`. Qwen3-VL and GLM-4V give each frame of a video as
    `Patches(1, rows, columns)`, with the text of its time before it.
    Raises ValueError if a number is less than 1, or `step` not finite and positive.
    """

    frames: int
    rows: int
    columns: int
    _: KW_ONLY
    step: float = 1.0

    def __post_init__(self) -> None:
        for name in ("frames", "rows", "columns"):
            value = _arguments.integer(name, getattr(self, name), least=1)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "step", _arguments.positive("step", self.step))


Part = int | Patches
_PARTS = "texts, each a list of parts"


def mrope(
    texts: Sequence[Sequence[Part]],
    *,
    merge: int = 2,
    padding: str = "right",
    after: str = "sides",
) -> IntArray:
    """Positions in time, height and width, shape `(3, len(texts), longest)`, as transformers has.

    A text is a list of parts: a number of tokens, which count on in all three coordinates, or
    `Patches`, of which `merge` by `merge` become one token. Tokens of sounds count as words do
    (Qwen2.5-Omni). Shorter texts get zeros on the side that `padding` names, `"right"` or
    `"left"`; with `"none"`, all texts stand in one row, each from 0 on (packing).

    The part after patches starts at the larger of their two sides beyond their first position
    (`after="sides"`: transformers 5.24 for Qwen2-VL, Qwen2.5-VL, Qwen3-VL and GLM-4V), or one
    beyond the largest number so far (`"largest"`: transformers 4, Qwen2.5-Omni). They differ for
    videos with more steps in time than the longer side of a frame has tokens.

    Raises ValueError if a part has no tokens, rows or columns are not multiples of `merge`,
    or an option is none of these; TypeError if a part is neither an integer nor `Patches`.

    >>> mrope([[2, Patches(1, 4, 4), 1]])[:, 0]
    array([[0, 1, 2, 2, 2, 2, 4],
           [0, 1, 2, 2, 3, 3, 4],
           [0, 1, 2, 3, 2, 3, 4]])
    """
    _arguments.choice("padding", padding, ("right", "left", "none"))
    rows = [_positions(text, merge, after) for text in _texts(texts)]
    if padding == "none":
        return np.concatenate(rows, axis=1)[:, None]
    longest = max(row.shape[1] for row in rows)
    out = np.zeros((3, len(rows), longest), np.int64)
    for number, row in enumerate(rows):
        own = slice(0, row.shape[1]) if padding == "right" else slice(longest - row.shape[1], None)
        out[:, number, own] = row
    return out


def mrope_deltas(
    texts: Sequence[Sequence[Part]], *, merge: int = 2, after: str = "sides"
) -> IntArray:
    """What a new token's number is greater by than its place in the text, shape `(len(texts), 1)`.

    While a text is continued, the token at place i has position `i + delta` in all three
    coordinates; images of several rows and columns lower it. Arguments and errors: see `mrope`.

    >>> mrope_deltas([[2, Patches(1, 4, 4), 1]])
    array([[-2]])
    """
    rows = [_positions(text, merge, after) for text in _texts(texts)]
    return np.array([[row.max() + 1 - row.shape[1]] for row in rows], np.int64)


def _texts(texts: object) -> list[list[Part]]:
    given = _arguments.entries("texts", texts, of=_PARTS)
    if not given or any(isinstance(text, int | Patches) for text in given):
        raise ValueError(f"texts must be a list of {_PARTS}, got {_arguments.shown(texts)}")
    return [_arguments.entries("texts", text, of=_PARTS) for text in given]


def _positions(text: list[Part], merge: int, after: str) -> IntArray:
    """Shape `(3, tokens)`."""
    merge = _arguments.integer("merge", merge, least=1)
    _arguments.choice("after", after, ("sides", "largest"))
    total = sum(_tokens(part, merge) for part in text)
    refuse_array("texts", 3 * total)
    start, found = 0, []
    for part in text:
        if isinstance(part, Patches):
            own, width = _of_patches(part, merge)
        else:
            width = int(part)
            own = np.tile(np.arange(width), (3, 1))
        found.append(own + start)
        start = start + width if after == "sides" else int(found[-1].max()) + 1
    if not found:
        raise ValueError(f"texts must have parts, got {_arguments.shown(text)}")
    return np.concatenate(found, axis=1)


def _tokens(part: Part, merge: int) -> int:
    if not isinstance(part, Patches):
        return _arguments.integer("a part of texts", part, least=1)
    if part.rows % merge or part.columns % merge:
        rule = f"texts must have patches in multiples of merge = {merge}"
        raise ValueError(f"{rule}, got {part.rows} rows and {part.columns} columns")
    return part.frames * part.rows * part.columns // merge**2


def _of_patches(patches: Patches, merge: int) -> tuple[IntArray, int]:
    rows, columns = patches.rows // merge, patches.columns // merge
    frames = np.arange(patches.frames, dtype=np.float32)  # transformers multiplies in float32
    times = (frames * np.float32(patches.step)).astype(np.int64)
    grid = np.meshgrid(times, np.arange(rows), np.arange(columns), indexing="ij")
    return np.stack(grid).reshape(3, -1), max(rows, columns)
