"""Rotary encodings of two and three coordinates: images, videos, and text beside them.

Every rule comes down to two lists: which coordinate turns a pair, and how fast. Each
function makes these lists as some libraries do, and `AxialRotary` turns features by them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext

from posenc import _arguments
from posenc.rotary._axial import AxialRotary
from posenc.rotary._exact import EXACT, PI, progression
from posenc.rotary._rotary import Rotary
from posenc.rotary._turn import Layout

__all__ = ["AxialRotary", "alternate", "blocks", "dinov3", "ltx", "pixels", "pixtral", "sections"]


def __dir__() -> list[str]:
    return __all__


def blocks(
    dims: Sequence[int], *, base: float = 10_000.0, layout: Layout = "interleaved"
) -> AxialRotary:
    """One block of `dims[a]` features for each coordinate a, each with all wavelengths.

    Pair i of a block turns by `base ** (-2 i / dims[a])` (diffusers 0.42: FLUX with
    dims 16, 56, 56, Wan, HunyuanVideo with base 256; the vision parts of Llama 4, SAM 2
    and Qwen2-VL, the last in halves). Raises ValueError if there is no width or one is not even
    and positive.

    >>> blocks([2, 4, 4]).axes
    (0, 1, 1, 2, 2)
    """
    base = _arguments.positive("base", base)
    widths = [2 * _part("dims", width, 2) for width in _arguments.entries("dims", dims)]
    if not widths:
        raise ValueError("dims must have a width for each coordinate, got none")
    exact = [frequency for width in widths for frequency in _powers(base, width)]
    axes = [axis for axis, width in enumerate(widths) for _ in range(width // 2)]
    return AxialRotary(sum(widths), axes=axes, frequencies=exact, layout=layout)


def sections(
    rotary: Rotary,
    pairs: Sequence[int],
    *,
    interleaved: bool = False,
    length: float | None = None,
) -> AxialRotary:
    """The frequencies of `rotary`, each given to one of several coordinates: time, height, width.

    Coordinate a has `pairs[a]` successive pairs (Qwen2-VL). If `interleaved`, pair j belongs to
    coordinate `j % A`, where A is the number of coordinates, or to the first coordinate if
    `j >= A * pairs[j % A]` (Qwen3-VL in transformers). Another coordinate than the first then
    has at most `pairs[a]` pairs: fewer if the pairs end before that. `length` is as for
    `posenc.Rotary`. Raises ValueError if the numbers of `pairs` do not add up to the number of
    pairs of `rotary`.

    >>> sections(Rotary(16), [4, 2, 2]).axes
    (0, 0, 0, 0, 1, 1, 2, 2)
    >>> sections(Rotary(16), [4, 2, 2], interleaved=True).axes
    (0, 1, 2, 0, 1, 2, 0, 0)
    """
    if not isinstance(rotary, Rotary):
        raise TypeError(f"rotary must be a Rotary, got {_arguments.shown(rotary)}")
    interleaved = _arguments.flag("interleaved", interleaved)
    given = _arguments.entries("pairs", pairs)
    counts = [_arguments.integer("pairs", count, least=0) for count in given]
    exact = rotary._decimals(length)
    if sum(counts) != len(exact):
        raise ValueError(f"pairs must add up to {len(exact)}, got {_arguments.shown(counts)}")
    if interleaved:
        turns = [divmod(j, len(counts)) for j in range(len(exact))]
        axes = [axis if turn < counts[axis] else 0 for turn, axis in turns]
    else:
        axes = [axis for axis, count in enumerate(counts) for _ in range(count)]
    return AxialRotary(
        rotary.head_dim,
        axes=axes,
        frequencies=exact,
        layout=rotary.layout,
        attention=rotary.attention_factor(length),
    )


def alternate(
    head_dim: int, *, base: float = 10_000.0, layout: Layout = "interleaved"
) -> AxialRotary:
    """Two coordinates in turn, pair by pair, with one frequency for both (Lumina-T2X).

    Pair 2j, of the first coordinate, and pair 2j + 1, of the second, turn by
    `base ** (-4 j / head_dim)`. Raises ValueError if `head_dim`
    is not a multiple of 4.

    >>> alternate(8, base=100).frequencies()
    array([1. , 1. , 0.1, 0.1])
    """
    quarter = _part("head_dim", head_dim, 4)
    powers = _powers(_arguments.positive("base", base), 2 * quarter)
    exact = [frequency for frequency in powers for _ in range(2)]
    return AxialRotary(head_dim, axes=[0, 1] * quarter, frequencies=exact, layout=layout)


def pixtral(head_dim: int, *, base: float = 10_000.0) -> AxialRotary:
    """Frequencies of the whole head: those with an even number for height, the others for width.

    Pair j of the height turns by `base ** (-4 j / head_dim)`, and pair j of the width by
    `base ** (-(4 j + 2) / head_dim)`. The layout is halves (Pixtral in transformers 5.23). Raises
    ValueError if `head_dim` is not a multiple of 4.

    >>> pixtral(8, base=10_000).frequencies()
    array([1.   , 0.01 , 0.1  , 0.001])
    """
    quarter = _part("head_dim", head_dim, 4)
    powers = _powers(_arguments.positive("base", base), 4 * quarter)
    axes = [0] * quarter + [1] * quarter
    return AxialRotary(head_dim, axes=axes, frequencies=powers[0::2] + powers[1::2])


def dinov3(head_dim: int, *, base: float = 100.0) -> AxialRotary:
    """Frequencies `2π · base ** (-4 j / head_dim)` for height, then the same ones for width.

    The layout is halves. Positions are the centres of patches between -1 and 1 (DINOv3 in
    transformers 5.23 and timm 1.0). Raises ValueError if `head_dim` is not a multiple of 4.

    >>> dinov3(8).frequencies().round(4)
    array([6.2832, 0.6283, 6.2832, 0.6283])
    """
    quarter = _part("head_dim", head_dim, 4)
    powers = _powers(_arguments.positive("base", base), 2 * quarter)
    with localcontext(EXACT):
        exact = [2 * PI * frequency for frequency in powers] * 2
    _refuse_infinite("base", base, exact[-1])
    return AxialRotary(head_dim, axes=[0] * quarter + [1] * quarter, frequencies=exact)


def pixels(head_dim: int, *, max_freq: float, layout: Layout = "interleaved") -> AxialRotary:
    """Frequencies in equal steps from π to `π · max_freq / 2` for height, then again for width.

    Positions run from -1 to 1 (rotary-embedding-torch 0.9 and timm 1.0 with pixel
    frequencies). Raises ValueError if `head_dim` is not a multiple of 4 or `max_freq` not
    finite and positive.

    >>> pixels(8, max_freq=10).frequencies().round(4)
    array([ 3.1416, 15.708 ,  3.1416, 15.708 ])
    """
    quarter = _part("head_dim", head_dim, 4)
    most = _arguments.positive("max_freq", max_freq)
    with localcontext(EXACT):
        last = Decimal(most) / 2
        steps = [Decimal(j) / max(quarter - 1, 1) for j in range(quarter)]
        exact = [PI * (1 + step * (last - 1)) for step in steps] * 2
    _refuse_infinite("max_freq", most, exact[-1])
    axes = [0] * quarter + [1] * quarter
    return AxialRotary(head_dim, axes=axes, frequencies=exact, layout=layout)


def ltx(width: int, *, base: float = 10_000.0) -> AxialRotary:
    """Frequencies that grow from π/2 to `base · π/2`, each for time, height, width in turn.

    Positions run from -1 to 1 (LTX-Video in diffusers 0.42, which leaves the first
    `inner width % 6` features unturned; `width` is what remains). Raises ValueError if
    `width` is not a multiple of 6.

    >>> ltx(12, base=100).frequencies().round(2)
    array([  1.57,   1.57,   1.57, 157.08, 157.08, 157.08])
    """
    third = _part("width", width, 6)
    base = _arguments.positive("base", base)
    with localcontext(EXACT):
        logarithm = Decimal(base).ln()
        steps = [Decimal(j) / max(third - 1, 1) for j in range(third)]
        powers = [PI / 2 * (logarithm * step).exp() for step in steps]
    _refuse_infinite("base", base, powers[-1])
    exact = [frequency for frequency in powers for _ in range(3)]
    return AxialRotary(width, axes=[0, 1, 2] * third, frequencies=exact, layout="interleaved")


def _powers(base: float, width: int) -> list[Decimal]:
    """`base ** (-2 i / width)` for each of the `width // 2` pairs."""
    with localcontext(EXACT):
        powers = progression(base, width)
    _refuse_infinite("base", base, powers[-1])
    return powers


def _refuse_infinite(name: str, value: float, frequency: Decimal) -> None:
    """Refuse a `value` that makes a `frequency` infinite."""
    if math.isinf(float(frequency)):
        raise ValueError(f"{name} must keep frequencies within float64, got {value}")


def _part(name: str, width: object, parts: int) -> int:
    """The `width` of one of equal `parts`."""
    number = _arguments.integer(name, width, least=parts, most=_arguments.WIDEST)
    if number % parts:
        raise ValueError(f"{name} must be a multiple of {parts}, got {number}")
    return number // parts
