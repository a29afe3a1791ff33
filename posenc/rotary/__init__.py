"""Rotary position encodings, their scalings for long texts, and their forms in images.

`Rotary` turns queries and keys by the frequencies of the sinusoidal encoding; a scaling
changes these frequencies; `posenc.rotary.axes` has encodings of two and three coordinates, and
`posenc.rotary.positions` the positions of tokens in texts with images, images and videos.
`Plan` reads a model's file, `port_weights` moves its weights to another layout, and `ENGINES` says
how programs round.
"""

from posenc.plans import Plan
from posenc.porting import Ported, port_weights
from posenc.rotary import axes, positions
from posenc.rotary._bands import Llama3, LongRoPE, YaRN
from posenc.rotary._engines import ENGINES, Engine
from posenc.rotary._given import Given
from posenc.rotary._rotary import Rotary
from posenc.rotary._scalings import NTK, DynamicNTK, Linear, Proportional, Scaling, SteppedNTK
from posenc.rotary._versions import convert_config

__all__ = [
    "ENGINES",
    "NTK",
    "DynamicNTK",
    "Engine",
    "Given",
    "Linear",
    "Llama3",
    "LongRoPE",
    "Plan",
    "Ported",
    "Proportional",
    "Rotary",
    "Scaling",
    "SteppedNTK",
    "YaRN",
    "axes",
    "convert_config",
    "port_weights",
    "positions",
]
