"""What multiplies the product of a query and a key, by the type of the model."""

from __future__ import annotations

import math
from typing import Any

from posenc import _arguments
from posenc.plans import _data
from posenc.plans._groups import Group, Score
from posenc.plans._reading import Config
from posenc.rotary._config import Understood


def score(read: Understood, parameters: Config, group: Group) -> Score | None:
    """The factor of a group's scores; None if the type of the model is not known."""
    model = str(read.own.get("model_type"))
    rule = _data.SCORES.get(model, "head")
    width = _width(read, group)
    if rule == "own":
        return None
    if "qk_rope_head_dim" in read.full:
        return _latent(parameters, width, rule)
    if rule == "one":
        return _given(1.0, width, "1")
    if rule == "attention_multiplier":
        given = read.full.get("attention_multiplier", _data.MULTIPLIERS.get(model, 1.0))
        return _given(_arguments.finite(rule, given), width, rule)
    if rule == "query_pre_attn_scalar":
        given = read.full.get(rule, _data.SCALARS.get(model, 256))
        number = _arguments.positive(rule, given)
        return _given(number**-0.5, width, f"{rule}^-½ = 1/√{number:g}")
    if rule == "half head":
        return _given((width / 2) ** -0.5, width, f"1/√({width} / 2)") if width else None
    if width is None:
        return None
    return _given(width**-0.5, width, f"1/√{width}")


def _given(scale: float, width: int | None, why: str) -> Score:
    factor = 1.0 if width is None else scale * math.sqrt(width)
    return Score(factor, scale, why)


def _width(read: Understood, group: Group) -> int | None:
    if "qk_rope_head_dim" not in read.full:
        return group.head_dim
    model = str(read.own.get("model_type"))
    passing = read.full.get("qk_nope_head_dim", _data.PASSING.get(model))
    if passing is None:
        return None
    return _arguments.integer("qk_nope_head_dim", passing, least=0) + (group.head_dim or 0)


def _latent(parameters: Config, width: int | None, rule: str) -> Score:
    """Multi-head latent attention: the factor of the scores grows with `mscale_all_dim`."""
    kind = parameters.get("rope_type", parameters.get("type", "default"))
    every: Any = parameters.get("mscale_all_dim", 0)
    usual = None if width is None else width**-0.5
    why = "1/√(width of a query)" if width is None else f"1/√{width}"
    if rule == "plain" or kind == "default" or not every or "factor" not in parameters:
        return Score(1.0, usual, why)
    stretch = _arguments.positive("factor", parameters["factor"])
    number = _arguments.finite("mscale_all_dim", every)
    factor = 1.0 if stretch <= 1 else (0.1 * number * math.log(stretch) + 1) ** 2
    why = f"{why} · (0.1 · {number:g} · ln {stretch:g} + 1)²"
    return Score(factor, None if usual is None else usual * factor, why)
