"""Rotary encodings: queries and keys turned, pair by pair, by angles that grow with position."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._blocks import rows_at
from posenc._phase import ComplexArray, FloatArray, Frequencies
from posenc.rotary._checks import turning_width, usable, warn_beyond
from posenc.rotary._exact import EXACT, progression, split
from posenc.rotary._foreign import numpy_array
from posenc.rotary._given import given
from posenc.rotary._scalings import Scaling
from posenc.rotary._turn import Layout, Table, aligned, cosine_sine, heads, phasors, turned


@dataclass(frozen=True)
class Rotary:
    """Rotary encoding of heads of `head_dim` features (Su et al. 2021, RoFormer, section 3.4.2).

    The first `rotary_dim` features form pairs, the others pass through; without a `rotary_dim`
    all features do, and the field then holds `head_dim` (`dataclasses.replace` needs both to
    change the width). Pair i turns by `base ** (-2 i / rotary_dim)` radians per position unless
    `scaling` says otherwise. `layout` says which two features are a pair: `"halves"` takes i
    and i + rotary_dim / 2 (Llama in transformers, GPT-NeoX), `"interleaved"` takes 2i and
    2i + 1 (RoFormer, GPT-J, Llama in Meta's code).

    `frequencies`, an array of any library with one axis, takes the place of base and scaling:
    an `inv_freq` buffer or learned numbers. (`rope_freqs.weight` of GGUF holds divisors: give
    `Rotary(head_dim, base=base).frequencies() / divisors`.) It is kept as a scaling,
    `posenc.rotary.Given`, and tells the `rotary_dim` unless that is given.

    Some scalings depend on how long the text is. For them, `length` is its number of positions;
    None means that the text is no longer than the training texts, and a position beyond them
    gives a warning.

    Raises TypeError if a width is not an integer, `base` or `frequencies` are no numbers, or
    `layout` is not a string. Raises ValueError if `rotary_dim` is odd, less than 2 or more than
    `head_dim`, if `head_dim` is more than 2**20, if `base` is not finite and positive, if `layout`
    is neither of the two, if `scaling` is no scaling of `posenc.rotary`, if `frequencies` are not
    one for each pair, or if float64 cannot hold them or the attention factor.

    >>> rotary = Rotary(4, base=100)
    >>> rotary.rotate([1, 0, 0, 1], 1).round(4)
    array([ 0.5403, -0.0998,  0.8415,  0.995 ])
    >>> Rotary(8, frequencies=[1.0, 0.5]).rotary_dim
    4
    """

    head_dim: int
    _: KW_ONLY
    base: float = 10_000.0
    rotary_dim: int | None = None
    layout: Layout = "halves"
    scaling: Scaling | None = None

    def __init__(
        self,
        head_dim: int,
        *,
        base: float = 10_000.0,
        rotary_dim: int | None = None,
        layout: Layout = "halves",
        scaling: Scaling | None = None,
        frequencies: npt.ArrayLike | None = None,
    ) -> None:
        head_dim = _arguments.integer("head_dim", head_dim, least=2, most=_arguments.WIDEST)
        if frequencies is not None:
            own = given(frequencies, scaling, head_dim)
            rotary_dim = 2 * len(own.frequencies) if rotary_dim is None else rotary_dim
            scaling = own
        _arguments.choice("layout", layout, get_args(Layout))
        fields = {
            "head_dim": head_dim,
            "base": _arguments.positive("base", base),
            "rotary_dim": turning_width(head_dim, rotary_dim),
            "layout": layout,
            "scaling": usable(scaling),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self._exact(None)

    @classmethod
    def from_config(
        cls,
        config: Any,
        *,
        layout: Layout | None = None,
        layer_type: str | None = None,
    ) -> Rotary | dict[str, Rotary]:
        """The rotary encoding that a Hugging Face `config.json` describes.

        `config` is a dict, JSON text, a path, or an object that has `to_dict`.
        It reads `rope_parameters` (transformers 5), `rope_theta` and `rope_scaling`
        (transformers 4) and the names that older models use, a nested `text_config`, and for
        known model types the defaults of transformers 5.24 (null under `head_dim` or
        `partial_rotary_factor` sets a default aside). Where the types of layers differ
        (Gemma 3), the answer is a dict from layer type to `Rotary`, without the layers that
        have no positions; `layer_type` chooses one of them. Where all are alike, it is not read.

        Multi-head latent attention (DeepSeek-V3) rotates a separate part of queries and keys:
        `head_dim` is then the width of that part. Multimodal sections (Qwen2-VL) are ignored: the
        encoding is that of text, see `posenc.rotary.axes`. So are single layers without positions
        (SmolLM3's `no_rope_layers`, zeros in Granite's `layer_rope_theta`, the full attention of
        EXAONE 4), factors of the scores, and other changes of the queries (Qwen 1's
        `use_logn_attn`): `posenc.rotary.Plan` says all of this.

        The type of the model decides the layout. `layout` counts where its type is missing or
        not known and `rope_interleave` does not say it.

        Raises OSError if a file cannot be read. Raises ValueError if the config names no width, its
        model has no rotary encoding, its rope type is not known (the message lists the known
        types) or its layout is not, or if a number lies outside of its range; TypeError or
        ValueError if a value is of another type.

        >>> config = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}
        >>> Rotary.from_config(config)
        Rotary(head_dim=128, base=10000.0, rotary_dim=128, layout='halves', scaling=None)
        """
        from posenc.plans import _single  # it imports this module

        options = _single.options(config, layout)
        if set(options) == {None}:
            return cls(**options[None])
        if layer_type is not None:
            _arguments.choice("layer_type", layer_type, tuple(kind for kind in options if kind))
            return cls(**options[layer_type])
        return {str(layer_type): cls(**given) for layer_type, given in options.items()}

    def frequencies(self, length: float | None = None) -> FloatArray:
        """Angular frequency of each pair, in radians per position, shape `(rotary_dim // 2,)`.

        Each is the float64 nearest to the exact value. Raises TypeError or ValueError if `length`
        is neither None nor finite and positive.

        >>> Rotary(4, base=100).frequencies()
        array([1. , 0.1])
        """
        return self._exact(length).high.copy()

    def wavelengths(self, length: float | None = None) -> FloatArray:
        """Wavelength of each pair, in positions per turn, shape `(rotary_dim // 2,)`.

        It is infinite where a pair does not turn, and where it exceeds float64. Raises as
        `frequencies` does.

        >>> Rotary(4).wavelengths().round(2)
        array([  6.28, 628.32])
        """
        with np.errstate(divide="ignore", over="ignore"):
            lengths: FloatArray = 2 * np.pi / np.abs(self._exact(length).high)
        return lengths

    def attention_factor(self, length: float | None = None) -> float:
        """The number that `rotate` multiplies cosine and sine by, 1 without a scaling.

        A product of query and key grows by its square. Raises as `frequencies` does.

        >>> Rotary(64).attention_factor()
        1.0
        """
        return self._attention(_checked(length))

    def cosine_sine(
        self,
        positions: npt.ArrayLike,
        length: float | None = None,
        *,
        dtype: npt.DTypeLike = np.float64,
        attention: bool = False,
    ) -> Table:
        """Cosine and sine, without the attention factor unless `attention` puts it in.

        Positions of shape `(...)` give both of shape `(..., rotary_dim // 2)`. Tables of libraries
        have the factor in them. Values are within 5e-16 of the exact ones up to
        |position| = 2**24 if no pair turns faster than 1 radian per position, and farther off as
        those of `posenc.encode`; `dtype` rounds them once, at the end. Raises for `positions` and
        `dtype` as `posenc.encode` does, otherwise as `frequencies`.

        >>> cosine, sine = Rotary(4, base=100).cosine_sine([0, 1])
        >>> cosine.round(4)
        array([[1.    , 1.    ],
               [0.5403, 0.995 ]])
        """
        return cosine_sine(self._sine_and_cosine(positions, length, attention), dtype)

    def phasors(
        self,
        positions: npt.ArrayLike,
        length: float | None = None,
        *,
        attention: bool = False,
    ) -> ComplexArray:
        """`cosine + 1j * sine`, without the attention factor unless `attention` puts it in.

        Positions of shape `(...)` give the shape `(..., rotary_dim // 2)`. Llama's code in PyTorch
        calls this table `freqs_cis`. Raises as `cosine_sine` does.

        >>> Rotary(4, base=100).phasors(1).round(4)
        array([0.5403+0.8415j, 0.995 +0.0998j])
        """
        return phasors(self._sine_and_cosine(positions, length, attention))

    def rotate(
        self,
        x: Any,
        positions: npt.ArrayLike,
        length: float | None = None,
        *,
        axis: int | None = None,
    ) -> Any:
        """Queries or keys `x` of shape `(..., head_dim)`, turned to their positions.

        A pair (x1, x2) becomes (x1 cos - x2 sin, x1 sin + x2 cos), times the attention
        factor. The shape of `positions` and the leading axes of `x` broadcast to each other, as
        NumPy does: `x` of shape `(heads, n, head_dim)` fits positions of shape `(n,)`, and `x` of
        shape `(head_dim,)` is turned to each of several positions. `axis` is the axis of `x` that
        positions number, where it is not the last but one: 1 for `(batch, n, heads, head_dim)` and
        positions of shape `(n,)` or `(batch, n)`.

        The answer has the dtype of `x` in the byte order of the machine; integers become float64,
        and half precision is computed in float32. A tensor of PyTorch or an array of JAX or MLX
        gives one of its kind.

        Raises ValueError if `x` has another width or holds no real numbers, if the shapes do
        not fit, if positions fit several axes of `x` and no `axis` says which, or if a turned
        feature exceeds the dtype; TypeError if `x` has lists of different lengths, requires a
        gradient or is on a device; otherwise as `cosine_sine`.

        >>> Rotary(2).rotate([[1.0, 0.0], [1.0, 0.0]], [0, 1]).round(4)
        array([[1.    , 0.    ],
               [0.5403, 0.8415]])
        """
        array, back = heads(x, self.head_dim)
        pairs = self._sine_and_cosine(positions, length, attention=True)
        shape = aligned(pairs.shape[:-1], array.shape[:-1], axis)
        pairs = pairs.reshape(*shape, pairs.shape[-1])
        return back(turned(array, pairs.imag, pairs.real, self.layout))

    def similarity(
        self, offset: npt.ArrayLike, length: float | None = None
    ) -> FloatArray | np.float64:
        """Sum of the pairs' cosines `offset` positions apart, of the shape of `offset`.

        It is the product of a query and a key with the same unit vector in every pair, turned
        `offset` positions apart, without the attention factor: `rotary_dim / 2` at 0, and
        even in `offset`. Raises as `cosine_sine` does.

        >>> Rotary(4).similarity([0, 1, -1]).round(4)
        array([2.    , 1.5403, 1.5403])
        """
        offsets = _arguments.reals("offset", offset)
        total: FloatArray | np.float64 = self._sine_and_cosine(offsets, length).imag.sum(axis=-1)
        return total

    def _sine_and_cosine(
        self, positions: npt.ArrayLike, length: float | None, attention: bool = False
    ) -> ComplexArray:
        """`sin + 1j * cos`, shape `(..., rotary_dim // 2)`."""
        points = _arguments.reals("positions", numpy_array("positions", positions)[0])
        if length is None and self.scaling is not None:
            warn_beyond(points, self.scaling)
        pairs = rows_at(points.ravel(), self._exact(length))
        if _arguments.flag("attention", attention):
            pairs *= self.attention_factor(length)
        return pairs.reshape(points.shape + pairs.shape[1:])

    def _decimals(self, length: float | None) -> tuple[Decimal, ...]:
        """The frequencies with 60 digits."""
        width = self.head_dim if self.rotary_dim is None else self.rotary_dim
        return _decimals(self.base, width, self.scaling, _checked(length))

    def _attention(self, length: float | None) -> float:
        return 1.0 if self.scaling is None else self.scaling.attention(length)

    def _exact(self, length: float | None) -> Frequencies:
        return _split(self._decimals(length))


@lru_cache
def _decimals(
    base: float, width: int, scaling: Scaling | None, length: float | None
) -> tuple[Decimal, ...]:
    with localcontext(EXACT):
        if scaling is None:
            return tuple(progression(base, width))
        return tuple(scaling._decimals(base, width, length))


def _checked(length: float | None) -> float | None:
    return None if length is None else _arguments.positive("length", length)


_split = lru_cache(split)
