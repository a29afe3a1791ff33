"""The encodings of posenc that the options of a case describe."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.rotary import (
    NTK,
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    Proportional,
    Rotary,
    SteppedNTK,
    YaRN,
    axes,
)
from scripts.vectors.cases import Options

SCALINGS: dict[str, Any] = {
    "linear": Linear,
    "ntk": NTK,
    "dynamic": DynamicNTK,
    "stepped": SteppedNTK,
    "llama3": Llama3,
    "yarn": YaRN,
    "longrope": LongRoPE,
    "proportional": Proportional,
}


def rotary(options: Options) -> Rotary | axes.AxialRotary:
    """The rotary encoding of a case, in one coordinate or several."""
    rule, head, base = options.get("rule"), options["head_dim"], options.get("base", 1.0)
    layout = options["layout"]
    if rule in (None, "sections", "interleaved"):
        given = options["scaling"]
        own = given and {name: value for name, value in given.items() if name != "type"}
        one = Rotary(
            head,
            base=base,
            rotary_dim=options["rotary_dim"],
            layout=layout,
            scaling=given and SCALINGS[given["type"]](**own),
        )
        if rule is None:
            return one
        turns = rule == "interleaved"
        return axes.sections(one, options["pairs"], interleaved=turns, length=options["length"])
    made = {
        "blocks": lambda: axes.blocks(options["dims"], base=base),
        "alternate": lambda: axes.alternate(head, base=base),
        "pixtral": lambda: axes.pixtral(head, base=base),
        "dinov3": lambda: axes.dinov3(head, base=base),
        "pixels": lambda: axes.pixels(head, max_freq=options["max_freq"]),
        "ltx": lambda: axes.ltx(head, base=base),
    }
    return replace(made[rule](), head_dim=head, layout=layout)


def convention(options: Options) -> Convention:
    """The sinusoidal convention of a case, or of each axis of a grid."""
    names = {field.name for field in fields(Convention)} & options.keys()
    odd = "overflow" if options["columns"] > options["width"] else "truncate"
    zeros = options["columns"] > 2 * options["pairs"]
    own: dict[str, Any] = {name: options[name] for name in names}
    own["layout"] = options["arrangement"]
    return Convention(**own | {"odd": "pad" if zeros else odd})


def grid(options: Options) -> Grid:
    """The grid of a case."""
    return Grid(
        axis=convention(options),
        axes=options["axes"],
        blocks=options["blocks"],
        spacing=tuple(options["spacing"]),
        normalized=options["normalized"],
        listed=options["listed"],
    )
