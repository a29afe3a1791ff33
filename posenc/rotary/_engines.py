"""How programs round on the way from a position to a turned query, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._formats import FORMATS, Format, rounded
from posenc._named import Named
from posenc.rotary import _engine_steps as steps
from posenc.rotary._foreign import numpy_array
from posenc.rotary._rotary import Rotary
from posenc.rotary._scalings import Linear
from posenc.rotary._turn import aligned, heads

Kind = Literal["float32", "queries"]
Turn = Literal["float32", "queries", "fused"]
Angles = Literal["powers", "products"]
Divides = Literal["frequencies", "positions", "positions_times", "angles_times"]

_FORMATS = {name: form for name, form in FORMATS.items() if name != "float64"}


@dataclass(frozen=True)
class Engine:
    """Where a program rounds: its frequencies, its table of cosines and sines, and the turn.

    Positions, frequencies and angles are float32. `angles` says where frequencies come from:
    `"powers"` takes `1 / base ** (2i / d)`, `"products"` multiplies the angle of each pair by one
    number to get the next (llama.cpp). `linear` is what `Linear` divides: the `"frequencies"` or
    the `"positions"`, or what its inverse multiplies: `"positions_times"` or `"angles_times"`.

    `table` and `turn` say in which type cosines and sines are kept, and products and sums are
    rounded: `"float32"`, or `"queries"`, that of the queries. `"fused"` is float32 without rounding
    the product with the first feature of a pair, as GCC compiles llama.cpp for today's CPUs. Turned
    queries have their type in any case. `source` says where this was read or run.

    `ENGINES` has those that we know. Raises TypeError if a field is not a string, ValueError if it
    is none of these.

    >>> from posenc import Rotary
    >>> from posenc.rotary import ENGINES
    >>> for name in ("transformers", "vllm", "transformer_engine"):
    ...     print(ENGINES[name].rotate([3.0, 1.0], Rotary(2), 1, precision="bfloat16"))
    [0.77734375 3.0625    ]
    [0.77734375 3.0625    ]
    [0.78125 3.0625 ]
    """

    _: KW_ONLY
    angles: Angles = "powers"
    table: Kind = "float32"
    turn: Turn = "float32"
    linear: Divides = "frequencies"
    source: str = ""

    def __post_init__(self) -> None:
        for name, kinds in (("angles", Angles), ("table", Kind), ("turn", Turn)):
            _arguments.choice(name, getattr(self, name), get_args(kinds))
        _arguments.choice("linear", self.linear, get_args(Divides))
        if not isinstance(self.source, str):
            raise TypeError(f"source must be a string, got {_arguments.shown(self.source)}")

    def cosine_sine(
        self, rotary: Rotary, positions: npt.ArrayLike, *, precision: str = "float32"
    ) -> tuple[steps.Single, steps.Single]:
        """The program's table for queries in `precision`: cosine and sine `(..., pairs)`.

        They hold the attention factor, and are numbers of the table's type, as float32.
        `precision` is float16, bfloat16 or float32. Angles have the program's own bits; a cosine
        or sine is the nearest float32, which the program's function may miss by its last bit.

        Raises ValueError if the scaling of `rotary` is none whose steps are known: give the
        program's own frequencies then, as `Rotary(head_dim, frequencies=inv_freq)`. Otherwise
        raises as `Rotary.cosine_sine` does.

        >>> from posenc import Rotary
        >>> from posenc.rotary import ENGINES
        >>> cosine, sine = ENGINES["llama_cpp"].cosine_sine(Rotary(128), 100_000)
        >>> exact, _ = Rotary(128).cosine_sine(100_000)
        >>> print(round(abs(cosine - exact).max(), 3))
        0.009
        """
        form = self._form(self.table, precision)
        angles = self._angles(_known(rotary), positions)
        factor = np.float32(rotary.attention_factor())
        cosine, sine = (low(part * factor, form) for part in steps.cosine_sine(angles))
        return cosine, sine

    def rotate(
        self, x: Any, rotary: Rotary, positions: npt.ArrayLike, *, precision: str = "bfloat16"
    ) -> steps.Single:
        """Queries or keys `x` `(..., head_dim)` as the program turns them, as float32.

        `x` is first rounded to `precision`, which is float16, bfloat16 or float32, and the answer
        has numbers of that type. Shapes fit as in `Rotary.rotate`. A number beyond the type
        becomes infinite, as in the program. Raises as `cosine_sine` and `Rotary.rotate` do.

        >>> from posenc import Rotary
        >>> from posenc.rotary import ENGINES
        >>> engine = ENGINES["transformers"]
        >>> engine.rotate([[1.0, 1.0]] * 2, Rotary(2), [0, 1])
        array([[ 1.        ,  1.        ],
               [-0.30078125,  1.375     ]], dtype=float32)
        """
        form = self._form("queries", precision)
        step = None if self.turn == "fused" else self._form(self.turn, precision)
        cosine, sine = self.cosine_sine(rotary, positions, precision=precision)
        array = heads(x, rotary.head_dim)[0].astype(np.float32)
        shape = aligned(cosine.shape[:-1], array.shape[:-1], None)
        cosine, sine = (part.reshape(*shape, part.shape[-1]) for part in (cosine, sine))
        lead = np.broadcast_shapes(shape, array.shape[:-1])
        out = low(np.broadcast_to(array, (*lead, rotary.head_dim)), form)
        pairs = cosine.shape[-1]
        first, second = (
            (slice(0, pairs), slice(pairs, 2 * pairs))
            if rotary.layout == "halves"
            else (slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2))
        )
        x1, x2 = out[..., first].copy(), out[..., second].copy()
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            real = added(x1, cosine, low(-x2 * sine, step), step)
            imaginary = added(x1, sine, low(x2 * cosine, step), step)
            out[..., first], out[..., second] = low(real, form), low(imaginary, form)
        return out

    def _form(self, kind: str, precision: str) -> Format:
        form = _arguments.one_of("precision", precision, _FORMATS)
        return form if kind == "queries" else FORMATS["float32"]

    def _angles(self, rotary: Rotary, positions: npt.ArrayLike) -> steps.Single:
        points = _arguments.reals("positions", numpy_array("positions", positions)[0])
        place = points.astype(np.float32)[..., np.newaxis]
        linear = rotary.scaling if isinstance(rotary.scaling, Linear) else None
        inverse = np.float32(1 / linear.factor) if linear else np.float32(1)
        if linear and self.linear == "positions":
            place = place / np.float32(linear.factor)
        if linear and self.linear == "positions_times":
            place = place * inverse
        if self.angles == "products":
            return _products(place, rotary) * inverse
        rates = steps.frequencies(rotary.base, _width(rotary), rotary.scaling)
        if linear and self.linear == "frequencies":
            rates = rates / np.float32(linear.factor)
        angles: steps.Single = place * rates
        return angles * inverse if self.linear == "angles_times" else angles


def added(
    x: steps.Single, table: steps.Single, product: steps.Single, step: Format | None
) -> steps.Single:
    """`x * table + product`: `step` rounds the new product, None only the sum."""
    if step is not None:
        return low(x * table, step) + product
    return (x.astype(np.float64) * table + product).astype(np.float32)


def low(values: steps.Single, form: Format | None) -> steps.Single:
    """Float32 numbers, rounded to the format."""
    if form is None or form.name == "float32":
        return np.array(values)
    return rounded(values.astype(np.float64), form).astype(np.float32)


def _products(place: steps.Single, rotary: Rotary) -> steps.Single:
    """The angle of each pair from that of the pair before."""
    if rotary.scaling is not None and not isinstance(rotary.scaling, Linear):
        rule = "rotary must have no scaling but Linear where angles are products"
        raise ValueError(f"{rule}, got {_arguments.shown(rotary.scaling)}")
    width = _width(rotary)
    step = steps.power(rotary.base, np.float32(-2) / np.float32(width))
    factors = np.broadcast_to(step, (*place.shape[:-1], width // 2 - 1))
    products: steps.Single = np.multiply.accumulate(np.concatenate([place, factors], -1), axis=-1)
    return products


def _known(rotary: object) -> Rotary:
    if not isinstance(rotary, Rotary):
        raise TypeError(f"rotary must be a Rotary, got {_arguments.shown(rotary)}")
    return rotary


def _width(rotary: Rotary) -> int:
    return rotary.head_dim if rotary.rotary_dim is None else rotary.rotary_dim


ENGINES: Mapping[str, Engine] = Named(
    {
        "transformers": Engine(
            table="queries",
            turn="queries",
            source="transformers 5.24.0, LlamaRotaryEmbedding; run on a CPU",
        ),
        "vllm": Engine(
            table="queries",
            linear="positions",
            source="vLLM 0.33.0, RotaryEmbedding and its CUDA kernel; read",
        ),
        "vllm_native": Engine(
            table="queries",
            turn="queries",
            linear="positions",
            source="vLLM 0.33.0, RotaryEmbedding.forward_native; run on a CPU",
        ),
        "megatron_core": Engine(
            table="queries",
            turn="queries",
            linear="positions_times",
            source="Megatron Core 0.16.1, _apply_rotary_pos_emb_bshd; run on a CPU",
        ),
        "sglang": Engine(
            linear="positions",
            source="SGLang 0.5.23, its kernel on NVIDIA, without M-RoPE; read",
        ),
        "transformer_engine": Engine(
            linear="positions_times",
            source="Transformer Engine d0067d0da6cb, fused_rope.cu; read",
        ),
        "llama_cpp": Engine(
            angles="products",
            turn="fused",
            linear="angles_times",
            source="llama.cpp 0c1e57098bba, ggml_rope_ext; run on a CPU",
        ),
    }
)
"""How each program that was read or run rounds, by the library's name."""
