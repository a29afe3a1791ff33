"""Twenty bugs that projects reported, replayed: what was meant, what ran, and the kind of slip."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posenc import Rotary
from posenc.rotary import Llama3, Proportional, YaRN, axes
from posenc.rotary.axes import AxialRotary
from tests.checked_functions import Options


@dataclass(frozen=True)
class Bug:
    """A rotation that was wrong, where it was reported, and what `check` has to name."""

    place: str
    right: Rotary | AxialRotary
    ran: Callable[..., Any]
    kinds: tuple[str, ...]


def yarn(factor: float, attention: float, *, base: float = 1e6, layout: str = "halves") -> Options:
    return Options(128, 128, base, layout, "yarn", factor, attention, trained=4096)


def meant(o: Options, **scaling: Any) -> Rotary:
    given = {"original_max_position_embeddings": o.trained, "attention_factor": o.attention}
    own = YaRN(o.factor, **{**given, **scaling})
    return Rotary(o.head, base=o.base, layout=o.layout, scaling=own)  # type: ignore[arg-type]


def bugs() -> list[Bug]:
    """Twenty of them; the numbers are those of the reports where they have some."""
    laguna, mistral = yarn(64, 1.0, base=500_000), yarn(16, 1.0)
    plain, llama = (
        Options(128, 128, 500_000.0),
        Options(128, 128, 500_000.0, scaling="llama3", factor=8.0),
    )
    half = Options(128, 64, 10_000.0)
    pairs = np.arange(64)
    turns = tuple(int(j % 3 if j // 3 < (24, 20, 20)[j % 3] else 0) for j in pairs)
    images = axes.sections(Rotary(128, base=5e6), [24, 20, 20], interleaved=True)
    qwen = Options(128, 128, 5e6, axes=turns)
    blocks = tuple(int(j) for j in np.repeat([0, 1, 2], [24, 20, 20]))
    gemma = Rotary(128, base=1e6, scaling=Proportional(0.25))
    first = Options(128, 32, 1e6, exponent=lambda i, _: 2 * i / 128)
    twice = yarn(128, 0.1 * math.log(128) + 1)
    known = Rotary(128, base=500_000, scaling=Llama3(8, original_max_position_embeddings=4096))
    own = meant(twice)
    low = dict.fromkeys(("positions", "frequencies", "angles"), "bfloat16")
    return [
        Bug(
            "vllm#48621",
            meant(mistral),
            replace(mistral, attention=0.1 * math.log(16) + 1),
            ("attention rule",),
        ),
        Bug(
            "vllm#46280",
            meant(laguna),
            replace(laguna, attention=0.1 * math.log(64) + 1),
            ("attention rule",),
        ),
        Bug("sglang#33558", own, replace(twice, attention=twice.attention**2), ("attention",)),
        Bug("exllamav3#259", own, replace(twice, attention=1.0), ("attention",)),
        Bug("torchtitan#3787", own, replace(twice, betas=(1, 32)), ("band",)),
        Bug("litgpt#2202", own, replace(twice, slip="upside down"), ("upside down",)),
        Bug(
            "Megatron-LM#7476",
            Rotary(128, rotary_dim=64),
            replace(half, rotary=128),
            ("whole head",),
        ),
        Bug(
            "pie#602",
            Rotary(128, rotary_dim=64),
            replace(half, exponent=lambda i, _: 2 * i / 128),
            ("exponent width",),
        ),
        Bug("Megatron-Bridge#4195", gemma, first, ("proportional",)),
        Bug(
            "ferrox#39", Rotary(128), Options(128, 128, scaling="linear", factor=8.0), ("stretch",)
        ),
        Bug("vllm#42624", Rotary(128, base=500_000), Options(128, 128), ("base",)),
        Bug("TransformerLens#910", known, replace(llama, factor=32.0), ("factor",)),
        Bug("mobius#458", known, replace(llama, scaling=""), ("scaling ignored",)),
        Bug(
            "sglang#14745",
            known,
            replace(llama, scaling="", base=10_000.0),
            ("scaling ignored", "base"),
        ),
        Bug(
            "transformers#25199",
            Rotary(128, base=500_000),
            replace(plain, layout="interleaved"),
            ("layout",),
        ),
        Bug("MNN#4133", images, replace(qwen, axes=blocks), ("coordinates",)),
        Bug("ollama#12807", images, replace(qwen, axes=(0,) * 64), ("coordinates",)),
        Bug(
            "LLMs-from-scratch#939",
            meant(yarn(8, 1.2079)),
            Options(128, 128, 1e6, scaling="linear", factor=8.0, attention=1.2079),
            ("another scaling",),
        ),
        Bug("tt-metal#54516", Rotary(128, base=500_000), replace(plain, low=low), ("all rounded",)),
        Bug(
            "transformers#29285",
            Rotary(128),
            Options(128, 128, low={"positions": "bfloat16"}),
            ("positions rounded",),
        ),
    ]
